package org.starlingqcd.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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

  @Test
  void leastProducts_isBelowThePlan() {
    DiagramSet set = Channels.diagrams("pipi_i2");
    long least = PlanComparison.leastProducts(set, OPTIONS);
    assertTrue(least > 100 && least <= 199, "least=" + least);
  }

  @Test
  void orders_f0d2_searchedNeedsLeast() {
    Map<StepOrder, PlanComparison.OrderNeeds> orders =
        PlanComparison.orders(Channels.diagrams("f0d2"), OPTIONS, 128);
    PlanComparison.OrderNeeds given = orders.get(StepOrder.GIVEN);
    PlanComparison.OrderNeeds searched = orders.get(StepOrder.SEARCHED);
    assertEquals(5, orders.size());
    assertTrue(searched.peakBytes() < orders.get(StepOrder.GREEDY).peakBytes());
    assertTrue(given.peakBytes() > 2.1 * searched.peakBytes());
    assertTrue(given.atQuarterLru().evictions() > 4.2 * searched.atQuarter().evictions());
    assertTrue(given.atQuarter().movedBytes() <= given.atQuarterLru().movedBytes());
  }
}
