package org.starlingqcd.memhc.retention;

/**
 * Free room at every step of a queue, as a segment tree: taking room over a range of steps, the
 * least room of a range and the step that has it are O(log steps).
 */
final class RoomTree {
  private final int leaves;

  /** Least room beneath a node, without what was taken from it and the nodes above. */
  private final long[] least;

  /** Room taken from all steps beneath a node. */
  private final long[] taken;

  RoomTree(UseIntervals uses) {
    int size = 1;
    while (size < uses.steps()) {
      size *= 2;
    }
    leaves = size;
    least = new long[2 * size];
    taken = new long[2 * size];
    for (int step = 0; step < size; step++) {
      least[size + step] = step < uses.steps() ? uses.room[step] : Long.MAX_VALUE / 2;
    }
    for (int node = size - 1; node > 0; node--) {
      least[node] = Math.min(least[2 * node], least[2 * node + 1]);
    }
  }

  /** Takes bytes from every step in [from, to). */
  void take(int from, int to, long bytes) {
    if (from < to) {
      take(1, 0, leaves, from, to, bytes);
    }
  }

  private void take(int node, int low, int high, int from, int to, long bytes) {
    if (from <= low && high <= to) {
      taken[node] += bytes;
      return;
    }
    int middle = (low + high) >>> 1;
    if (from < middle) {
      take(2 * node, low, middle, from, to, bytes);
    }
    if (to > middle) {
      take(2 * node + 1, middle, high, from, to, bytes);
    }
    least[node] =
        Math.min(least[2 * node] - taken[2 * node], least[2 * node + 1] - taken[2 * node + 1]);
  }

  /** Least free room of the steps in [from, to); unlimited if the range is empty. */
  long least(int from, int to) {
    return from < to ? least(1, 0, leaves, from, to) : Long.MAX_VALUE / 2;
  }

  private long least(int node, int low, int high, int from, int to) {
    if (from <= low && high <= to) {
      return least[node] - taken[node];
    }
    int middle = (low + high) >>> 1;
    long found = Long.MAX_VALUE / 2;
    if (from < middle) {
      found = least(2 * node, low, middle, from, to);
    }
    if (to > middle) {
      found = Math.min(found, least(2 * node + 1, middle, high, from, to));
    }
    return found - taken[node];
  }

  /** The first step in [from, to) with negative room, or -1. */
  int firstOverdrawn(int from, int to) {
    return from < to ? find(1, 0, leaves, from, to, 0, -1, false) : -1;
  }

  /** The last step in [from, to) with negative room, or -1. */
  int lastOverdrawn(int from, int to) {
    return from < to ? find(1, 0, leaves, from, to, 0, -1, true) : -1;
  }

  /** The first of the steps in [from, to) that have least room; there is one. */
  int scarcest(int from, int to) {
    return find(1, 0, leaves, from, to, 0, least(from, to), false);
  }

  /** The first or last step beneath a node and in [from, to) that has at most that room, or -1. */
  private int find(
      int node, int low, int high, int from, int to, long takenAbove, long room, boolean last) {
    long takenHere = takenAbove + taken[node];
    if (high <= from || to <= low || least[node] - takenHere > room) {
      return -1;
    }
    if (high - low == 1) {
      return low;
    }
    int middle = (low + high) >>> 1;
    if (last) {
      int found = find(2 * node + 1, middle, high, from, to, takenHere, room, true);
      return found >= 0 ? found : find(2 * node, low, middle, from, to, takenHere, room, true);
    }
    int found = find(2 * node, low, middle, from, to, takenHere, room, false);
    return found >= 0 ? found : find(2 * node + 1, middle, high, from, to, takenHere, room, false);
  }
}
