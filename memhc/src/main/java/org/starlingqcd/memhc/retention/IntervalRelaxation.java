package org.starlingqcd.memhc.retention;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.starlingqcd.memhc.access.AccessQueue;

/**
 * Lower bounds on the traffic of one queue beyond the compulsory traffic. {@link UseIntervals} says
 * what an element that stays or leaves between two uses takes or moves.
 *
 * <p>At step s the budget leaves room beside the working set of s. Let a byte of this room have a
 * price λ(s) ≥ 0. For any prices, add up over all elements the cheaper of staying and leaving, and
 * subtract the price of all the room: no policy moves less (Lagrangian duality). One price for all
 * steps is PFOO's greedy relaxation. From there, subgradient steps give every step its own price
 * and approach the linear relaxation.
 */
public final class IntervalRelaxation {
  private static final int BISECTIONS = 30;
  private static final int ROUNDS = 400;

  /** Limits the rounds for long queues, so that a million accesses take seconds. */
  private static final long MOST_WORK = 400_000_000;

  private static final int PATIENCE = 12;

  private final UseIntervals uses;

  /** Prices of room summed over the steps before each. */
  private final double[] priceBefore;

  /** Bytes that stay at each step under the last prices. */
  private final double[] staying;

  private double[] bestPriceBefore = new double[0];

  /**
   * Finds the intervals of a queue; O(accesses).
   *
   * @param bytesOf size of each element in bytes
   * @param isInput whether each element can be loaded again
   */
  public IntervalRelaxation(
      IntToLongFunction bytesOf, IntPredicate isInput, AccessQueue queue, long budgetBytes) {
    this(new UseIntervals(bytesOf, isInput, queue, budgetBytes));
  }

  IntervalRelaxation(UseIntervals uses) {
    this.uses = uses;
    priceBefore = new double[uses.steps() + 1];
    staying = new double[uses.steps() + 1];
  }

  /** Every input up once, every kept result down once, in bytes. */
  public long compulsoryBytes() {
    return uses.compulsoryBytes;
  }

  /** The bound with one price for all steps. */
  public double uniformBound() {
    return Math.max(0, value(uniformPrice()));
  }

  /** The bound with a price for each step; never below {@link #uniformBound}. */
  public double bound() {
    return bound((int) Math.min(ROUNDS, Math.max(20, MOST_WORK / roundWork())), 1, prices -> {});
  }

  /**
   * Improves the prices.
   *
   * @param work number of intervals and steps that may be visited
   * @param samples how often {@code observer} receives the current prices, summed over the steps
   *     before each (one entry more than there are steps); it must not change or keep them. At the
   *     end it receives the prices of the highest bound.
   */
  void prices(long work, int samples, Consumer<double[]> observer) {
    int rounds = (int) Math.min(ROUNDS, work / roundWork());
    bound(rounds, Math.max(1, rounds / samples), observer);
    observer.accept(bestPriceBefore);
  }

  private long roundWork() {
    return uses.steps() + uses.count() + 1L;
  }

  private double bound(int rounds, int sampleEvery, Consumer<double[]> observer) {
    double[] price = new double[uses.steps()];
    Arrays.fill(price, uniformPrice());
    double best = Math.max(0, value(price));
    bestPriceBefore = priceBefore.clone();
    double ahead = 0.3 * best;
    for (int interval = 0; interval < uses.count(); interval++) {
      ahead += 0.02 * uses.bytes[uses.elementOf[interval]];
    }
    int idle = 0;
    for (int round = 0; round < rounds; round++) {
      double value = value(price);
      if (round % sampleEvery == 0) {
        observer.accept(priceBefore);
      }
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
      for (int step = 0; step < price.length; step++) {
        double slope = slope(price, step);
        norm += slope * slope;
      }
      if (norm == 0 || ahead < 1e-7 * best) {
        break;
      }
      double length = (best + ahead - value) / norm;
      for (int step = 0; step < price.length; step++) {
        price[step] = Math.max(0, price[step] + length * slope(price, step));
      }
    }
    return best;
  }

  /** Derivative of the value by the price of a step; 0 where the price cannot fall further. */
  private double slope(double[] price, int step) {
    double slope = staying[step] - uses.room[step];
    return slope < 0 && price[step] == 0 ? 0 : slope;
  }

  private double uniformPrice() {
    double low = 0;
    double high = 2;
    for (int k = 0; k < BISECTIONS; k++) {
      double middle = (low + high) / 2;
      value(middle);
      double slope = 0;
      for (int step = 0; step < uses.steps(); step++) {
        slope += staying[step] - uses.room[step];
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
    double[] prices = new double[uses.steps()];
    Arrays.fill(prices, price);
    return value(prices);
  }

  /** The bound for these prices; sets what stays at each step under them. */
  private double value(double[] price) {
    double sum = 0;
    for (int step = 0; step < price.length; step++) {
      priceBefore[step + 1] = priceBefore[step] + price[step];
      sum -= price[step] * uses.room[step];
    }
    Arrays.fill(staying, 0);
    for (int element = 0; element < uses.elements(); element++) {
      double bytes = uses.bytes[element];
      boolean dirty = uses.dirty[element];
      double stayAlways = 0;
      double cheapest = 0;
      for (int k = uses.first[element]; k < uses.first[element + 1]; k++) {
        double stay = bytes * stay(k);
        stayAlways += stay;
        cheapest += Math.min(stay, bytes);
      }
      boolean leaves = !dirty || cheapest + bytes < stayAlways;
      sum += leaves ? cheapest + (dirty ? bytes : 0) : stayAlways;
      for (int k = uses.first[element]; k < uses.first[element + 1]; k++) {
        if (!leaves || stay(k) < 1) {
          staying[uses.from[k] + 1] += bytes;
          staying[uses.to[k]] -= bytes;
        }
      }
    }
    for (int step = 1; step < price.length; step++) {
      staying[step] += staying[step - 1];
    }
    return sum;
  }

  /** Price of a byte that stays over an interval. */
  private double stay(int interval) {
    return priceBefore[uses.to[interval]] - priceBefore[uses.from[interval] + 1];
  }
}
