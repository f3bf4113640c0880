package org.starlingqcd.memhc.policy;

import java.util.Arrays;

/**
 * A doubly linked list of elements on two int arrays, each element at most once; every call is O(1)
 * and allocates only when the element numbers outgrow the arrays.
 */
final class RecencyList {
  static final int NONE = -1;
  private static final int ABSENT = -2;

  private int[] older = new int[0];
  private int[] newer = new int[0];
  private int newest = NONE;
  private int oldest = NONE;
  private int size;

  int size() {
    return size;
  }

  boolean contains(int element) {
    return element < older.length && older[element] != ABSENT;
  }

  int newest() {
    return newest;
  }

  int oldest() {
    return oldest;
  }

  /** The neighbour of {@code element} towards the oldest, or {@link #NONE}. */
  int older(int element) {
    return older[element];
  }

  /** The neighbour of {@code element} towards the newest, or {@link #NONE}. */
  int newer(int element) {
    return newer[element];
  }

  /** The oldest element that may be evicted, or {@link #NONE}. */
  int oldestEvictable(Residency residency) {
    int element = oldest;
    while (element != NONE && !residency.evictable(element)) {
      element = newer[element];
    }
    return element;
  }

  void addNewest(int element) {
    ensure(element);
    if (older[element] != ABSENT) {
      throw new IllegalStateException("already listed: element=" + element);
    }
    older[element] = newest;
    newer[element] = NONE;
    if (newest != NONE) {
      newer[newest] = element;
    } else {
      oldest = element;
    }
    newest = element;
    size++;
  }

  void remove(int element) {
    if (!contains(element)) {
      throw new IllegalStateException("not listed: element=" + element);
    }
    int before = older[element];
    int after = newer[element];
    if (before != NONE) {
      newer[before] = after;
    } else {
      oldest = after;
    }
    if (after != NONE) {
      older[after] = before;
    } else {
      newest = before;
    }
    older[element] = ABSENT;
    newer[element] = ABSENT;
    size--;
  }

  void moveToNewest(int element) {
    if (newest != element) {
      remove(element);
      addNewest(element);
    }
  }

  private void ensure(int element) {
    if (element >= older.length) {
      int from = older.length;
      int length = Math.max(element + 1, Math.max(16, 2 * from));
      older = Arrays.copyOf(older, length);
      newer = Arrays.copyOf(newer, length);
      Arrays.fill(older, from, length, ABSENT);
      Arrays.fill(newer, from, length, ABSENT);
    }
  }
}
