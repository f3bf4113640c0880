package org.starlingqcd.correlators.plan;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.schedule.PlanComparison;
import org.starlingqcd.graph.schedule.ResidencySimulation;

/**
 * What {@code starling plan --compare} adds to the counts of a plan: what each optimization saves,
 * what each order needs, and how far the plan can be from the optimum.
 */
public final class PlanDetails {
  private final ContractionPlan plan;
  private final DiagramSet diagrams;
  private final ReducerOptions options;

  /** Details of what a report is about. */
  public PlanDetails(PlanReport report) {
    plan = report.plan();
    diagrams = report.diagrams();
    options = report.options();
  }

  /**
   * Counts without each optimization, needs of each order, and the least number of products; the
   * keys are those of {@code starling plan --compare --json}.
   *
   * @param tensorSize number of eigenvectors N that bytes are reckoned with
   */
  public Map<String, Object> comparison(int tensorSize) {
    Map<String, Object> without = new LinkedHashMap<>();
    PlanComparison.variants(diagrams, options)
        .forEach(
            (name, variant) -> {
              Map<String, Object> counts = new LinkedHashMap<>();
              counts.put("initial_nodes", variant.nodes());
              counts.put("products", variant.products());
              counts.put("intermediates", variant.intermediates());
              counts.put("traces", variant.traces());
              without.put(name, counts);
            });
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("with_all_optimizations", without.remove("all"));
    all.put("with_none", without.remove("none"));
    all.put("without", without);
    all.put("lives_on", livesOn());
    all.put("trace_passes", tracePasses(tensorSize));
    all.put("products_lower_bound", PlanComparison.leastProducts(diagrams, options));
    all.put("orders", orders(tensorSize));
    return all;
  }

  /**
   * What is computed once for all separations, once for all sources, and for each pair of times.
   */
  private Map<String, Object> livesOn() {
    Map<String, Object> all = new LinkedHashMap<>();
    PlanComparison.timeShares(plan)
        .forEach(
            (what, share) -> {
              Map<String, Object> counts = new LinkedHashMap<>();
              counts.put("source_alone", share.source());
              counts.put("sink_alone", share.sink());
              counts.put("both", share.both());
              all.put(what, counts);
            });
    return all;
  }

  private Map<String, Object> tracePasses(int tensorSize) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (boolean blocks : new boolean[] {true, false}) {
      PlanComparison.TracePasses passes = PlanComparison.tracePasses(plan, tensorSize, blocks);
      Map<String, Object> counts = new LinkedHashMap<>();
      counts.put("passes", passes.passes());
      counts.put("bytes_read", passes.bytesRead());
      all.put(blocks ? "as_matrix_products" : "one_by_one", counts);
    }
    return all;
  }

  private Map<String, Object> orders(int tensorSize) {
    Map<String, Object> orders = new LinkedHashMap<>();
    PlanComparison.orders(diagrams, options, tensorSize)
        .forEach(
            (order, needs) -> {
              Map<String, Object> map = new LinkedHashMap<>();
              map.put("peak_bytes", needs.peakBytes());
              map.put("furthest_next_use", traffic(needs.atQuarter()));
              map.put("pre_protected_lru", traffic(needs.atQuarterLru()));
              orders.put(order.name().toLowerCase(Locale.ROOT), map);
            });
    return orders;
  }

  private static Map<String, Object> traffic(ResidencySimulation.Traffic traffic) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("evictions", traffic.evictions());
    map.put("bytes_to_device", traffic.loadedBytes());
    map.put("bytes_to_host", traffic.writtenBytes());
    return map;
  }
}
