package org.starlingqcd.memhc.retention;

import java.util.Arrays;

/**
 * Plans for a whole queue which elements stay on the device between which uses, and which are
 * computed again instead of saved, so that few bytes move. This is the offline problem of caching
 * with sizes and write-backs, which is NP-hard.
 *
 * <p>Prices of room at every step ({@link IntervalRelaxation}) order the intervals by the price of
 * a byte that stays over them. Starting with the cheapest, every interval that still fits is kept.
 * This is repeated for several prices on the way to the best ones. The best result is then
 * improved: keep an interval that leaves, let others go where that costs least for the room gained,
 * keep again what then fits, and undo the change unless fewer bytes move. On the queues of real
 * correlators the result is within one per cent of the optimum.
 *
 * <p>O((accesses + samples · accesses) log accesses) and at most the work allowed; nothing is
 * random.
 */
public final class RetentionSearch {
  private static final int SAMPLES = 40;
  private static final int SWEEPS = 8;

  private final UseIntervals uses;
  private final Remakes remakes;
  private final IntervalIndex index;
  private final long mostWork;
  private Retention best;
  private double[] bestPriceBefore = new double[0];
  private long work;

  // State of the current attempt:
  private int[] log = new int[64];
  private int logged;
  private int[] candidates = new int[64];
  private int candidateCount;
  private int begin;
  private int end;

  private RetentionSearch(UseIntervals uses, long flopsPerByte, long mostWork) {
    this.uses = uses;
    remakes = new Remakes(uses, flopsPerByte);
    this.mostWork = mostWork;
    index = new IntervalIndex(uses);
    best = new Retention(uses, remakes);
  }

  /**
   * Plans a queue.
   *
   * @param flopsPerByte flops that take as long as moving a byte; 0: nothing is computed again
   * @param work approximate number of intervals and steps that may be visited
   */
  public static RetentionPlan plan(UseIntervals uses, long flopsPerByte, long work) {
    RetentionSearch search = new RetentionSearch(uses, flopsPerByte, work);
    if (search.keepEverything()) {
      return new RetentionPlan(uses, search.best);
    }
    long roundWork = uses.count() + uses.elements() + search.remakes.helped.length + 1L;
    int samples = (int) Math.max(1, Math.min(SAMPLES, work / (16L * roundWork)));
    new IntervalRelaxation(uses).prices(work, samples, search::keepByPrice);
    search.improve();
    return new RetentionPlan(uses, search.best);
  }

  private boolean keepEverything() {
    for (int k = 0; k < uses.count(); k++) {
      if (!best.stays(k)) {
        best.keep(k);
      }
    }
    if (best.room.firstOverdrawn(0, uses.steps()) < 0) {
      return true;
    }
    best = new Retention(uses, remakes);
    return false;
  }

  private double price(double[] priceBefore, int interval) {
    return priceBefore[uses.to[interval]] - priceBefore[uses.from[interval] + 1];
  }

  /** Keeps what fits, in the order of prices; an intermediate that never leaves is one item. */
  private void keepByPrice(double[] priceBefore) {
    Retention tried = new Retention(uses, remakes);
    // A key is the bits of a non-negative price, which sort like the price, then a number.
    long[] order = new long[uses.elements() + uses.count()];
    int count = 0;
    for (int element = 0; element < uses.elements(); element++) {
      double all = 0;
      double saved = 1;
      double remade = 0;
      for (int k = uses.first[element]; k < uses.first[element + 1]; k++) {
        double price = price(priceBefore, k);
        all += price;
        double again = remakes.cost[k] / (double) uses.bytes[element];
        saved += Math.min(price, 1);
        remade += Math.min(price, again);
        if (tried.takesRoom(k)) {
          order[count++] = key(price / Math.max(1e-3, Math.min(1, again)), uses.elements() + k);
        }
      }
      if (uses.dirty[element] && tried.leaving(element) > 0) {
        order[count++] = key(all / Math.max(1e-3, Math.min(saved, remade)), element);
      }
    }
    Arrays.sort(order, 0, count);
    for (int k = 0; k < count; k++) {
      int number = (int) order[k];
      if (number < uses.elements()) {
        keepAll(tried, number);
      } else if (!tried.stays(number - uses.elements()) && tried.fits(number - uses.elements())) {
        tried.keep(number - uses.elements());
      }
    }
    if (bestPriceBefore.length == 0 || tried.cost() < best.cost()) {
      best = tried;
      bestPriceBefore = priceBefore.clone();
    }
  }

  private static long key(double price, int number) {
    return (long) Float.floatToIntBits((float) Math.max(0, price)) << 32 | number;
  }

  private void keepAll(Retention tried, int element) {
    boolean[] kept = new boolean[uses.first[element + 1] - uses.first[element]];
    for (int k = uses.first[element]; k < uses.first[element + 1]; k++) {
      if (tried.stays(k)) {
        continue;
      }
      if (!tried.fits(k)) {
        for (int j = uses.first[element]; j < k; j++) {
          if (kept[j - uses.first[element]]) {
            tried.letGo(j);
          }
        }
        return;
      }
      tried.keep(k);
      kept[k - uses.first[element]] = true;
    }
  }

  private void improve() {
    long before = Long.MAX_VALUE;
    for (int sweep = 0; sweep < SWEEPS && best.cost() < before; sweep++) {
      before = best.cost();
      for (int element = 0; element < uses.elements(); element++) {
        if (best.leaving(element) == 0) {
          continue;
        }
        if (work > mostWork) {
          return;
        }
        int first = uses.first[element];
        int last = uses.first[element + 1] - 1;
        boolean several = best.leaving(element) > 1;
        if (!attempt(first, last) && several) {
          for (int k = first; k <= last; k++) {
            if (!best.stays(k)) {
              attempt(k, k);
            }
          }
        }
      }
    }
  }

  /** Keeps the intervals {@code first} to {@code last} of an element if fewer bytes move. */
  private boolean attempt(int first, int last) {
    long before = best.cost();
    logged = 0;
    begin = Integer.MAX_VALUE;
    end = 0;
    for (int k = first; k <= last; k++) {
      if (!best.stays(k)) {
        keep(k);
        begin = Math.min(begin, uses.from[k] + 1);
        end = Math.max(end, uses.to[k]);
      }
    }
    if (makeRoom(first, last)) {
      refill();
      if (best.cost() < before) {
        return true;
      }
    }
    while (logged > 0) {
      int entry = log[--logged];
      if (entry >= 0) {
        best.letGo(entry);
      } else {
        best.keep(-entry - 1);
      }
    }
    return false;
  }

  private void keep(int interval) {
    best.keep(interval);
    note(interval, interval);
  }

  private void letGo(int interval) {
    best.letGo(interval);
    note(-interval - 1, interval);
  }

  private void note(int entry, int interval) {
    if (logged == log.length) {
      log = Arrays.copyOf(log, 2 * logged);
    }
    log[logged++] = entry;
    work += 16 + remakes.firstHelped[interval + 1] - remakes.firstHelped[interval];
  }

  /** Lets others go until no step is overdrawn; false if that is impossible. */
  private boolean makeRoom(int first, int last) {
    int from = begin;
    int to = end;
    while (true) {
      int firstShort = best.room.firstOverdrawn(from, to);
      if (firstShort < 0) {
        return true;
      }
      int endShort = best.room.lastOverdrawn(firstShort, to) + 1;
      int step = best.room.scarcest(firstShort, endShort);
      long wanted = -best.room.least(step, step + 1);
      candidateCount = 0;
      index.forEachMeeting(step, step + 1, this::addCandidate);
      int chosen = -1;
      double least = Double.MAX_VALUE;
      for (int c = 0; c < candidateCount; c++) {
        int k = candidates[c];
        if (best.stays(k) && (k < first || k > last)) {
          int overlap = Math.min(endShort, uses.to[k]) - Math.max(firstShort, uses.from[k] + 1);
          long given = Math.min(wanted, uses.bytes[uses.elementOf[k]]);
          double loss = best.costOfLeaving(k) / ((double) given * overlap);
          if (loss < least) {
            least = loss;
            chosen = k;
          }
        }
      }
      if (chosen < 0) {
        return false;
      }
      letGo(chosen);
      begin = Math.min(begin, uses.from[chosen] + 1);
      end = Math.max(end, uses.to[chosen]);
    }
  }

  /** Keeps what now fits where something was let go, the cheapest first. */
  private void refill() {
    candidateCount = 0;
    index.forEachMeeting(begin, end, this::addCandidate);
    long[] order = new long[candidateCount];
    int count = 0;
    for (int c = 0; c < candidateCount; c++) {
      int k = candidates[c];
      if (!best.stays(k)) {
        double saved = best.costOfLeaving(k) / (double) uses.bytes[uses.elementOf[k]];
        order[count++] = key(price(bestPriceBefore, k) / Math.max(saved, 1e-3), k);
      }
    }
    Arrays.sort(order, 0, count);
    for (int k = 0; k < count; k++) {
      if (best.fits((int) order[k])) {
        keep((int) order[k]);
      }
    }
  }

  private void addCandidate(int interval) {
    if (candidateCount == candidates.length) {
      candidates = Arrays.copyOf(candidates, 2 * candidateCount);
    }
    candidates[candidateCount++] = interval;
    work += 4;
  }
}
