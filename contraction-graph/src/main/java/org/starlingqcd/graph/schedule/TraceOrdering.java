package org.starlingqcd.graph.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Concurrently;

/**
 * Orders of the elements and traces of a plan ({@link StepOrder}): a list of trace numbers {@code
 * t} and of elements {@code ~e} to make before the next trace; any other element is made when it is
 * needed. The problem is that of vertex separation on the graph whose edges are the traces, with
 * weights; greedy and search are heuristics.
 */
final class TraceOrdering {
  /** Number of element visits that the search may spend; it takes about a second. */
  private static final long SEARCH_VISITS = 60_000_000L;

  private static final long SEED = 2;

  /** How much worse than the given order a greedy order may become before it is given up. */
  private static final double HOPELESS = 1.25;

  private static final double[] PARTNER_WEIGHTS = {0, 0.006, 0.05, 0.3};

  private final StepGraph graph;
  private final long budgetBytes;
  private int @Nullable [] greedy;

  /**
   * Orders for a graph.
   *
   * @param budgetBytes device memory, {@link Long#MAX_VALUE} for no bound
   */
  TraceOrdering(StepGraph graph, long budgetBytes) {
    this.graph = graph;
    this.budgetBytes = budgetBytes;
  }

  /** Returns an order, or nothing to keep the given one. */
  int[] of(StepOrder order, int searchSteps) {
    return switch (order) {
      case GIVEN, AUTOMATIC -> new int[0];
      case TREE -> trees();
      case SIBLING -> graph.events(graph.vertices());
      case GREEDY -> graph.events(greedy());
      case SEARCHED -> graph.events(searched(searchSteps));
    };
  }

  /** All traces of the first element, then those left of the second, and so on. */
  private int[] trees() {
    int[] reversed = graph.vertices().clone();
    for (int k = 0; k < reversed.length / 2; k++) {
      int swap = reversed[k];
      reversed[k] = reversed[reversed.length - 1 - k];
      reversed[reversed.length - 1 - k] = swap;
    }
    // Each trace follows the later of its two elements; backwards, the earlier.
    int[] traces = Arrays.stream(graph.events(reversed)).filter(event -> event >= 0).toArray();
    int[] result = new int[traces.length];
    for (int k = 0; k < traces.length; k++) {
      result[k] = traces[traces.length - 1 - k];
    }
    return result;
  }

  /**
   * The best of the greedy orders with different weights for newly active partners; computed once.
   * A greedy order is given up as soon as it needs {@link #HOPELESS} times as much memory as the
   * order in which the elements are named, if that one fits into the budget with room to spare.
   */
  private synchronized int[] greedy() {
    int[] best = greedy;
    if (best == null) {
      best = graph.vertices();
      long bestPeak = Long.MAX_VALUE;
      OrderSimulation simulation = new OrderSimulation(graph);
      long hopeless = (long) (HOPELESS * simulation.peak(best));
      long limit = budgetBytes < hopeless ? Long.MAX_VALUE : hopeless;
      VertexNeeds needs = new VertexNeeds(graph);
      List<Optional<int[]>> orders =
          Concurrently.all(
              PARTNER_WEIGHTS.length, k -> GreedyOrder.of(graph, needs, PARTNER_WEIGHTS[k], limit));
      for (Optional<int[]> order : orders) {
        long peak = order.map(simulation::peak).orElse(Long.MAX_VALUE);
        if (peak < bestPeak) {
          bestPeak = peak;
          best = order.orElseThrow();
        }
      }
      greedy = best;
    }
    return best;
  }

  /**
   * Moves runs of vertices to other positions, some of them reversed, and keeps moves that do not
   * raise {@link OrderSimulation#crowding}. Begins with the greedy order or, if that is better, the
   * one in which the elements are named.
   */
  private int[] searched(int steps) {
    OrderSimulation simulation = new OrderSimulation(graph);
    int[] start = greedy();
    if (simulation.peak(graph.vertices()) < simulation.peak(start)) {
      start = graph.vertices();
    }
    int n = start.length;
    if (n < 3) {
      return start;
    }
    long limit = Math.min(steps, SEARCH_VISITS / visits(start));
    SplittableRandom random = new SplittableRandom(SEED);
    simulation.begin(start);
    int[] trial = start.clone();
    for (long step = 0; step < limit; step++) {
      int length =
          random.nextInt(3) == 0 ? 1 + random.nextInt(Math.max(1, n / 4)) : 1 + random.nextInt(3);
      length = Math.min(length, n - 1);
      int from = random.nextInt(n - length + 1);
      int to = random.nextInt(n - length + 1);
      boolean reverse = random.nextInt(4) == 0;
      int first = Math.min(from, to);
      int end = Math.max(from, to) + length;
      move(simulation.order(), trial, from, length, to, reverse);
      if (!simulation.change(trial, first, end)) {
        System.arraycopy(simulation.order(), first, trial, first, end - first);
      }
    }
    return simulation.order();
  }

  private long visits(int[] order) {
    long visits = 1;
    for (int v : order) {
      visits += 4L + graph.partners(v).length;
    }
    return visits;
  }

  /**
   * Moves {@code length} positions from {@code start} to {@code target}; the positions between
   * shift.
   */
  private static void move(
      int[] from, int[] to, int start, int length, int target, boolean reverse) {
    if (target > start) {
      System.arraycopy(from, start + length, to, start, target - start);
    } else {
      System.arraycopy(from, target, to, target + length, start - target);
    }
    for (int k = 0; k < length; k++) {
      to[target + k] = from[start + (reverse ? length - 1 - k : k)];
    }
  }
}
