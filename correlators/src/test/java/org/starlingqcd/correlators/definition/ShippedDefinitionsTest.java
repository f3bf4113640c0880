package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.graph.Insertion;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5File;

class ShippedDefinitionsTest {
  @ParameterizedTest
  @MethodSource("org.starlingqcd.correlators.definition.ShippedDefinitions#names")
  void loadAny_everyName_isThatDefinition(String name) {
    AnyDefinition definition = new DefinitionLoader(Engine.examples()).loadAny(name);
    assertEquals(name, definition.name());
    assertEquals("shipped definition " + name, definition.origin());
    assertEquals(ShippedDefinitions.text(name), definition.text());
  }

  static Stream<CurrentDefinition> threePoint() {
    return ShippedDefinitions.names().stream()
        .map(new DefinitionLoader(Engine.examples())::loadAny)
        .filter(CurrentDefinition.class::isInstance)
        .map(CurrentDefinition.class::cast);
  }

  @Test
  void threePoint_areNine() {
    assertEquals(
        List.of(
            "charge_pion ff_pion kaon_to_pion nucleon_charges nucleon_ff pigamma_to_pipi pipi_to_rho rho_to_pi sigma_terms"
                .split(" ")),
        threePoint().map(CurrentDefinition::name).toList());
  }

  /** Their reference results are of the same definition, operators and insertions. */
  @ParameterizedTest
  @MethodSource("threePoint")
  void threePoint_reference_isOfTheDefinition(CurrentDefinition definition) {
    Path path = Engine.examples().resolve("reference-currents").resolve(definition.name() + ".h5");
    try (Hdf5File file = Hdf5File.open(path)) {
      Hdf5Attributes root = file.attributes("/");
      assertTrue(DefinitionLoader.isSame(root.string("definition"), definition.text()));
      assertEquals(names(definition.sink()), root.strings("sink_operators"));
      assertEquals(names(definition.source()), root.strings("source_operators"));
      List<String> insertions = definition.insertions().stream().map(Insertion::name).toList();
      assertEquals(insertions, root.strings("insertions"));
      for (String insertion : insertions) {
        String group = "cfg_0001/insertion/" + insertion;
        assertTrue(file.exists(group + "/connected"));
        assertEquals(definition.disconnected(), file.exists(group + "/disconnected"));
      }
    }
  }

  private static List<String> names(Definition side) {
    return side.operators().stream().map(OperatorDefinition::name).toList();
  }
}
