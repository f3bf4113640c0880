package org.starlingqcd.graph;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Orders of the elements and traces of a plan ({@link StepOrder}): a list of trace numbers {@code
 * t} and of elements {@code ~e} that are to be made before the next trace; what neither names is
 * made when it is needed. The problem is that of vertex separation on the graph whose edges are the
 * traces, with weights; greedy and search are heuristics.
 */
final class TraceOrdering {
  /** Elements up to which the greedy looks at all candidates at every step. */
  private static final int GREEDY_LIMIT = 1500;

  /** Element visits that the search may spend; a second or so. */
  private static final long SEARCH_VISITS = 60_000_000L;

  private static final long SEED = 2;

  private static final double[] PARTNER_WEIGHTS = {0, 0.006, 0.05, 0.3};

  private final StepGraph graph;
  private int @Nullable [] greedy;

  TraceOrdering(StepGraph graph) {
    this.graph = graph;
  }

  /** An order, or nothing for the given one. */
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
    // A trace comes with the later of its elements; backwards, with the earlier.
    int[] traces = Arrays.stream(graph.events(reversed)).filter(event -> event >= 0).toArray();
    int[] result = new int[traces.length];
    for (int k = 0; k < traces.length; k++) {
      result[k] = traces[traces.length - 1 - k];
    }
    return result;
  }

  /** The best of the greedy orders with different weights of new partners; found once. */
  private synchronized int[] greedy() {
    if (greedy == null) {
      int[] best = graph.vertices();
      if (best.length <= GREEDY_LIMIT) {
        long bestPeak = Long.MAX_VALUE;
        OrderSimulation simulation = new OrderSimulation(graph);
        for (int[] order : Concurrently.all(PARTNER_WEIGHTS.length, k -> greedy(weight(k)))) {
          long peak = simulation.peak(order);
          if (peak < bestPeak) {
            bestPeak = peak;
            best = order;
          }
        }
      }
      greedy = best;
    }
    return greedy;
  }

  private static double weight(int k) {
    return PARTNER_WEIGHTS[k];
  }

  /**
   * Next comes the vertex with the least bytes loaded or made less bytes freed; each partner that
   * it brings into play counts {@code weight} of an element. Ties go to the one that the given
   * order names first.
   */
  private int[] greedy(double weight) {
    int[] vertices = graph.vertices();
    int n = graph.size();
    boolean[] made = new boolean[n];
    boolean[] placed = new boolean[n];
    boolean[] inPlay = new boolean[n];
    int[] left = new int[n];
    for (int e = 0; e < n; e++) {
      left[e] = graph.uses(e);
    }
    Growth growth = new Growth(made, left);
    int[] result = new int[vertices.length];
    for (int k = 0; k < result.length; k++) {
      int best = -1;
      double least = Double.POSITIVE_INFINITY;
      for (int v : vertices) {
        if (placed[v]) {
          continue;
        }
        double cost = growth.of(v, placed);
        for (int u : graph.partners(v)) {
          cost += inPlay[u] || placed[u] ? 0 : weight * graph.bytes(u);
        }
        if (cost < least) {
          best = v;
          least = cost;
        }
      }
      result[k] = best;
      growth.commit(best, placed);
      for (int u : graph.partners(best)) {
        inPlay[u] = true;
      }
    }
    return result;
  }

  /** What placing a vertex does to the bytes resident. */
  private final class Growth {
    private final boolean[] made;
    private final int[] left;
    private final int[] used;
    private final boolean[] fresh;
    private int[] touched = new int[64];
    private int touchedCount;

    Growth(boolean[] made, int[] left) {
      this.made = made;
      this.left = left;
      used = new int[left.length];
      fresh = new boolean[left.length];
    }

    long of(int vertex, boolean[] placed) {
      long bytes = run(vertex, placed);
      for (int k = 0; k < touchedCount; k++) {
        int e = touched[k];
        if (used[e] == left[e]) {
          bytes -= graph.bytes(e);
        }
      }
      clear(false);
      return bytes;
    }

    void commit(int vertex, boolean[] placed) {
      run(vertex, placed);
      clear(true);
      placed[vertex] = true;
    }

    private long run(int vertex, boolean[] placed) {
      long bytes = make(vertex);
      for (int u : graph.partners(vertex)) {
        if (placed[u] || u == vertex) {
          use(vertex);
          if (u != vertex) {
            use(u);
          }
        }
      }
      return bytes;
    }

    private long make(int element) {
      if (made[element] || fresh[element]) {
        return 0;
      }
      touch(element);
      fresh[element] = true;
      long bytes = graph.bytes(element);
      for (int factor : graph.factors(element)) {
        bytes += make(factor);
        use(factor);
      }
      return bytes;
    }

    private void use(int element) {
      touch(element);
      used[element]++;
    }

    private void touch(int element) {
      if (used[element] == 0 && !fresh[element]) {
        if (touchedCount == touched.length) {
          touched = Arrays.copyOf(touched, 2 * touchedCount);
        }
        touched[touchedCount++] = element;
      }
    }

    private void clear(boolean commit) {
      for (int k = 0; k < touchedCount; k++) {
        int e = touched[k];
        if (commit) {
          left[e] -= used[e];
          made[e] |= fresh[e];
        }
        used[e] = 0;
        fresh[e] = false;
      }
      touchedCount = 0;
    }
  }

  /**
   * Moves runs of vertices to other places, some of them reversed, and keeps what does not raise
   * {@link OrderSimulation#crowding}. Begins with the greedy order or, if that is better, the one
   * in which the elements are named.
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

  /** Moves {@code length} places from {@code start} to {@code target}; the places between shift. */
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
