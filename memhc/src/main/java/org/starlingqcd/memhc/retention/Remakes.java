package org.starlingqcd.memhc.retention;

import java.util.Arrays;
import org.starlingqcd.memhc.access.AccessQueue;

/**
 * For each interval of an intermediate, what it costs to compute the element again at its end: the
 * flops, as the bytes that could be copied in that time, and the bytes of the operands that are not
 * on the device then. An operand is there if the step at the end uses it too, or if it stays over
 * an interval of its own that covers the step.
 */
final class Remakes {
  /** More than any plan moves, and far from overflow. */
  static final long IMPOSSIBLE = Long.MAX_VALUE / 1024;

  /** The cost for each interval if no operand stays; {@link #IMPOSSIBLE} if there is no way. */
  final long[] cost;

  /** The intervals that an interval makes cheaper if its element stays: a range of the next. */
  final int[] firstHelped;

  final int[] helped;

  /**
   * Finds the costs; O(intervals · log intervals).
   *
   * @param flopsPerByte flops that take as long as moving a byte; 0: nothing is computed again
   */
  Remakes(UseIntervals uses, long flopsPerByte) {
    cost = new long[uses.count()];
    firstHelped = new int[uses.count() + 1];
    Arrays.fill(cost, IMPOSSIBLE);
    int[] pairs = new int[16];
    int count = 0;
    for (int k = 0; k < cost.length && flopsPerByte > 0; k++) {
      int element = uses.elementOf[k];
      int maker = uses.dirty[element] ? uses.queue.maker(element) : -1;
      if (maker < 0) {
        continue;
      }
      AccessQueue queue = uses.queue;
      long sum = (queue.flops(maker) + flopsPerByte - 1) / flopsPerByte;
      for (int a = queue.firstAccess(maker); a < queue.firstOutput(maker); a++) {
        int operand = queue.element(a);
        int covering = uses.covering(operand, uses.to[k]);
        if (covering == UseIntervals.USED) {
          continue;
        }
        boolean gone = covering == UseIntervals.NONE && !uses.input[operand];
        sum = gone ? IMPOSSIBLE : Math.min(IMPOSSIBLE, sum + uses.bytes[operand]);
        if (covering >= 0) {
          pairs = 2 * count == pairs.length ? Arrays.copyOf(pairs, 2 * pairs.length) : pairs;
          pairs[2 * count] = covering;
          pairs[2 * count++ + 1] = k;
          firstHelped[covering + 1]++;
        }
      }
      cost[k] = sum;
    }
    for (int k = 0; k < cost.length; k++) {
      firstHelped[k + 1] += firstHelped[k];
    }
    helped = new int[count];
    int[] next = firstHelped.clone();
    for (int pair = 0; pair < count; pair++) {
      helped[next[pairs[2 * pair]]++] = pairs[2 * pair + 1];
    }
  }
}
