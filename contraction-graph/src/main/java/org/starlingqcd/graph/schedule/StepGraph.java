package org.starlingqcd.graph.schedule;

import com.google.common.primitives.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The data by which an order of contractions is judged, in flat arrays: the factors and the size of
 * every element, and the pairs of elements that meet in a trace. The elements that occur in traces
 * are the vertices of a graph whose edges are the traces. An order of the vertices gives an order
 * of the traces: when a vertex's turn comes, its element and the factors of that are made, and its
 * traces with all earlier vertices follow at once.
 */
final class StepGraph {
  private final long[] bytes;
  private final int[][] factors;
  private final int[] soleFactor;
  // Inputs of each step that makes an element.
  private final int[][][] terms;
  private final int[][] partners;
  private final int[][] partnerTraces;
  private final int[] vertices;
  private final int[] uses;

  StepGraph(BoundGraph graph, int extent) {
    int n = graph.elements().size();
    bytes = ElementSizes.bytes(graph.elements(), extent);
    factors = new int[n][];
    soleFactor = new int[n];
    terms = new int[n][][];
    uses = new int[n];
    for (int e = 0; e < n; e++) {
      List<Integer> all = new ArrayList<>();
      List<ExecutionQueue.Step> steps = graph.steps().get(e);
      terms[e] = new int[steps.size()][];
      for (int k = 0; k < steps.size(); k++) {
        List<Integer> inputs = new ArrayList<>();
        steps.get(k).forEachInput(inputs::add);
        terms[e][k] = Ints.toArray(inputs);
        all.addAll(inputs);
      }
      factors[e] = Ints.toArray(all);
      soleFactor[e] = factors[e].length == 1 ? factors[e][0] : -1;
      for (int factor : factors[e]) {
        uses[factor]++;
      }
    }
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
    vertices = Ints.toArray(order);
    partners = new int[n][];
    partnerTraces = new int[n][];
    for (int e = 0; e < n; e++) {
      partners[e] = Ints.toArray(partnerLists.get(e));
      partnerTraces[e] = Ints.toArray(traceLists.get(e));
      uses[e] += partners[e].length;
    }
  }

  private static void meet(
      List<List<Integer>> partnerLists, List<List<Integer>> traceLists, int a, int b, int t) {
    partnerLists.get(a).add(b);
    traceLists.get(a).add(t);
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

  /** The factors of each element; not to be changed. */
  int[][] factors() {
    return factors;
  }

  int[] factors(int element) {
    return factors[element];
  }

  /** The factor of an element that is made of one, by one step; -1 for any other. */
  int soleFactor(int element) {
    return soleFactor[element];
  }

  int[] partners(int element) {
    return partners[element];
  }

  /** The inputs of each step that makes an element; not to be changed. */
  int[][] terms(int element) {
    return terms[element];
  }

  /** Uses of an element by products and traces. */
  int uses(int element) {
    return uses[element];
  }

  /**
   * Turns an order of the vertices into events: {@code ~e} makes an element, t computes a trace.
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
}
