package org.starlingqcd.memhc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.StepKind;
import org.starlingqcd.memhc.retention.RetentionPlan;
import org.starlingqcd.memhc.retention.RetentionSearch;
import org.starlingqcd.memhc.retention.UseIntervals;

/**
 * The position of a run in its queue of accesses, if it has one: checks that the run follows the
 * queue, sets next uses in the table and announces vectors to the policy.
 */
final class Schedule {
  /** Intervals and steps visited in planning, for each access and in all: 5 ms to 10 s. */
  private static final long WORK_PER_ACCESS = 100;

  private static final long MOST_WORK = 60_000_000;

  private final Tables tables;
  private final ElementTable table;
  private @Nullable AccessQueue queue;
  private int step;
  private @Nullable RetentionPlan plan;

  private int vector;
  private int[] vectorElements = new int[64];

  private final long flopsPerByte;

  Schedule(Tables tables) {
    this.tables = tables;
    table = tables.table;
    flopsPerByte = tables.options.flopsPerByte();
  }

  @Nullable AccessQueue queue() {
    return queue;
  }

  /** The step that runs next; 0 without a queue. */
  int step() {
    return step;
  }

  /** What the next step computes, as far as is known. */
  StepKind kind() {
    return queue != null && step < queue.steps() ? queue.kind(step) : StepKind.OTHER;
  }

  /** What running a step again costs, as the bytes that could be copied in that time. */
  long recomputedBytes(int ofStep) {
    return queue == null ? 0 : (queue.flops(ofStep) + flopsPerByte - 1) / flopsPerByte;
  }

  /**
   * Starts a queue with this device memory for its elements, in bytes.
   *
   * @param recomputes whether elements may be computed again
   */
  void start(AccessQueue newQueue, long capacityBytes, boolean recomputes) {
    queue = newQueue;
    step = 0;
    vector = 0;
    plan(newQueue, capacityBytes, recomputes);
    int[] first = newQueue.firstUses();
    for (int element = 0; element < table.count; element++) {
      int use = element < first.length ? first[element] : AccessQueue.NEVER;
      // A value of an earlier queue that is not in this one may still be read.
      boolean left = use == AccessQueue.NEVER && table.has(element, ElementTable.DEFINED);
      table.nextUse[element] = left ? newQueue.steps() : use;
      table.clear(element, ElementTable.STAYS);
      boolean made = recomputes && flopsPerByte > 0 && element < newQueue.elements();
      table.maker[element] = made ? newQueue.maker(element) : -1;
    }
    tables.policy.rescheduled();
  }

  /** Plans which elements stay between their uses, unless the plan is known. */
  private void plan(AccessQueue newQueue, long capacityBytes, boolean recomputes) {
    plan = null;
    if (!tables.policy.plansAhead()) {
      return;
    }
    String what = capacityBytes + " bytes, " + (recomputes ? flopsPerByte : 0) + " flops a byte";
    Map<String, RetentionPlan> known =
        tables.options.plans.computeIfAbsent(newQueue, queue -> new ConcurrentHashMap<>());
    plan = known.computeIfAbsent(what, key -> makePlan(newQueue, capacityBytes, recomputes));
  }

  private RetentionPlan makePlan(AccessQueue newQueue, long capacityBytes, boolean recomputes) {
    UseIntervals uses =
        new UseIntervals(
            element -> table.has(element, ElementTable.HELD) ? 0 : table.bytes[element],
            element -> table.has(element, ElementTable.INPUT),
            newQueue,
            capacityBytes);
    long work = Math.min(MOST_WORK, WORK_PER_ACCESS * newQueue.accesses());
    return RetentionSearch.plan(uses, recomputes ? flopsPerByte : 0, work);
  }

  /** Whether the queue has a plan. */
  boolean isPlanned() {
    return plan != null;
  }

  /** Room that the plan leaves at a step, in bytes; 0 after the last step. */
  long freeBytes(int ofStep) {
    return plan != null && ofStep < plan.steps() ? plan.freeBytes(ofStep) : 0;
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

  /** Announces the vector to the policy if the next step begins one. */
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
    tables.policy.beginVector(vectorElements, to - from);
    vector++;
  }

  /** Whether the next step overwrites its outputs. */
  boolean overwrites() {
    return queue != null && step < queue.steps() && queue.overwrites(step);
  }

  /** Sets the next uses of the elements of the next step to those after it. */
  void lookPast() {
    AccessQueue known = queue;
    if (known != null) {
      for (int k = known.firstAccess(step); k < known.firstAccess(step + 1); k++) {
        int element = known.element(k);
        table.nextUse[element] = known.nextUse(k);
        table.usesLeft[element] = known.usesLeft(k);
        table.set(element, ElementTable.STAYS, plan != null && plan.stays(k));
        table.set(element, ElementTable.REMADE, plan != null && plan.isRemade(k));
      }
    }
  }

  void lookBack() {
    AccessQueue known = queue;
    if (known != null) {
      for (int k = known.firstAccess(step); k < known.firstAccess(step + 1); k++) {
        table.nextUse[known.element(k)] = step;
        table.set(known.element(k), ElementTable.STAYS);
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
