package org.starlingqcd.memhc.retention;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.starlingqcd.memhc.access.AccessQueue;

/**
 * The intervals between the uses of every element of a queue, and the room that each step leaves
 * beside its own elements. During an interval an element either stays on the device and takes its
 * bytes of room at every step in between, or it leaves and comes back, which moves its bytes, and
 * twice as many the first time if only the device has its value.
 */
public final class UseIntervals {
  static final int USED = -1;
  static final int NONE = -2;

  final AccessQueue queue;
  final long budgetBytes;

  /** Intervals of element e at first[e] to first[e + 1], in the order of time. */
  final int[] first;

  final int[] elementOf;

  /** The steps whose uses begin and end each interval. */
  final int[] from;

  final int[] to;
  final long[] bytes;

  /** Whether leaving for the first time copies the element to the host. */
  final boolean[] dirty;

  /** Whether each element can be loaded again. */
  final boolean[] input;

  /** Bytes of room beside the working set of each step. */
  final long[] room;

  /** Every input up once, every kept result down once, in bytes. */
  long compulsoryBytes;

  /**
   * Finds the intervals; O(accesses).
   *
   * @param bytesOf size of each element in bytes; 0 for elements that never leave
   * @param isInput whether each element can be loaded again
   */
  public UseIntervals(
      IntToLongFunction bytesOf, IntPredicate isInput, AccessQueue queue, long budgetBytes) {
    this.queue = queue;
    this.budgetBytes = budgetBytes;
    int elements = queue.elements();
    room = new long[queue.steps()];
    bytes = new long[elements];
    dirty = new boolean[elements];
    input = new boolean[elements];
    first = new int[elements + 1];
    for (int element = 0; element < elements; element++) {
      bytes[element] = bytesOf.applyAsLong(element);
    }
    int[] uses = countUses(budgetBytes);
    for (int element = 0; element < elements; element++) {
      input[element] = isInput.test(element);
      boolean kept = queue.isKept(element);
      // A kept result is copied to the host anyway.
      dirty[element] = !input[element] && !kept;
      if (input[element] ? uses[element] > 0 : kept) {
        compulsoryBytes += bytes[element];
      }
      first[element + 1] = first[element] + Math.max(0, uses[element] - 1);
    }
    from = new int[first[elements]];
    to = new int[from.length];
    elementOf = new int[from.length];
    find();
  }

  /** Number of steps that use each element; sets the room of each step. */
  private int[] countUses(long budgetBytes) {
    int[] uses = new int[queue.elements()];
    int[] last = new int[queue.elements()];
    Arrays.fill(last, -1);
    for (int step = 0; step < queue.steps(); step++) {
      long used = 0;
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        int element = queue.element(k);
        if (last[element] != step) {
          last[element] = step;
          uses[element]++;
          used += bytes[element];
        }
      }
      room[step] = Math.max(0, budgetBytes - used);
    }
    return uses;
  }

  private void find() {
    int[] next = Arrays.copyOf(first, queue.elements());
    int[] last = new int[queue.elements()];
    Arrays.fill(last, -1);
    for (int step = 0; step < queue.steps(); step++) {
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        int element = queue.element(k);
        if (last[element] >= 0 && last[element] != step) {
          elementOf[next[element]] = element;
          from[next[element]] = last[element];
          to[next[element]++] = step;
        }
        last[element] = step;
      }
    }
  }

  /**
   * The interval of an element that covers a step; {@link #USED} if the step uses the element,
   * {@link #NONE} if it comes before the first use or after the last.
   */
  int covering(int element, int step) {
    int low = first[element];
    int high = first[element + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (to[middle] < step) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < first[element + 1] && from[low] < step && step < to[low]) {
      return low;
    }
    for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
      if (queue.element(k) == element) {
        return USED;
      }
    }
    return NONE;
  }

  int elements() {
    return bytes.length;
  }

  int steps() {
    return room.length;
  }

  int count() {
    return from.length;
  }
}
