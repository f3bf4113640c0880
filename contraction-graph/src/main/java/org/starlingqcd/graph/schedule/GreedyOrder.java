package org.starlingqcd.graph.schedule;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The greedy order of a {@link StepGraph} by loads minus frees. The next vertex is the one with the
 * smallest difference of bytes loaded or made and bytes freed; each partner that it activates adds
 * a fraction of its size. Ties go to the vertex that is named first.
 */
final class GreedyOrder {
  /*
   * The cost of placing a vertex depends on the elements that it needs, on their remaining uses, and on its partners. A tournament tree holds the costs. After each step it updates those that may have changed: the costs of vertices that need an element just made, of vertices that may now be the last to use an element, and of the partners of the vertex just placed. What is made just now is subtracted from the costs of those that need it. Each element causes few such updates, so the total time is proportional to the number of needs and meetings of all vertices, times a logarithm.
   */

  /** What has changed for a vertex: its partners in play or the inputs made. */
  private static final byte SUMS = 1;

  /** What has changed for a vertex: the uses that are left of elements it needs. */
  private static final byte USES = 2;

  private final StepGraph graph;
  private final int[] vertices;
  private final double weight;
  // The vertices that use an element when they are placed, and the most uses that each makes of it.
  private final int[][] users;
  private final int[][] mostUses;
  private final int[] largest;
  // The vertices that an element is made for.
  private final int[][] dependents;
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
  // Bytes made less bytes freed when a vertex is placed next, valid unless its staleness is USES.
  private final long[] gain;
  private final byte[] stale;
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
    gain = new long[n];
    stale = new byte[n];
    for (int e = 0; e < n; e++) {
      left[e] = graph.uses(e);
    }
    int[][] needs = new int[vertices.length][];
    int[][] needUses = new int[vertices.length][];
    int[] closures = new int[vertices.length];
    int[] count = new int[n];
    int[] makers = new int[n];
    for (int k = 0; k < vertices.length; k++) {
      int v = vertices[k];
      position[v] = k;
      make(v);
      closures[k] = touchedCount;
      for (int u : graph.partners(v)) {
        use(u);
        idle[v] += graph.bytes(u);
      }
      needs[k] = Arrays.copyOf(touched, touchedCount);
      needUses[k] = new int[touchedCount];
      for (int j = 0; j < touchedCount; j++) {
        int e = touched[j];
        needUses[k][j] = used[e];
        count[e]++;
        makers[e] += j < closures[k] ? 1 : 0;
      }
      clear();
    }
    users = new int[n][];
    mostUses = new int[n][];
    largest = new int[n];
    dependents = new int[n][];
    for (int e = 0; e < n; e++) {
      users[e] = new int[count[e]];
      mostUses[e] = new int[count[e]];
      dependents[e] = new int[makers[e]];
    }
    for (int k = vertices.length - 1; k >= 0; k--) {
      for (int j = 0; j < needs[k].length; j++) {
        int e = needs[k][j];
        users[e][--count[e]] = vertices[k];
        int most = e == vertices[k] ? graph.partners(e).length : needUses[k][j];
        mostUses[e][count[e]] = most;
        largest[e] = Math.max(largest[e], most);
        if (j < closures[k]) {
          dependents[e][--makers[e]] = vertices[k];
        }
      }
    }
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * vertices.length - 1)));
    cost = new double[2 * leaves];
    Arrays.fill(cost, Double.POSITIVE_INFINITY);
  }

  /**
   * The order of the vertices, or nothing if more bytes than a limit stay resident after one of
   * them.
   *
   * @param weight fraction of its size that a newly active partner adds to the cost
   */
  static Optional<int[]> of(StepGraph graph, double weight, long limitBytes) {
    return Optional.ofNullable(new GreedyOrder(graph, weight).run(limitBytes));
  }

  private int @Nullable [] run(long limitBytes) {
    long resident = 0;
    for (int v : vertices) {
      gain[v] = gain(v);
      set(v);
    }
    int[] result = new int[vertices.length];
    for (int k = 0; k < result.length; k++) {
      result[k] = vertices[first()];
      resident += place(result[k]);
      if (resident > limitBytes) {
        return null;
      }
      for (int j = 0; j < staleCount; j++) {
        int v = staleList[j];
        if (!placed[v]) {
          gain[v] = stale[v] == USES ? gain(v) : gain[v];
          set(v);
        }
        stale[v] = 0;
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

  private void set(int vertex) {
    set(vertex, gain[vertex] + weight * idle[vertex]);
  }

  private void set(int vertex, double value) {
    int at = leaves + position[vertex];
    cost[at] = value;
    for (at >>= 1; at >= 1; at >>= 1) {
      cost[at] = Math.min(cost[2 * at], cost[2 * at + 1]);
    }
  }

  private long gain(int vertex) {
    long bytes = run(vertex);
    for (int k = 0; k < touchedCount; k++) {
      int e = touched[k];
      if (used[e] == left[e]) {
        bytes -= graph.bytes(e);
      }
    }
    clear();
    return bytes;
  }

  /** Places a vertex; returns the bytes made less those freed. */
  private long place(int vertex) {
    long bytes = run(vertex);
    for (int k = 0; k < touchedCount; k++) {
      int e = touched[k];
      left[e] -= used[e];
      bytes -= left[e] == 0 ? graph.bytes(e) : 0;
      if (fresh[e]) {
        for (int v : dependents[e]) {
          gain[v] -= graph.bytes(e);
          markStale(v, SUMS);
        }
      }
      if (left[e] <= largest[e]) {
        for (int j = 0; j < users[e].length; j++) {
          if (mostUses[e][j] >= left[e]) {
            markStale(users[e][j], USES);
          }
        }
      }
      made[e] |= fresh[e];
    }
    clear();
    placed[vertex] = true;
    set(vertex, Double.POSITIVE_INFINITY);
    bringIntoPlay(vertex);
    for (int u : graph.partners(vertex)) {
      markStale(u, USES);
      bringIntoPlay(u);
    }
    return bytes;
  }

  private void bringIntoPlay(int element) {
    if (!inPlay[element]) {
      inPlay[element] = true;
      for (int v : graph.partners(element)) {
        idle[v] -= graph.bytes(element);
        markStale(v, SUMS);
      }
    }
  }

  private void markStale(int vertex, byte change) {
    if (placed[vertex]) {
      return;
    }
    if (stale[vertex] == 0) {
      if (staleCount == staleList.length) {
        staleList = Arrays.copyOf(staleList, 2 * staleCount);
      }
      staleList[staleCount++] = vertex;
    }
    stale[vertex] = (byte) Math.max(stale[vertex], change);
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
