package org.starlingqcd.correlators.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.Optimization;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.wick.WickContraction;

@Tag("slow")
class PlanComparisonTest {
  private static final ReducerOptions OPTIONS =
      new ReducerOptions(Set.of(), Set.of(), false, 20_000, 1);

  private final DiagramSet set = WickContraction.contract(List.of(Engine.definition("f0d2")));
  private final ContractionPlan plan = Reducer.reduce(set, OPTIONS);
  private final PlanComparison comparison = new PlanComparison(set, plan, OPTIONS, 128);

  @Test
  void countsWithout_a1Rhopi_showWhatEachOptimizationSaves() {
    DiagramSet a1 = WickContraction.contract(List.of(Engine.definition("a1_rhopi")));
    PlanComparison variants = new PlanComparison(a1, Reducer.reduce(a1, OPTIONS), OPTIONS, 128);
    Map<String, Integer> all = variants.countsWithout(Set.of());
    assertEquals(21, all.get("products"));
    assertEquals(
        28, variants.countsWithout(Set.of(Optimization.GAMMA5_HERMITICITY)).get("products"));
    int withoutEnds = variants.countsWithout(Set.of(Optimization.END_GAMMAS)).get("products");
    assertTrue(withoutEnds >= all.get("products"));
    assertTrue(variants.countsWithout(Optimization.OF_THE_PLAN).get("products") >= withoutEnds);
    Map<String, Integer> separate = variants.countsWithout(Set.of(Optimization.ACCUMULATION));
    assertTrue(separate.get("traces") > all.get("traces"));
    assertTrue(separate.get("intermediates") > all.get("intermediates"));
  }

  @Test
  void livesOn_f0d2_countsEverythingOnce() {
    Map<String, Map<String, Integer>> shares = comparison.livesOn();
    assertEquals(plan.nodes().size(), sum(shares, "nodes"));
    assertEquals(plan.products().size(), sum(shares, "products"));
    assertEquals(plan.traces().size(), sum(shares, "traces"));
    assertTrue(shares.get("nodes").get("source_alone") > 0);
    assertTrue(shares.get("nodes").get("sink_alone") > 0);
  }

  private static int sum(Map<String, Map<String, Integer>> shares, String what) {
    return shares.get(what).values().stream().mapToInt(count -> count).sum();
  }

  @Test
  void tracePasses_asMatrixProducts_readLess() {
    Map<String, Long> single = comparison.tracePasses(Set.of(Optimization.TRACE_BLOCKS));
    Map<String, Long> blocks = comparison.tracePasses(Set.of());
    assertEquals(plan.traces().size(), single.get("passes"));
    assertTrue(2 * blocks.get("passes") < single.get("passes"));
    assertTrue(blocks.get("bytes_read") < single.get("bytes_read"));
  }
}
