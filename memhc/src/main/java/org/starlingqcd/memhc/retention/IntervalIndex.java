package org.starlingqcd.memhc.retention;

import java.util.function.IntConsumer;

/**
 * Finds the intervals that overlap a range of steps: a tree over the intervals, ordered by their
 * beginning, with the latest end beneath every node. O(log intervals) for each interval found.
 */
final class IntervalIndex {
  private final UseIntervals uses;
  private final int[] byBegin;

  /** The first index in {@code byBegin} of an interval that begins at each step or later. */
  private final int[] firstAt;

  private final int leaves;
  private final int[] latestEnd;

  IntervalIndex(UseIntervals uses) {
    this.uses = uses;
    int count = uses.count();
    firstAt = new int[uses.steps() + 2];
    for (int k = 0; k < count; k++) {
      firstAt[uses.from[k] + 1]++;
    }
    for (int step = 0; step <= uses.steps(); step++) {
      firstAt[step + 1] += firstAt[step];
    }
    byBegin = new int[count];
    int[] next = firstAt.clone();
    for (int k = 0; k < count; k++) {
      byBegin[next[uses.from[k]]++] = k;
    }
    int size = 1;
    while (size < count) {
      size *= 2;
    }
    leaves = size;
    latestEnd = new int[2 * size];
    for (int at = 0; at < count; at++) {
      latestEnd[size + at] = uses.to[byBegin[at]];
    }
    for (int node = size - 1; node > 0; node--) {
      latestEnd[node] = Math.max(latestEnd[2 * node], latestEnd[2 * node + 1]);
    }
  }

  /** Visits every interval that takes room at a step in [begin, end). */
  void forEachMeeting(int begin, int end, IntConsumer found) {
    if (begin < end) {
      // An interval takes room after its first step and before its last.
      visit(1, 0, leaves, firstAt[Math.min(end - 1, uses.steps())], begin, found);
    }
  }

  private void visit(int node, int low, int high, int before, int begin, IntConsumer found) {
    if (low >= before || latestEnd[node] <= begin) {
      return;
    }
    if (high - low == 1) {
      found.accept(byBegin[low]);
      return;
    }
    int middle = (low + high) >>> 1;
    visit(2 * node, low, middle, before, begin, found);
    visit(2 * node + 1, middle, high, before, begin, found);
  }
}
