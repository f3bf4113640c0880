package org.starlingqcd.memhc.policy;

import java.util.Arrays;

/**
 * Elements ordered by a rank, the first to evict on top; among equal ranks the one ranked the
 * longest ago. A binary heap with places: O(log n) to add, remove and change, O(1) to look at the
 * top.
 */
final class RankedElements {
  private int[] heap = new int[16];
  private int[] place = new int[0];
  private long[] rank = new long[0];
  private long[] stamp = new long[0];
  private int[] aside = new int[8];
  private int size;
  private long now;

  int size() {
    return size;
  }

  boolean contains(int element) {
    return element < place.length && place[element] >= 0;
  }

  long rank(int element) {
    return rank[element];
  }

  int get(int k) {
    return heap[k];
  }

  /** Adds an element, or gives it a new rank; higher ranks leave first. */
  void put(int element, long newRank) {
    if (element >= place.length) {
      int from = place.length;
      int length = Math.max(element + 1, Math.max(16, 2 * from));
      place = Arrays.copyOf(place, length);
      Arrays.fill(place, from, length, -1);
      rank = Arrays.copyOf(rank, length);
      stamp = Arrays.copyOf(stamp, length);
    }
    rank[element] = newRank;
    stamp[element] = now++;
    if (place[element] < 0) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, 2 * size);
      }
      heap[size] = element;
      place[element] = size++;
    }
    down(place[element]);
    up(place[element]);
  }

  void remove(int element) {
    int hole = place[element];
    place[element] = -1;
    int last = heap[--size];
    if (last != element) {
      heap[hole] = last;
      place[last] = hole;
      down(hole);
      up(place[last]);
    }
  }

  /** The first element that may be evicted, or -1. */
  int firstEvictable(Residency residency) {
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
      up(place[aside[k]]);
    }
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
      place[heap[at]] = at;
      at = (at - 1) / 2;
    }
    heap[at] = element;
    place[element] = at;
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
      place[heap[at]] = at;
      at = child;
    }
    heap[at] = element;
    place[element] = at;
  }
}
