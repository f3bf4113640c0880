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
   * The cost of placing a vertex depends on the elements that it needs, on their remaining uses, and on its partners. A tournament tree holds the costs. After each step it updates those that may have changed: the costs of vertices that need an element just made, of vertices that may now be the last to use an element, and of the partners of the vertex just placed. What is made just now is subtracted from the costs of those that need it. An element that has many uses left changes the cost of no vertex when one of them is gone; one with few left is followed to the elements not made yet that use it and to the vertices that need these. So the total time is proportional to the number of needs and meetings of all vertices, times a logarithm.
   */

  /** What has changed for a vertex: its partners in play or the inputs made. */
  private static final byte SUMS = 1;

  /** What has changed for a vertex: the uses that are left of elements it needs. */
  private static final byte USES = 2;

  private final StepGraph graph;
  private final VertexNeeds needs;
  private final int[] vertices;
  private final double weight;
  private final boolean[] made;
  private final boolean[] placed;
  private final boolean[] inPlay;
  private final int[] left;
  // Bytes of partners that are not yet active, by element.
  private final long[] idle;
  private final int[] used;
  private final boolean[] fresh;
  // Bytes of the elements whose last use the simulation has seen.
  private long freed;
  private int[] touched = new int[64];
  private int touchedCount;
  private final int leaves;
  private final double[] cost;
  // Bytes made less bytes freed when a vertex is placed next, valid unless its staleness is USES.
  private final long[] gain;
  private final byte[] stale;
  private int[] staleList = new int[64];
  private int staleCount;
  // Vertices whose gains are computed together, as lists that begin at their only factor.
  private final int[] firstOf;
  private final int[] nextOf;
  private int[] bases = new int[64];
  private int baseCount;

  private GreedyOrder(StepGraph graph, VertexNeeds needs, double weight) {
    this.graph = graph;
    this.needs = needs;
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
    gain = new long[n];
    stale = new byte[n];
    firstOf = new int[n];
    nextOf = new int[n];
    Arrays.fill(firstOf, -1);
    for (int e = 0; e < n; e++) {
      left[e] = graph.uses(e);
      for (int u : graph.partners(e)) {
        idle[e] += graph.bytes(u);
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
   * @param needs those of the graph's vertices
   * @param weight fraction of its size that a newly active partner adds to the cost
   */
  static Optional<int[]> of(StepGraph graph, VertexNeeds needs, double weight, long limitBytes) {
    return Optional.ofNullable(new GreedyOrder(graph, needs, weight).run(limitBytes));
  }

  private int @Nullable [] run(long limitBytes) {
    long resident = 0;
    for (int v : vertices) {
      markStale(v, USES);
    }
    refresh();
    int[] result = new int[vertices.length];
    for (int k = 0; k < result.length; k++) {
      result[k] = vertices[first()];
      resident += place(result[k]);
      if (resident > limitBytes) {
        return null;
      }
      refresh();
    }
    return result;
  }

  /** Computes the costs of the stale vertices. */
  private void refresh() {
    for (int j = 0; j < staleCount; j++) {
      int v = staleList[j];
      if (!placed[v]) {
        int base = stale[v] == USES ? base(v) : -1;
        if (base >= 0) {
          nextOf[v] = firstOf[base];
          if (firstOf[base] < 0) {
            bases = appended(bases, baseCount, base);
            baseCount++;
          }
          firstOf[base] = v;
        } else {
          gain[v] = stale[v] == USES ? gain(v) : gain[v];
          set(v);
        }
      }
      stale[v] = 0;
    }
    staleCount = 0;
    for (int j = 0; j < baseCount; j++) {
      gains(bases[j]);
      firstOf[bases[j]] = -1;
    }
    baseCount = 0;
  }

  /** The only factor of a vertex if both have yet to be made, or -1. */
  private int base(int vertex) {
    int factor = graph.soleFactor(vertex);
    return factor >= 0 && !made[vertex] && !made[factor] ? factor : -1;
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
    int at = leaves + needs.position(vertex);
    cost[at] = value;
    for (at >>= 1; at >= 1; at >>= 1) {
      double one = cost[2 * at];
      double other = cost[2 * at + 1];
      double least = one <= other ? one : other;
      if (cost[at] == least) {
        return;
      }
      cost[at] = least;
    }
  }

  private long gain(int vertex) {
    long bytes = run(vertex) - freed;
    clear();
    return bytes;
  }

  /** Computes the gains of listed vertices; what their only factor needs is simulated once. */
  private void gains(int base) {
    long bytes = make(base);
    int count = touchedCount;
    long freedBefore = freed;
    for (int v = firstOf[base]; v >= 0; v = nextOf[v]) {
      gain[v] = bytes + run(v) - freed;
      set(v);
      used[base]--;
      forEachMeeting(v, -1);
      fresh[v] = false;
      touchedCount = count;
      freed = freedBefore;
    }
    clear();
  }

  /** Places a vertex; returns the bytes made less those freed. */
  private long place(int vertex) {
    long bytes = run(vertex);
    for (int k = 0; k < touchedCount; k++) {
      int e = touched[k];
      left[e] -= used[e];
      bytes -= left[e] == 0 ? graph.bytes(e) : 0;
      if (fresh[e]) {
        for (int v : needs.dependents(e)) {
          gain[v] -= graph.bytes(e);
          markStale(v, SUMS);
        }
      }
      fewerLeft(e);
    }
    for (int k = 0; k < touchedCount; k++) {
      made[touched[k]] |= fresh[touched[k]];
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

  /**
   * Marks the vertices for which it counts that an element has fewer uses left: those that need it
   * for something that had not been made before this step, and those that meet it.
   */
  private void fewerLeft(int element) {
    if (needs.position(element) >= 0) {
      markStale(element, USES);
    }
    if (left[element] > needs.mostUses(element)) {
      return;
    }
    for (int consumer : needs.consumers(element)) {
      if (!made[consumer]) {
        for (int v : needs.dependents(consumer)) {
          markStale(v, USES);
        }
      }
    }
    for (int v : graph.partners(element)) {
      markStale(v, USES);
    }
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
      staleList = appended(staleList, staleCount, vertex);
      staleCount++;
    }
    stale[vertex] = (byte) Math.max(stale[vertex], change);
  }

  /**
   * Simulates making a vertex and meeting its partners; returns the bytes made. Those freed are
   * added to {@link #freed}.
   */
  private long run(int vertex) {
    long bytes = make(vertex);
    forEachMeeting(vertex, 1);
    return bytes;
  }

  /** Counts the traces of a vertex with partners that are placed, or takes them back. */
  private void forEachMeeting(int vertex, int change) {
    for (int u : graph.partners(vertex)) {
      if (placed[u] || u == vertex) {
        use(vertex, change);
        if (u != vertex) {
          use(u, change);
        }
      }
    }
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
      use(factor, 1);
    }
    return bytes;
  }

  private void use(int element, int change) {
    touch(element);
    used[element] += change;
    freed += used[element] == left[element] ? graph.bytes(element) : 0;
  }

  private void touch(int element) {
    if (used[element] == 0 && !fresh[element]) {
      touched = appended(touched, touchedCount, element);
      touchedCount++;
    }
  }

  private static int[] appended(int[] list, int count, int value) {
    int[] result = count == list.length ? Arrays.copyOf(list, 2 * count) : list;
    result[count] = value;
    return result;
  }

  private void clear() {
    for (int k = 0; k < touchedCount; k++) {
      used[touched[k]] = 0;
      fresh[touched[k]] = false;
    }
    touchedCount = 0;
    freed = 0;
  }
}
