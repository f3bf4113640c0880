package org.starlingqcd.correlators.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.CostModel;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.PlanComparison;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.StepOrder;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.hadron.execute.QueueCost;

/**
 * What {@code starling plan --compare} adds to the counts of a plan: what each optimization saves,
 * what each order needs, and how far the plan can be from the optimum.
 */
public final class PlanDetails {
  private static final BoundTimes ONE_SEPARATION =
      new BoundTimes(4, List.of(0), List.of(1), List.of());

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

  /**
   * What the plan needs in every order for one source and one separation, contraction by
   * contraction (vectors of one). {@link StepOrder#GIVEN} is what the others are measured by: the
   * diagrams as they come, each trace on its own (a plan without accumulation) and no node built
   * again. Traffic is that at a quarter of its peak.
   */
  private Map<String, Object> orders(int tensorSize) {
    ContractionPlan separate = Reducer.reduce(diagrams, options.withAccumulation(false));
    QueueOptions queueOptions = new QueueOptions(1).withBudget(Long.MAX_VALUE, tensorSize);
    Map<String, Object> orders = new LinkedHashMap<>();
    long quarter = 0;
    for (StepOrder order : StepOrder.candidates(plan)) {
      boolean given = order == StepOrder.GIVEN;
      QueueOptions ordered = queueOptions.withOrder(order).withRebuildNodes(!given);
      ExecutionQueue queue = TimeBinding.bind(given ? separate : plan, ONE_SEPARATION, ordered);
      long peak = QueueCost.of(queue, tensorSize, Long.MAX_VALUE).peakBytes();
      if (given) {
        quarter = Math.max(1, peak / 4);
      } else {
        queue = TimeBinding.bind(plan, ONE_SEPARATION, ordered.withBudget(quarter, tensorSize));
      }
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("peak_bytes", peak);
      for (String policy : List.of(QueueCost.POLICY, "pre-protected-lru")) {
        map.put(
            policy.replace('-', '_'), traffic(QueueCost.of(queue, tensorSize, quarter, policy)));
      }
      orders.put(order.name().toLowerCase(Locale.ROOT), map);
    }
    return orders;
  }

  private static Map<String, Object> traffic(CostModel.Cost cost) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("evictions", cost.evictions());
    map.put("bytes_to_device", cost.bytesToDevice());
    map.put("bytes_to_host", cost.bytesToHost());
    return map;
  }
}
