package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.BaryonPart;
import org.starlingqcd.graph.ContractionPlan;
import org.starlingqcd.graph.Reducer;
import org.starlingqcd.graph.WickContraction;

/** What the plans of large definitions with baryons save, as docs/planning.md says. */
@Tag("slow")
class BaryonPlansTest {
  private static ContractionPlan plan(String... names) {
    DefinitionLoader loader = new DefinitionLoader();
    return Reducer.reduce(
        WickContraction.contract(
            Stream.of(names)
                .map(name -> Engine.examples().resolve("large").resolve(name + ".yaml"))
                .map(file -> loader.load(file.toString()))
                .map(Definition::toCorrelationMatrix)
                .toList()));
  }

  private static void assertSaves(double factor, BaryonPart part) {
    double actual = part.unshared().products() / part.products();
    assertTrue(actual >= factor, "saves " + actual + " of " + part.unshared());
  }

  @Test
  void nucleonPion_needsLessThanATwentyFourth() {
    ContractionPlan plan = plan("npi_i12_011", "npi_i32_011");
    assertEquals(45_380, plan.counts().diagrams());
    assertSaves(27, plan.baryonPart());
    assertTrue(plan.baryonPart().products() < 35_000, "" + plan.baryonPart().products());
  }

  @Test
  void twoNucleons_needLessThanATwentyFourth() {
    ContractionPlan plan = plan("nn_i1_001");
    assertEquals(2_254, plan.counts().diagrams());
    assertSaves(30, plan.baryonPart());
    assertEquals(List.of(), plan.baryonPart().diquarks());
  }
}
