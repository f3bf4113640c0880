package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Concurrently;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.Optimization;

/**
 * Puts a bound plan into an order and cuts it into vectors. The order is found once for the plan,
 * at one separation, and repeated for every source and separation. It is judged on two separations,
 * because elements that depend on the source alone stay resident from one to the next.
 */
final class Scheduling {
  /** Vector sizes tried, largest first. */
  private static final int[] VECTOR_SIZES = {16, 8, 4, 2, 1};

  /** Most lefts and most rights of a trace block. */
  private static final int BLOCK_SIDE = 16;

  /**
   * The most work to spend on building nodes again to stay within a budget, as a fraction of all
   * work.
   */
  private static final double REBUILD_FRACTION = 0.25;

  /**
   * The most work to spend on building nodes again to lower the peak where no budget is given, as a
   * fraction of all work.
   */
  private static final double TRIM_FRACTION = 0.01;

  /** Number of traces above which only orders of linear cost are tried. */
  static final int LARGE = 50_000;

  private static final BoundTimes ONE_SEPARATION =
      new BoundTimes(4, List.of(0), List.of(1), List.of());
  private static final BoundTimes TWO_SEPARATIONS =
      new BoundTimes(4, List.of(0), List.of(1, 2), List.of());

  private final ContractionPlan plan;
  private final PlanParts parts;
  private final QueueOptions options;
  private final CostModel costs;
  private final Map<StepOrder, int[]> orders = new ConcurrentHashMap<>();

  /** Costs of orders that were compared with the largest vectors. */
  private final Map<StepOrder, CostModel.Cost> widest = new ConcurrentHashMap<>();

  private @Nullable TraceOrdering ordering;
  private @Nullable BoundGraph single;

  Scheduling(ContractionPlan plan, QueueOptions options, CostModel costs) {
    this.plan = plan;
    parts = new PlanParts(plan, options);
    this.options = options;
    this.costs = costs;
  }

  /** The queue at given times. */
  ExecutionQueue queue(BoundTimes times) {
    StepOrder order = options.order();
    int vectorSize = options.vectorSize();
    if (order == StepOrder.AUTOMATIC) {
      order = bestOrder(vectorSize == QueueOptions.AUTOMATIC ? VECTOR_SIZES[0] : vectorSize);
    }
    if (vectorSize == QueueOptions.AUTOMATIC) {
      vectorSize = bestVectorSize(order);
    }
    return queue(times, order, vectorSize, true);
  }

  private boolean isBounded() {
    return options.budgetBytes() != Long.MAX_VALUE;
  }

  /** The queue in an order; one that is not final has no results. */
  private ExecutionQueue queue(BoundTimes times, StepOrder order, int vectorSize, boolean isFinal) {
    BoundGraph graph = TimeBinding.bind(parts, times, events(order), isFinal);
    List<ExecutionQueue.Step> steps = graph.orderedSteps();
    List<ExecutionQueue.Element> elements = graph.elements();
    if (options.uses(Optimization.NODE_REBUILDING) && (isBounded() || isFinal)) {
      NodeRebuilding.Rebuilt rebuilt =
          !isBounded()
              ? NodeRebuilding.lowestPeak(graph, steps, options.extent(), TRIM_FRACTION)
              : NodeRebuilding.apply(
                  graph, steps, options.extent(), options.budgetBytes(), REBUILD_FRACTION);
      steps = rebuilt.steps();
      elements = rebuilt.elements();
    }
    CurrentExpansion expansion = null;
    if (isFinal && !times.currents().vertices().isEmpty()) {
      expansion = new CurrentExpansion(graph, steps, elements, times);
      steps = expansion.steps();
      elements = expansion.elements();
    }
    int traces = expansion == null ? graph.traces().size() : expansion.traceCount();
    List<ExecutionQueue.Vector> vectors = VectorAssembly.assemble(steps, elements, vectorSize);
    int[] numbers = IntStream.range(0, traces).toArray();
    if (options.uses(Optimization.TRACE_BLOCKS)) {
      TraceBlocks blocks = new TraceBlocks(elements, traces, this::blockSide);
      vectors = blocks.merge(vectors);
      numbers = blocks.newNumbers();
    }
    List<ExecutionQueue.Result> results = List.of();
    if (isFinal) {
      results = expansion == null ? graph.results(numbers) : expansion.results(numbers);
    }
    return new ExecutionQueue(elements, vectors, traces, results);
  }

  private CostModel.Cost cost(StepOrder order, int vectorSize) {
    CostModel.Cost cost =
        costs.of(
            queue(TWO_SEPARATIONS, order, vectorSize, false),
            options.extent(),
            options.budgetBytes());
    if (vectorSize == VECTOR_SIZES[0]) {
      widest.put(order, cost);
    }
    return cost;
  }

  /** The first of the cheapest orders. */
  private StepOrder bestOrder(int vectorSize) {
    List<StepOrder> all = StepOrder.candidates(plan);
    List<int[]> events = all(all.size(), k -> events(all.get(k)));
    List<StepOrder> candidates = new ArrayList<>();
    for (int k = 0; k < all.size(); k++) {
      int[] own = events.get(k);
      if (events.subList(0, k).stream().noneMatch(other -> Arrays.equals(own, other))) {
        candidates.add(all.get(k));
      }
    }
    List<CostModel.Cost> found = all(candidates.size(), k -> cost(candidates.get(k), vectorSize));
    int best = 0;
    for (int k = 1; k < candidates.size(); k++) {
      best = found.get(k).isLessThan(found.get(best)) ? k : best;
    }
    return candidates.get(best);
  }

  /** The largest vector size that moves no more than the best does. */
  private int bestVectorSize(StepOrder order) {
    CostModel.Cost known = widest.get(order);
    if (!isBounded() || (known != null && known.peakBytes() <= options.budgetBytes())) {
      // Each input is copied once and nothing leaves, whatever the size.
      return VECTOR_SIZES[0];
    }
    List<Long> moved = all(VECTOR_SIZES.length, k -> cost(order, VECTOR_SIZES[k]).movedBytes());
    return VECTOR_SIZES[moved.indexOf(Collections.min(moved))];
  }

  /** Tries the choices in parallel, unless the queues are so large that memory would run short. */
  private <T> List<T> all(int count, IntFunction<T> trial) {
    return plan.traces().size() <= LARGE
        ? Concurrently.all(count, trial)
        : IntStream.range(0, count).mapToObj(trial).toList();
  }

  private int[] events(StepOrder order) {
    return order == StepOrder.GIVEN
        ? new int[0]
        : orders.computeIfAbsent(
            order,
            key -> {
              BoundGraph graph = single();
              int[] events = ordering().of(key, options.searchSteps());
              int[] result = new int[events.length];
              for (int k = 0; k < events.length; k++) {
                result[k] =
                    events[k] < 0
                        ? ~graph.planElements().get(~events[k])
                        : graph.planTraces().get(events[k]);
              }
              return result;
            });
  }

  /** The plan at one separation, which orders are found for. */
  private synchronized BoundGraph single() {
    if (single == null) {
      single = TimeBinding.bind(parts, ONE_SEPARATION, new int[0], false);
    }
    return single;
  }

  private synchronized TraceOrdering ordering() {
    if (ordering == null) {
      ordering =
          new TraceOrdering(new StepGraph(single(), options.extent()), options.budgetBytes());
    }
    return ordering;
  }

  /** A block pins all its elements: at most half of the budget. */
  private int blockSide(ExecutionQueue.Element left) {
    ExecutionQueue.Element like =
        ExecutionQueue.isPairs(left) ? left : new ExecutionQueue.Intermediate();
    long element = ElementSizes.bytes(like, options.extent());
    return (int) Math.max(1, Math.min(BLOCK_SIDE, options.budgetBytes() / element / 4));
  }
}
