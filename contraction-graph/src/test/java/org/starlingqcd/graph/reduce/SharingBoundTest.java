package org.starlingqcd.graph.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.graph.Channels;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.plan.ReducerOptions;

@Tag("slow")
class SharingBoundTest {
  private static final ReducerOptions OPTIONS =
      new ReducerOptions(Set.of(), Set.of(), false, 20_000, 1);

  /** The bound proves the first three plans optimal, and the last right to two in a hundred. */
  @ParameterizedTest
  @CsvSource({"rho_pipi,20,20", "pipi_i2,199,199", "f0d2,207,207", "f0d4,419,429"})
  void products_isCloseToThePlan(String channel, int atLeast, int products) {
    DiagramSet set = Channels.diagrams(channel);
    long least = SharingBound.products(set, OPTIONS);
    assertTrue(least >= atLeast && least <= products, "least=" + least);
    assertTrue(Reducer.reduce(set, OPTIONS).products().size() <= products);
  }

  @Test
  void exactSolver_a1Rhopi_provesThePlanOptimal() {
    DiagramSet set = Channels.diagrams("a1_rhopi");
    CycleClasses classes =
        new CycleClasses(set, CycleClasses.used(set, OutputSum.of(set)), OPTIONS);
    assertTrue(BranchAndBound.needsAtLeast(classes, 21));
    assertFalse(BranchAndBound.needsAtLeast(classes, 22));
    assertEquals(21, Reducer.reduce(set, OPTIONS).products().size());
  }
}
