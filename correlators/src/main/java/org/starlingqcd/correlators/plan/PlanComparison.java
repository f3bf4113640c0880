package org.starlingqcd.correlators.plan;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.Optimization;
import org.starlingqcd.graph.plan.PlanDraft;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.reduce.SharingBound;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.CostModel;
import org.starlingqcd.graph.schedule.ElementSizes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.StepOrder;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.hadron.execute.QueueCost;

/**
 * What {@code starling plan --compare} adds to the counts of a plan: what each optimization saves,
 * what each order needs, and how far the plan can be from the optimum. The keys of all maps are
 * those of its JSON.
 */
public final class PlanComparison {
  private static final BoundTimes ONE_SEPARATION =
      new BoundTimes(4, List.of(0), List.of(1), List.of());

  private final ContractionPlan plan;
  private final DiagramSet diagrams;
  private final ReducerOptions options;
  private final int tensorSize;

  /** Compares variants of the plan of a report. */
  public PlanComparison(PlanReport report) {
    this(report.diagrams(), report.plan(), report.options(), report.tensorSize());
  }

  /**
   * Compares variants of a plan.
   *
   * @param tensorSize number of eigenvectors N with which bytes are counted
   */
  PlanComparison(
      DiagramSet diagrams, ContractionPlan plan, ReducerOptions options, int tensorSize) {
    this.diagrams = diagrams;
    this.plan = plan;
    this.options = options;
    this.tensorSize = tensorSize;
  }

  /** Everything. */
  public Map<String, Object> describe() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("with_all_optimizations", countsWithout(Set.of()));
    all.put("with_none", countsWithout(Optimization.OF_THE_PLAN));
    Map<String, Object> without = new LinkedHashMap<>();
    for (Optimization one : Optimization.OF_THE_PLAN) {
      without.put(one.key(), countsWithout(EnumSet.of(one)));
    }
    all.put("without", without);
    all.put("lives_on", livesOn());
    Map<String, Object> passes = new LinkedHashMap<>();
    passes.put("as_matrix_products", tracePasses(Set.of()));
    passes.put("one_by_one", tracePasses(EnumSet.of(Optimization.TRACE_BLOCKS)));
    all.put("trace_passes", passes);
    all.put("products_lower_bound", SharingBound.products(diagrams, options));
    all.put("orders", orders());
    return all;
  }

  /** Counts of the plan with some optimizations left out. */
  Map<String, Integer> countsWithout(Set<Optimization> leftOut) {
    ContractionPlan without = Reducer.reduce(diagrams, options.without(leftOut));
    Map<String, Integer> counts = new LinkedHashMap<>();
    counts.put("initial_nodes", without.nodes().size());
    counts.put("products", without.products().size());
    counts.put("intermediates", without.intermediates());
    counts.put("traces", without.traces().size());
    return counts;
  }

  /**
   * How many nodes, products and traces are computed once for all separations, once for all
   * sources, and for each pair of times.
   */
  Map<String, Map<String, Integer>> livesOn() {
    int[] bits = new int[plan.elementCount()];
    int[] nodes = new int[4];
    int[] products = new int[4];
    int[] traces = new int[4];
    for (int k = 0; k < plan.nodes().size(); k++) {
      NodeRef node = plan.nodes().get(k);
      bits[k] = PlanDraft.bit(node.time()) | PlanDraft.bit(node.next());
      nodes[bits[k]]++;
    }
    // Pair blocks and spin sums are no products, and depend on both times.
    Arrays.fill(bits, plan.nodes().size(), bits.length, 3);
    plan.products().forEach(product -> bits[product.destination()] = 0);
    for (ContractionPlan.Product product : plan.products()) {
      int of = bits[product.left()] | bits[product.right()];
      products[of]++;
      bits[product.destination()] |= of;
    }
    for (ContractionPlan.Trace trace : plan.traces()) {
      boolean two = trace.right() != ContractionPlan.NONE;
      traces[bits[trace.left()] | (two ? bits[trace.right()] : 0)]++;
    }
    Map<String, Map<String, Integer>> all = new LinkedHashMap<>();
    all.put("nodes", shares(nodes));
    all.put("products", shares(products));
    all.put("traces", shares(traces));
    return all;
  }

  private static Map<String, Integer> shares(int[] counts) {
    Map<String, Integer> shares = new LinkedHashMap<>();
    shares.put("source_alone", counts[1]);
    shares.put("sink_alone", counts[2]);
    shares.put("both", counts[3]);
    return shares;
  }

  /** Matrix products or single traces at one separation, and the bytes that they read. */
  Map<String, Long> tracePasses(Set<Optimization> leftOut) {
    ExecutionQueue queue =
        TimeBinding.bind(
            plan,
            ONE_SEPARATION,
            new QueueOptions(
                QueueOptions.AUTOMATIC, StepOrder.SIBLING, Long.MAX_VALUE, tensorSize, leftOut));
    long count = 0;
    long[] read = {0};
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.Traces) {
          count++;
          step.forEachInput(
              element -> read[0] += ElementSizes.bytes(queue.elements().get(element), tensorSize));
        }
      }
    }
    Map<String, Long> passes = new LinkedHashMap<>();
    passes.put("passes", count);
    passes.put("bytes_read", read[0]);
    return passes;
  }

  /**
   * What the plan needs in every order for one source and one separation, contraction by
   * contraction (vectors of one). {@link StepOrder#GIVEN} is what the others are measured by: the
   * diagrams as they come, each trace on its own (a plan without accumulation) and no node built
   * again. Traffic is that at a quarter of its peak.
   */
  private Map<String, Object> orders() {
    ContractionPlan separate =
        Reducer.reduce(diagrams, options.without(EnumSet.of(Optimization.ACCUMULATION)));
    Map<String, Object> orders = new LinkedHashMap<>();
    long quarter = 0;
    for (StepOrder order : StepOrder.candidates(plan)) {
      boolean given = order == StepOrder.GIVEN;
      QueueOptions ordered =
          new QueueOptions(
              1,
              order,
              Long.MAX_VALUE,
              tensorSize,
              given ? EnumSet.of(Optimization.NODE_REBUILDING) : Set.of());
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
            policy.replace('-', '_'),
            traffic(QueueCost.of(queue, tensorSize, Precision.DOUBLE, quarter, policy)));
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
