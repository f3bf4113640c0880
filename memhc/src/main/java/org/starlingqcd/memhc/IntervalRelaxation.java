package org.starlingqcd.memhc;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/**
 * Lower bounds on the traffic of one queue beyond the compulsory one. Between two uses an element
 * either stays, which takes its bytes of room at every step between, or leaves and comes back,
 * which moves its bytes, and once more the first time if nothing but the device has its value.
 *
 * <p>At step s there is room for what the budget leaves beside the working set of s. Let a byte of
 * room at s have a price λ(s) ≥ 0. Then for any prices the sum over all elements of what is
 * cheaper, staying or leaving, less the price of all the room there is, undercuts every policy
 * (Lagrangian duality). One price for all steps is PFOO's greedy relaxation; prices of their own,
 * improved by subgradient steps from there, approach the linear relaxation of the whole.
 */
public final class IntervalRelaxation {
  private static final int BISECTIONS = 60;
  private static final int ROUNDS = 400;

  /** Rounds are fewer for long queues, so that a million accesses take seconds. */
  private static final long MOST_WORK = 400_000_000;

  private static final int PATIENCE = 12;

  private final IntToLongFunction bytesOf;
  private final AccessQueue queue;

  /** Bytes of room beside the working set, of each step. */
  private final double[] room;

  /** Intervals between uses, those of element e at firstInterval[e] to firstInterval[e + 1]. */
  private final int[] firstInterval;

  private final int[] from;
  private final int[] to;
  private final double[] bytes;

  /** Whether leaving for the first time copies the element to the host. */
  private final boolean[] dirty;

  /** Prices of room summed over the steps before each. */
  private final double[] priceBefore;

  /** Bytes that stay at each step under the prices last asked for. */
  private final double[] staying;

  private double[] bestPriceBefore = new double[0];
  private long compulsoryBytes;

  /**
   * Finds the intervals of a queue; O(accesses).
   *
   * @param bytesOf size of each element in bytes
   * @param isInput whether each element can be loaded again
   */
  public IntervalRelaxation(
      IntToLongFunction bytesOf, IntPredicate isInput, AccessQueue queue, long budgetBytes) {
    this.bytesOf = bytesOf;
    this.queue = queue;
    int elements = queue.elements();
    room = new double[queue.steps()];
    bytes = new double[elements];
    dirty = new boolean[elements];
    firstInterval = new int[elements + 1];
    priceBefore = new double[queue.steps() + 1];
    staying = new double[queue.steps() + 1];
    int[] uses = countUses(budgetBytes);
    for (int element = 0; element < elements; element++) {
      boolean input = isInput.test(element);
      boolean kept = queue.isKept(element);
      bytes[element] = bytesOf.applyAsLong(element);
      // A kept result goes to the host in any case.
      dirty[element] = !input && !kept;
      if (input ? uses[element] > 0 : kept) {
        compulsoryBytes += bytesOf.applyAsLong(element);
      }
      firstInterval[element + 1] = firstInterval[element] + Math.max(0, uses[element] - 1);
    }
    from = new int[firstInterval[elements]];
    to = new int[from.length];
    findIntervals();
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
          used += bytesOf.applyAsLong(element);
        }
      }
      room[step] = Math.max(0, budgetBytes - used);
    }
    return uses;
  }

  private void findIntervals() {
    int[] next = Arrays.copyOf(firstInterval, queue.elements());
    int[] last = new int[queue.elements()];
    Arrays.fill(last, -1);
    for (int step = 0; step < queue.steps(); step++) {
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        int element = queue.element(k);
        if (last[element] >= 0 && last[element] != step) {
          from[next[element]] = last[element];
          to[next[element]++] = step;
        }
        last[element] = step;
      }
    }
  }

  /** Every input up once, every kept result down once, in bytes. */
  public long compulsoryBytes() {
    return compulsoryBytes;
  }

  /** The bound with one price for all steps. */
  public double uniformBound() {
    return Math.max(0, value(uniformPrice()));
  }

  /** The bound with a price for each step; never below {@link #uniformBound}. */
  public double bound() {
    return bound(Math.min(ROUNDS, Math.max(20, MOST_WORK / (room.length + from.length + 1))));
  }

  /**
   * Prices of a byte of room under which the bound was highest, summed over the steps before each;
   * one more than there are steps.
   *
   * @param work how many intervals and steps may be looked at in all
   */
  double[] pricesBefore(long work) {
    bound(Math.min(ROUNDS, work / (room.length + from.length + 1)));
    return bestPriceBefore.clone();
  }

  private double bound(long rounds) {
    double[] price = new double[room.length];
    Arrays.fill(price, uniformPrice());
    double best = Math.max(0, value(price));
    bestPriceBefore = priceBefore.clone();
    double ahead = 0.3 * best;
    for (int element = 0; element < bytes.length; element++) {
      ahead += 0.02 * bytes[element] * (firstInterval[element + 1] - firstInterval[element]);
    }
    int idle = 0;
    for (int round = 0; round < rounds; round++) {
      double value = value(price);
      if (value > best) {
        idle = value > best + 1e-3 * ahead ? 0 : idle + 1;
        best = value;
        bestPriceBefore = priceBefore.clone();
      } else {
        idle++;
      }
      if (idle > PATIENCE) {
        ahead /= 2;
        idle = 0;
      }
      // Polyak's step towards a value a little above the best known.
      double norm = 0;
      for (int step = 0; step < room.length; step++) {
        double slope = slope(price, step);
        norm += slope * slope;
      }
      if (norm == 0 || ahead < 1e-7 * best) {
        break;
      }
      double length = (best + ahead - value) / norm;
      for (int step = 0; step < room.length; step++) {
        price[step] = Math.max(0, price[step] + length * slope(price, step));
      }
    }
    return best;
  }

  /** How the value grows with the price of a step; 0 where the price cannot fall any more. */
  private double slope(double[] price, int step) {
    double slope = staying[step] - room[step];
    return slope < 0 && price[step] == 0 ? 0 : slope;
  }

  private double uniformPrice() {
    double low = 0;
    double high = 2;
    for (int k = 0; k < BISECTIONS; k++) {
      double middle = (low + high) / 2;
      value(middle);
      double slope = 0;
      for (int step = 0; step < room.length; step++) {
        slope += staying[step] - room[step];
      }
      if (slope > 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private double value(double price) {
    double[] prices = new double[room.length];
    Arrays.fill(prices, price);
    return value(prices);
  }

  /** The bound for these prices; sets what stays at each step under them. */
  private double value(double[] price) {
    double sum = 0;
    for (int step = 0; step < room.length; step++) {
      priceBefore[step + 1] = priceBefore[step] + price[step];
      sum -= price[step] * room[step];
    }
    Arrays.fill(staying, 0);
    for (int element = 0; element < bytes.length; element++) {
      double stayAlways = 0;
      double cheapest = 0;
      for (int k = firstInterval[element]; k < firstInterval[element + 1]; k++) {
        double stay = stay(element, k);
        stayAlways += stay;
        cheapest += Math.min(stay, bytes[element]);
      }
      boolean leaves = !dirty[element] || cheapest + bytes[element] < stayAlways;
      sum += leaves ? cheapest + (dirty[element] ? bytes[element] : 0) : stayAlways;
      for (int k = firstInterval[element]; k < firstInterval[element + 1]; k++) {
        if (!leaves || stay(element, k) < bytes[element]) {
          staying[from[k] + 1] += bytes[element];
          staying[to[k]] -= bytes[element];
        }
      }
    }
    for (int step = 1; step < room.length; step++) {
      staying[step] += staying[step - 1];
    }
    return sum;
  }

  private double stay(int element, int interval) {
    return bytes[element] * (priceBefore[to[interval]] - priceBefore[from[interval] + 1]);
  }
}
