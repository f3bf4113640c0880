package org.starlingqcd.graph.schedule;

import java.util.Arrays;

/**
 * The greedy order of a {@link StepGraph} by loads minus frees. The next vertex is the one with the
 * smallest difference of bytes loaded or made and bytes freed; each partner that it activates adds
 * a fraction of its size. Ties go to the vertex that is named first.
 */
final class GreedyOrder {
  /*
   * The cost of placing a vertex depends on the elements that it needs, on their remaining uses, and on its partners. A tournament tree holds the costs. After each step it updates those that may have changed: the costs of vertices that need an element just made, of vertices that need or meet an element with few uses left, and of the partners of the vertex just placed. Each element causes few such updates, so the total time is proportional to the number of needs and meetings of all vertices, times a logarithm.
   */

  private final StepGraph graph;
  private final int[] vertices;
  private final double weight;
  private final int[][] dependents;
  // The largest number of uses that one other vertex makes of an element.
  private final int[] mostUses;
  private final boolean[] made;
  private final boolean[] placed;
  private final boolean[] inPlay;
  private final int[] left;
  // Bytes of partners that are not yet active, by element.
  private final long[] idle;
  private final int[] used;
  private final boolean[] fresh;
  private int[] touched = new int[64];
  private int touchedCount;
  private final int[] position;
  private final int leaves;
  private final double[] cost;
  private final boolean[] stale;
  private int[] staleList = new int[64];
  private int staleCount;

  private GreedyOrder(StepGraph graph, double weight) {
    this.graph = graph;
    this.weight = weight;
    vertices = graph.vertices();
    int n = graph.size();
    made = new boolean[n];
    placed = new boolean[n];
    inPlay = new boolean[n];
    left = new int[n];
    idle = new long[n];
    used = new int[n];
    fresh = new boolean[n];
    position = new int[n];
    stale = new boolean[n];
    for (int e = 0; e < n; e++) {
      left[e] = graph.uses(e);
    }
    int[][] needs = new int[vertices.length][];
    int[] count = new int[n];
    mostUses = new int[n];
    for (int k = 0; k < vertices.length; k++) {
      int v = vertices[k];
      position[v] = k;
      make(v);
      for (int u : graph.partners(v)) {
        use(u);
        idle[v] += graph.bytes(u);
      }
      for (int j = 0; j < touchedCount; j++) {
        int e = touched[j];
        mostUses[e] = e == v ? mostUses[e] : Math.max(mostUses[e], used[e]);
      }
      needs[k] = Arrays.copyOf(touched, touchedCount);
      clear();
      for (int e : needs[k]) {
        count[e]++;
      }
    }
    dependents = new int[n][];
    for (int e = 0; e < n; e++) {
      dependents[e] = new int[count[e]];
    }
    for (int k = vertices.length - 1; k >= 0; k--) {
      for (int e : needs[k]) {
        dependents[e][--count[e]] = vertices[k];
      }
    }
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * vertices.length - 1)));
    cost = new double[2 * leaves];
    Arrays.fill(cost, Double.POSITIVE_INFINITY);
  }

  /**
   * The order of the vertices.
   *
   * @param weight fraction of its size that a newly active partner adds to the cost
   */
  static int[] of(StepGraph graph, double weight) {
    return new GreedyOrder(graph, weight).run();
  }

  private int[] run() {
    for (int v : vertices) {
      set(v, cost(v));
    }
    int[] result = new int[vertices.length];
    for (int k = 0; k < result.length; k++) {
      result[k] = vertices[first()];
      place(result[k]);
      for (int j = 0; j < staleCount; j++) {
        int v = staleList[j];
        stale[v] = false;
        if (!placed[v]) {
          set(v, cost(v));
        }
      }
      staleCount = 0;
    }
    return result;
  }

  /** The index of the least cost; the first one if several are equal. */
  private int first() {
    int at = 1;
    while (at < leaves) {
      at = cost[2 * at] <= cost[2 * at + 1] ? 2 * at : 2 * at + 1;
    }
    return at - leaves;
  }

  private void set(int vertex, double value) {
    int at = leaves + position[vertex];
    cost[at] = value;
    for (at >>= 1; at >= 1; at >>= 1) {
      cost[at] = Math.min(cost[2 * at], cost[2 * at + 1]);
    }
  }

  private double cost(int vertex) {
    long bytes = run(vertex);
    for (int k = 0; k < touchedCount; k++) {
      int e = touched[k];
      if (used[e] == left[e]) {
        bytes -= graph.bytes(e);
      }
    }
    clear();
    return bytes + weight * idle[vertex];
  }

  private void place(int vertex) {
    run(vertex);
    for (int k = 0; k < touchedCount; k++) {
      int e = touched[k];
      left[e] -= used[e];
      if (fresh[e] || left[e] <= mostUses[e]) {
        for (int v : dependents[e]) {
          markStale(v);
        }
      }
      made[e] |= fresh[e];
    }
    clear();
    placed[vertex] = true;
    set(vertex, Double.POSITIVE_INFINITY);
    bringIntoPlay(vertex);
    for (int u : graph.partners(vertex)) {
      markStale(u);
      bringIntoPlay(u);
    }
  }

  private void bringIntoPlay(int element) {
    if (!inPlay[element]) {
      inPlay[element] = true;
      for (int v : graph.partners(element)) {
        idle[v] -= graph.bytes(element);
        markStale(v);
      }
    }
  }

  private void markStale(int vertex) {
    if (!stale[vertex] && !placed[vertex]) {
      stale[vertex] = true;
      if (staleCount == staleList.length) {
        staleList = Arrays.copyOf(staleList, 2 * staleCount);
      }
      staleList[staleCount++] = vertex;
    }
  }

  /** Simulates making a vertex and meeting its partners; returns the bytes made. */
  private long run(int vertex) {
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

  private void clear() {
    for (int k = 0; k < touchedCount; k++) {
      used[touched[k]] = 0;
      fresh[touched[k]] = false;
    }
    touchedCount = 0;
  }
}
