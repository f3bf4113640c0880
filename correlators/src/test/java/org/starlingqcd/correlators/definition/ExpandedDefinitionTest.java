package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Gamma;

class ExpandedDefinitionTest {
  /** The written-out form is a definition of the same correlators. */
  @ParameterizedTest
  @MethodSource("org.starlingqcd.correlators.definition.ShippedDefinitions#names")
  void of_readAgain_isTheSameMatrix(String name) throws JsonProcessingException {
    AnyDefinition definition = new DefinitionLoader().loadAny(name);
    String json = json(definition);
    AnyDefinition again = DefinitionLoader.parseAny("again.json", json);
    assertEquals(matrices(definition), matrices(again));
    assertEquals(json, json(again));
    if (definition instanceof CurrentDefinition current) {
      assertEquals(current.insertions(), ((CurrentDefinition) again).insertions());
      assertEquals(current.disconnected(), ((CurrentDefinition) again).disconnected());
    }
  }

  private static List<CorrelationMatrix> matrices(AnyDefinition definition) {
    return definition instanceof CurrentDefinition current
        ? List.of(current.sink().toCorrelationMatrix(), current.source().toCorrelationMatrix())
        : List.of(((Definition) definition).toCorrelationMatrix());
  }

  private static String json(AnyDefinition definition) throws JsonProcessingException {
    return new ObjectMapper()
        .writeValueAsString(
            definition instanceof CurrentDefinition current
                ? ExpandedDefinition.describe(current)
                : new ExpandedDefinition((Definition) definition).describe());
  }

  /** All sixteen products keep their sign under their customary name. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
  void of_everyGamma_keepsItsSign(int mask) throws JsonProcessingException {
    Gamma gamma = new Gamma(mask, 1);
    Definition definition =
        DefinitionLoader.parse(
            "x.yaml",
            "name: x\noperators: [{name: o, terms: [{coefficient: [0, 2], mesons: [{bar: u, gamma: "
                + gamma
                + ", quark: d, momentum: [0, 0, 0], displacement: nabla_y}], baryons: [{quarks: [u,"
                + " s, d], diquark: C"
                + (mask == 0 ? "" : gamma)
                + ", parity: minus, component: 2, momentum: [0, 0, 0]}]}]}]\n");
    String json =
        new ObjectMapper().writeValueAsString(new ExpandedDefinition(definition).describe());
    assertEquals(
        definition.toCorrelationMatrix(),
        DefinitionLoader.parse("again.json", json).toCorrelationMatrix());
  }
}
