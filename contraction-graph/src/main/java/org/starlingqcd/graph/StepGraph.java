package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What an order of contractions is judged by, in flat arrays: the factors and the size of every
 * element, and which elements meet in a trace. The elements that occur in traces are the vertices
 * of a graph whose edges are the traces; an order of the vertices gives an order of the traces: an
 * element is made, with what it is made of, when its turn comes, and its traces with all earlier
 * ones follow at once.
 */
final class StepGraph {
  private final long[] bytes;
  private final int[][] factors;
  // Inputs of each step that makes an element.
  private final int[][][] terms;
  private final int[][] partners;
  private final int[][] partnerTraces;
  private final int[] vertices;
  private final int[] uses;
  // Scratch of the simulations.
  private final int[] left;
  private final boolean[] made;
  private final boolean[] placed;
  private long resident;
  private long peak;
  private double crowding;
  private double scale;

  StepGraph(BoundGraph graph, int extent) {
    int n = graph.elements().size();
    bytes = ElementSizes.bytes(graph.elements(), extent);
    factors = new int[n][];
    terms = new int[n][][];
    uses = new int[n];
    for (int e = 0; e < n; e++) {
      List<Integer> all = new ArrayList<>();
      List<ExecutionQueue.Step> steps = graph.steps().get(e);
      terms[e] = new int[steps.size()][];
      for (int k = 0; k < steps.size(); k++) {
        List<Integer> inputs = new ArrayList<>();
        steps.get(k).forEachInput(inputs::add);
        terms[e][k] = ints(inputs);
        all.addAll(inputs);
      }
      factors[e] = ints(all);
      for (int factor : factors[e]) {
        uses[factor]++;
      }
    }
    // Keeps the eighth powers in range.
    scale = 1.0 / Math.max(1, bytes.length == 0 ? 1 : Arrays.stream(bytes).max().getAsLong()) / 64;
    List<List<Integer>> partnerLists = new ArrayList<>();
    List<List<Integer>> traceLists = new ArrayList<>();
    for (int e = 0; e < n; e++) {
      partnerLists.add(new ArrayList<>(0));
      traceLists.add(new ArrayList<>(0));
    }
    boolean[] seen = new boolean[n];
    List<Integer> order = new ArrayList<>();
    for (int t = 0; t < graph.traces().size(); t++) {
      ExecutionQueue.Traces trace = graph.traces().get(t);
      int a = trace.lefts().get(0);
      int b = trace.rights().isEmpty() ? a : trace.rights().get(0);
      meet(partnerLists, traceLists, a, b, t);
      if (a != b) {
        meet(partnerLists, traceLists, b, a, t);
      }
      for (int e : new int[] {a, b}) {
        if (!seen[e]) {
          seen[e] = true;
          order.add(e);
        }
      }
    }
    vertices = ints(order);
    partners = new int[n][];
    partnerTraces = new int[n][];
    for (int e = 0; e < n; e++) {
      partners[e] = ints(partnerLists.get(e));
      partnerTraces[e] = ints(traceLists.get(e));
      uses[e] += partners[e].length;
    }
    left = new int[n];
    made = new boolean[n];
    placed = new boolean[n];
  }

  private static void meet(
      List<List<Integer>> partnerLists, List<List<Integer>> traceLists, int a, int b, int t) {
    partnerLists.get(a).add(b);
    traceLists.get(a).add(t);
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The vertices in the order in which the given traces name them; not to be changed. */
  int[] vertices() {
    return vertices;
  }

  int size() {
    return bytes.length;
  }

  long bytes(int element) {
    return bytes[element];
  }

  int[] factors(int element) {
    return factors[element];
  }

  int[] partners(int element) {
    return partners[element];
  }

  /** Uses of an element by products and traces. */
  int uses(int element) {
    return uses[element];
  }

  /**
   * What an order of the vertices says is to be done: {@code ~e} makes an element, t is a trace.
   */
  int[] events(int[] order) {
    boolean[] there = new boolean[bytes.length];
    int[] events = new int[bytes.length + 64];
    int n = 0;
    for (int v : order) {
      there[v] = true;
      if (n + partners[v].length + 1 > events.length) {
        events = Arrays.copyOf(events, 2 * n + partners[v].length + 1);
      }
      events[n++] = ~v;
      for (int k = 0; k < partners[v].length; k++) {
        if (there[partners[v][k]]) {
          events[n++] = partnerTraces[v][k];
        }
      }
    }
    return Arrays.copyOf(events, n);
  }

  /**
   * Runs an order of the vertices with memory without bound; everything is freed after its last
   * use. Answers with the peak in bytes; {@link #crowding} tells more.
   */
  long simulate(int[] order) {
    System.arraycopy(uses, 0, left, 0, uses.length);
    Arrays.fill(made, false);
    Arrays.fill(placed, false);
    resident = 0;
    peak = 0;
    crowding = 0;
    for (int v : order) {
      make(v);
      placed[v] = true;
      for (int u : partners[v]) {
        if (placed[u]) {
          use(v);
          if (u != v) {
            use(u);
          }
        }
      }
    }
    return peak;
  }

  /**
   * Sum of the eighth powers of the bytes resident whenever an element was made, in the order
   * simulated last: as good as the peak to tell orders apart, and smoother.
   */
  double crowding() {
    return crowding;
  }

  private void make(int element) {
    if (made[element]) {
      return;
    }
    made[element] = true;
    boolean first = true;
    for (int[] inputs : terms[element]) {
      for (int factor : inputs) {
        make(factor);
      }
      if (first) {
        settle(element);
        first = false;
      }
      for (int factor : inputs) {
        use(factor);
      }
    }
    if (first) {
      settle(element);
    }
  }

  private void settle(int element) {
    resident += bytes[element];
    peak = Math.max(peak, resident);
    double share = resident * scale;
    share *= share;
    share *= share;
    crowding += share * share;
  }

  private void use(int element) {
    if (--left[element] == 0) {
      resident -= bytes[element];
    }
  }
}
