package org.starlingqcd.graph.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.graph.BranchAndBound;
import org.starlingqcd.graph.Channels;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.reduce.CycleClasses;
import org.starlingqcd.graph.reduce.Reducer;

@Tag("slow")
class PlanComparisonTest {
  private static final ReducerOptions OPTIONS = ReducerOptions.standard().withSearch(20_000, 1);

  @Test
  void variants_a1Rhopi_showWhatEachOptimizationSaves() {
    Map<String, PlanComparison.Variant> variants =
        PlanComparison.variants(Channels.diagrams("a1_rhopi"), OPTIONS);
    PlanComparison.Variant all = variants.get("all");
    assertEquals(6, variants.size());
    assertEquals(21, all.products());
    assertEquals(28, variants.get("gamma5_hermiticity").products());
    assertTrue(variants.get("end_gammas").products() >= all.products());
    assertTrue(variants.get("accumulation").traces() > all.traces());
    assertTrue(variants.get("accumulation").intermediates() > all.intermediates());
    assertTrue(variants.get("none").products() >= variants.get("end_gammas").products());
  }

  /** The bound proves the first three plans optimal, and the last right to two in a hundred. */
  @ParameterizedTest
  @CsvSource({"rho_pipi,20,20", "pipi_i2,199,199", "f0d2,207,207", "f0d4,419,429"})
  void leastProducts_isCloseToThePlan(String channel, int atLeast, int products) {
    DiagramSet set = Channels.diagrams(channel);
    long least = PlanComparison.leastProducts(set, OPTIONS);
    assertTrue(least >= atLeast && least <= products, "least=" + least);
    assertTrue(Reducer.reduce(set, OPTIONS).products().size() <= products);
  }

  @Test
  void exactSolver_a1Rhopi_provesThePlanOptimal() {
    DiagramSet set = Channels.diagrams("a1_rhopi");
    CycleClasses classes = PlanComparison.usedClasses(set, OPTIONS);
    assertTrue(BranchAndBound.needsAtLeast(classes, 21));
    assertFalse(BranchAndBound.needsAtLeast(classes, 22));
    assertEquals(21, Reducer.reduce(set, OPTIONS).products().size());
  }

  @Test
  void timeShares_f0d2_countWhatLivesWhere() {
    ContractionPlan plan = Reducer.reduce(Channels.diagrams("f0d2"), OPTIONS);
    Map<String, PlanComparison.TimeShare> shares = PlanComparison.timeShares(plan);
    PlanComparison.TimeShare nodes = shares.get("nodes");
    assertEquals(plan.nodes().size(), nodes.source() + nodes.sink() + nodes.both());
    assertTrue(nodes.source() > 0 && nodes.sink() > 0);
    PlanComparison.TimeShare products = shares.get("products");
    assertEquals(plan.products().size(), products.source() + products.sink() + products.both());
    PlanComparison.TimeShare traces = shares.get("traces");
    assertEquals(plan.traces().size(), traces.source() + traces.sink() + traces.both());
  }

  @Test
  void tracePasses_asMatrixProducts_readLess() {
    ContractionPlan plan = Reducer.reduce(Channels.diagrams("f0d2"), OPTIONS);
    PlanComparison.TracePasses single = PlanComparison.tracePasses(plan, 128, false);
    PlanComparison.TracePasses blocks = PlanComparison.tracePasses(plan, 128, true);
    assertEquals(plan.traces().size(), single.passes());
    assertTrue(2 * blocks.passes() < single.passes());
    assertTrue(blocks.bytesRead() < single.bytesRead());
  }
}
