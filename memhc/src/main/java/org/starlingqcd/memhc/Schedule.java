package org.starlingqcd.memhc;

import org.jspecify.annotations.Nullable;

/**
 * Where a run stands in its queue of accesses, if it has one: checks that it keeps to it, tells
 * next uses to the table and vectors to the policy.
 */
final class Schedule {
  /** Intervals and steps looked at to find out how short memory is: about 20 ms. */
  private static final long PRICE_WORK = 4_000_000;

  private static final double LEAST_PRESSURE = 1e-3;

  private final ElementTable table;
  private final EvictionPolicy policy;
  private @Nullable AccessQueue queue;
  private int step;
  private double[] pressureBefore = new double[1];
  private @Nullable AccessQueue pressureOf;
  private long pressureBudget;
  private int vector;
  private int[] vectorElements = new int[64];

  Schedule(ElementTable table, EvictionPolicy policy) {
    this.table = table;
    this.policy = policy;
  }

  @Nullable AccessQueue queue() {
    return queue;
  }

  /** The step that runs next; 0 without a queue. */
  int step() {
    return step;
  }

  void start(AccessQueue newQueue) {
    queue = newQueue;
    step = 0;
    vector = 0;
    int[] first = newQueue.firstUses();
    for (int element = 0; element < table.count; element++) {
      int use = element < first.length ? first[element] : Residency.NEVER;
      // A value of an earlier queue that this one does not name may still be read.
      boolean left = use == Residency.NEVER && table.has(element, ElementTable.DEFINED);
      table.nextUse[element] = left ? newQueue.steps() : use;
    }
    policy.rescheduled();
  }

  /**
   * How short memory is at the steps from the next one to {@code use}, summed; with a little for
   * every step, so that of two uses the later one always weighs more.
   */
  double pressureUntil(int use, long budgetBytes) {
    AccessQueue known = queue;
    if (known == null || use == Residency.NEVER) {
      return Double.MAX_VALUE;
    }
    if (known != pressureOf || budgetBytes != pressureBudget) {
      pressureBefore =
          new IntervalRelaxation(
                  element -> table.bytes[element],
                  element -> table.has(element, ElementTable.INPUT),
                  known,
                  budgetBytes)
              .pricesBefore(PRICE_WORK);
      pressureOf = known;
      pressureBudget = budgetBytes;
    }
    return pressureBefore[use] - pressureBefore[step] + LEAST_PRESSURE * (use - step + 1);
  }

  /** Checks that these are the accesses of the next step. */
  void check(int[] inputs, int nIn, int[] outputs, int nOut) {
    AccessQueue known = queue;
    if (known == null) {
      return;
    }
    boolean same =
        step < known.steps()
            && known.firstOutput(step) - known.firstAccess(step) == nIn
            && known.firstAccess(step + 1) - known.firstOutput(step) == nOut;
    for (int k = 0; same && k < nIn + nOut; k++) {
      same = known.element(known.firstAccess(step) + k) == (k < nIn ? inputs[k] : outputs[k - nIn]);
    }
    if (!same) {
      throw new IllegalStateException(
          "not the next step of the schedule: step=" + step + " steps=" + known.steps());
    }
  }

  /** Tells the policy of the vector that the next step begins, if it begins one. */
  void announceVector() {
    AccessQueue known = queue;
    if (known == null || vector >= known.vectors() || step < known.vectorStart(vector)) {
      return;
    }
    while (known.vectorStart(vector + 1) <= step) {
      vector++;
    }
    int from = known.firstAccess(known.vectorStart(vector));
    int to = known.firstAccess(known.vectorStart(vector + 1));
    if (vectorElements.length < to - from) {
      vectorElements = new int[2 * (to - from)];
    }
    for (int k = from; k < to; k++) {
      vectorElements[k - from] = known.element(k);
    }
    policy.beginVector(vectorElements, to - from);
    vector++;
  }

  /** Sets the next uses of the elements of the next step to what they are after it. */
  void lookPast() {
    AccessQueue known = queue;
    if (known != null) {
      for (int k = known.firstAccess(step); k < known.firstAccess(step + 1); k++) {
        table.nextUse[known.element(k)] = known.nextUse(k);
      }
    }
  }

  /** Undoes {@link #lookPast}. */
  void lookBack() {
    AccessQueue known = queue;
    if (known != null) {
      for (int k = known.firstAccess(step); k < known.firstAccess(step + 1); k++) {
        table.nextUse[known.element(k)] = step;
      }
    }
  }

  /** Goes on to the following step. */
  void advance() {
    if (queue != null) {
      step++;
    }
  }
}
