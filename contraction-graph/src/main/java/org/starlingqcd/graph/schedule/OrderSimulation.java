package org.starlingqcd.graph.schedule;

import java.util.Arrays;

/**
 * Simulates orders of the vertices of a {@link StepGraph} in unbounded memory, freeing every
 * element after its last use. It evaluates a change of an order without simulating the whole order
 * again.
 */
final class OrderSimulation {
  /*
   * What is made and what is still needed after the first k vertices depends on the set of these vertices, not on their order. An order that differs from the current one only at positions from … to - 1 is therefore simulated only there: the simulation begins at the last checkpoint before them, and everything after them is unchanged. It stops as soon as the new order is worse.
   */

  /** Number of parts between checkpoints. */
  private static final int CHECKPOINTS = 32;

  /** Set in the state of an element that has been made. */
  private static final int MADE = 1 << 31;

  /** Sums of a few thousand terms in another order differ by less than this. */
  private static final double ROUNDING = 1e-12;

  private final StepGraph graph;
  private final double scale;
  private final long[] bytes;
  // The partners of element e are partners[firstPartner[e] … firstPartner[e + 1] - 1].
  private final int[] firstPartner;
  private final int[] partners;
  // Remaining uses of each element, and whether it has been made.
  private final int[] state;
  private final int[] place;
  private long resident;
  private long peak;
  private double crowding;
  // The current order: the crowding before each position, and the state at every stride-th
  // position.
  private int[] order = new int[0];
  private double[] crowdingBefore = new double[0];
  private int stride;
  private int[][] states = new int[0][];
  private long[] residentAt = new long[0];

  OrderSimulation(StepGraph graph) {
    this.graph = graph;
    int n = graph.size();
    state = new int[n];
    place = new int[n];
    bytes = new long[n];
    firstPartner = new int[n + 1];
    long largest = 1;
    for (int e = 0; e < n; e++) {
      bytes[e] = graph.bytes(e);
      largest = Math.max(largest, bytes[e]);
      firstPartner[e + 1] = firstPartner[e] + graph.partners(e).length;
    }
    partners = new int[firstPartner[n]];
    for (int e = 0; e < n; e++) {
      int[] own = graph.partners(e);
      System.arraycopy(own, 0, partners, firstPartner[e], own.length);
    }
    // Scales sizes so that their eighth powers do not overflow.
    scale = 1.0 / largest / 64;
  }

  /** The most bytes resident at once in an order. */
  long peak(int[] vertices) {
    start(vertices);
    for (int k = 0; k < vertices.length; k++) {
      step(vertices[k], k);
    }
    return peak;
  }

  private void start(int[] vertices) {
    for (int e = 0; e < state.length; e++) {
      state[e] = graph.uses(e);
    }
    Arrays.fill(place, Integer.MAX_VALUE);
    for (int k = 0; k < vertices.length; k++) {
      place[vertices[k]] = k;
    }
    resident = 0;
    peak = 0;
    crowding = 0;
  }

  /** Makes an order the current one; returns its {@link #crowding}. */
  double begin(int[] vertices) {
    order = vertices.clone();
    int n = order.length;
    stride = Math.max(1, (n + CHECKPOINTS - 1) / CHECKPOINTS);
    crowdingBefore = new double[n + 1];
    states = new int[n / stride + 1][];
    residentAt = new long[states.length];
    start(order);
    for (int k = 0; k < n; k++) {
      keep(k);
      step(order[k], k);
    }
    crowdingBefore[n] = crowding;
    return crowding;
  }

  private void keep(int k) {
    crowdingBefore[k] = crowding;
    if (k % stride == 0) {
      int[] kept = states[k / stride];
      if (kept == null) {
        kept = new int[state.length];
        states[k / stride] = kept;
      }
      System.arraycopy(state, 0, kept, 0, kept.length);
      residentAt[k / stride] = resident;
    }
  }

  private int restore(int k) {
    int checkpoint = k / stride;
    System.arraycopy(states[checkpoint], 0, state, 0, state.length);
    resident = residentAt[checkpoint];
    crowding = crowdingBefore[checkpoint * stride];
    return checkpoint * stride;
  }

  /** The current order; not to be changed. */
  int[] order() {
    return order;
  }

  /**
   * The crowding of the current order: the sum, over all times when an element is made, of the
   * eighth power of the bytes resident. It ranks orders as the peak does, but changes more
   * smoothly.
   */
  double crowding() {
    return crowdingBefore[order.length];
  }

  /**
   * Replaces positions {@code from … to - 1} of the current order by those of another one, unless
   * that raises {@link #crowding}.
   *
   * @param trial an order that differs from the current one at these positions only
   */
  boolean change(int[] trial, int from, int to) {
    for (int k = from; k < to; k++) {
      place[trial[k]] = k;
    }
    double limit = crowdingBefore[to] + ROUNDING * crowding();
    int k = restore(from);
    while (k < to && crowding <= limit) {
      step(trial[k], k);
      k++;
    }
    if (crowding > limit) {
      for (int j = from; j < to; j++) {
        place[order[j]] = j;
      }
      return false;
    }
    System.arraycopy(trial, from, order, from, to - from);
    double change = crowding - crowdingBefore[to];
    for (k = restore(from); k < to; k++) {
      if (k > from) {
        keep(k);
      }
      step(order[k], k);
    }
    for (k = to; k <= order.length; k++) {
      crowdingBefore[k] += change;
    }
    return true;
  }

  private void step(int vertex, int at) {
    make(vertex);
    int[] places = place;
    int[] all = partners;
    int met = 0;
    int end = firstPartner[vertex + 1];
    for (int k = firstPartner[vertex]; k < end; k++) {
      int u = all[k];
      if (places[u] <= at) {
        met++;
        if (u != vertex) {
          use(u);
        }
      }
    }
    if (met > 0) {
      state[vertex] -= met - 1;
      use(vertex);
    }
  }

  private void make(int element) {
    if (state[element] < 0) {
      return;
    }
    state[element] |= MADE;
    int sole = graph.soleFactor(element);
    if (sole >= 0) {
      if (state[sole] >= 0) {
        make(sole);
      }
      settle(element);
      use(sole);
      return;
    }
    int[][] terms = graph.terms(element);
    if (terms.length == 0) {
      settle(element);
    }
    for (int k = 0; k < terms.length; k++) {
      for (int factor : terms[k]) {
        if (state[factor] >= 0) {
          make(factor);
        }
      }
      if (k == 0) {
        settle(element);
      }
      for (int factor : terms[k]) {
        use(factor);
      }
    }
  }

  private void settle(int element) {
    resident += bytes[element];
    if (resident > peak) {
      peak = resident;
    }
    double share = resident * scale;
    share *= share;
    share *= share;
    crowding += share * share;
  }

  private void use(int element) {
    // Removes one use; the highest bit, which says that the element is made, stays.
    if (--state[element] == MADE) {
      resident -= bytes[element];
    }
  }
}
