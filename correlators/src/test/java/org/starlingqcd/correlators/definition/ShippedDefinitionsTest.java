package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShippedDefinitionsTest {
  @ParameterizedTest
  @MethodSource("org.starlingqcd.correlators.definition.ShippedDefinitions#names")
  void load_everyName_isThatDefinition(String name) {
    AnyDefinition definition = new DefinitionLoader().loadAny(name);
    assertEquals(name, definition.name());
    assertEquals("shipped definition " + name, definition.origin());
    assertTrue(
        DefinitionLoader.isSame(definition.text(), ShippedDefinitions.text(name)),
        "the text defines the same");
  }
}
