package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.graph.CorrelationMatrix;

class ShippedDefinitionsTest {
  @ParameterizedTest
  @MethodSource("org.starlingqcd.correlators.definition.ShippedDefinitions#names")
  void load_everyName_isThatDefinition(String name) {
    CorrelationMatrix matrix = new DefinitionLoader().load(name).toCorrelationMatrix();
    assertEquals(name, matrix.name());
    assertFalse(matrix.operators().isEmpty());
  }
}
