package org.starlingqcd.memhc.policy;

import java.util.Arrays;

/**
 * Elements ordered by rank, the first to evict on top; among equal ranks the one that was ranked
 * first. A binary heap that knows the slot of every element: O(log n) to add, remove and change,
 * O(1) to read the top.
 */
final class RankedElements {
  private static final int MOST_UNSEEN = 64;

  private final boolean resting;

  private int[] heap = new int[16];
  private int[] slot = new int[0];
  private long[] rank = new long[0];
  private long[] stamp = new long[0];
  private int[] aside = new int[8];
  private int size;

  /** Changes since somebody looked at the top. */
  private int unseen;

  private long now;

  /** Elements whose heap is in order at any time. */
  RankedElements() {
    this(false);
  }

  /**
   * No elements.
   *
   * @param resting whether the heap may be out of order while nobody has looked at the top for
   *     long, because everything fits: changes then take O(1) and the next look O(n)
   */
  RankedElements(boolean resting) {
    this.resting = resting;
  }

  int size() {
    return size;
  }

  boolean contains(int element) {
    return element < slot.length && slot[element] >= 0;
  }

  long rank(int element) {
    return rank[element];
  }

  int get(int k) {
    return heap[k];
  }

  /** Adds an element, or gives it a new rank; higher ranks leave first. */
  void put(int element, long newRank) {
    if (element >= slot.length) {
      int from = slot.length;
      int length = Math.max(element + 1, Math.max(16, 2 * from));
      slot = Arrays.copyOf(slot, length);
      Arrays.fill(slot, from, length, -1);
      rank = Arrays.copyOf(rank, length);
      stamp = Arrays.copyOf(stamp, length);
    }
    rank[element] = newRank;
    stamp[element] = now++;
    if (slot[element] < 0) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, 2 * size);
      }
      heap[size] = element;
      slot[element] = size++;
    }
    if (keepsOrder()) {
      down(slot[element]);
      up(slot[element]);
    }
  }

  /** Whether a change keeps the heap in order, which pays while somebody looks at the top. */
  private boolean keepsOrder() {
    if (!resting) {
      return true;
    }
    return unseen < MOST_UNSEEN && ++unseen < MOST_UNSEEN;
  }

  void remove(int element) {
    int hole = slot[element];
    slot[element] = -1;
    int last = heap[--size];
    if (last != element) {
      heap[hole] = last;
      slot[last] = hole;
      if (keepsOrder()) {
        down(hole);
        up(slot[last]);
      }
    }
  }

  /** The first element that may be evicted, or -1. */
  int firstEvictable(Residency residency) {
    for (int at = size / 2 - 1; unseen == MOST_UNSEEN && at >= 0; at--) {
      down(at);
    }
    // No change below counts.
    unseen = Integer.MIN_VALUE;
    int skipped = 0;
    while (size > 0 && !residency.evictable(heap[0])) {
      if (skipped == aside.length) {
        aside = Arrays.copyOf(aside, 2 * skipped);
      }
      aside[skipped++] = heap[0];
      remove(heap[0]);
    }
    int found = size > 0 ? heap[0] : -1;
    for (int k = 0; k < skipped; k++) {
      long kept = stamp[aside[k]];
      put(aside[k], rank[aside[k]]);
      stamp[aside[k]] = kept;
      up(slot[aside[k]]);
    }
    unseen = 0;
    return found;
  }

  private boolean before(int a, int b) {
    return rank[a] > rank[b] || (rank[a] == rank[b] && stamp[a] < stamp[b]);
  }

  private void up(int from) {
    int at = from;
    int element = heap[at];
    while (at > 0 && before(element, heap[(at - 1) / 2])) {
      heap[at] = heap[(at - 1) / 2];
      slot[heap[at]] = at;
      at = (at - 1) / 2;
    }
    heap[at] = element;
    slot[element] = at;
  }

  private void down(int from) {
    int at = from;
    int element = heap[at];
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], element)) {
        break;
      }
      heap[at] = heap[child];
      slot[heap[at]] = at;
      at = child;
    }
    heap[at] = element;
    slot[element] = at;
  }
}
