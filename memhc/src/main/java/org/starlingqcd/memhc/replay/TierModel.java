package org.starlingqcd.memhc.replay;

import java.util.Arrays;
import java.util.BitSet;
import org.starlingqcd.memhc.ElementTable;
import org.starlingqcd.memhc.Schedule;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.CacheStatistics;
import org.starlingqcd.memhc.cache.Counters;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.cache.TimeModel;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.memhc.policy.EvictionPolicy;
import org.starlingqcd.memhc.policy.Residency;

/**
 * Two tiers of memory without data: every element has a place in the slow tier, and the fast tier
 * holds copies of some. Kernels use elements where they are. A vector of the trace is a batch of
 * tasks in flight: all its elements are looked up before any of its tasks ends, and those in fast
 * memory stay there until all end.
 *
 * <p>A look-up finds the element in fast memory (hit); or there is room (free); or elements leave
 * for it (replace), unless that does not pay (bypass, see {@link EvictionPolicy#admits}) or nothing
 * can leave (full). What an operation overwrites is not copied in. A victim is copied back if it
 * was changed. Dead elements leave when their batch ends; what a queue keeps stays in fast memory.
 */
public final class TierModel implements Residency {
  private final AccessTrace trace;
  private final long fastBytes;
  private final Tiering tiering;
  private final ElementTable table = new ElementTable();
  private final EvictionPolicy policy;
  private final Schedule schedule;
  private final Counters counters = new Counters();
  private final BitSet resident = new BitSet();
  private final BitSet changed = new BitSet();
  private final BitSet defined = new BitSet();
  private final BitSet outputs = new BitSet();
  private int[] pinned = new int[64];
  private int pins;
  private long residentBytes;
  private long peakBytes;
  private long inPlaceBytes;
  private int clock;

  private TierModel(
      AccessTrace trace, long fastBytes, Tiering tiering, String policyName, long seed) {
    this.trace = trace;
    this.fastBytes = fastBytes;
    this.tiering = tiering;
    for (int element = 0; element < trace.elements(); element++) {
      table.add(
          trace.shapes().get(trace.shapeOf()[element]),
          trace.input()[element] ? NoData.INSTANCE : null);
      defined.set(element, trace.input()[element]);
    }
    policy = EvictionPolicies.create(policyName);
    schedule = new Schedule(table, policy);
    policy.open(this, seed);
  }

  /**
   * What two tiers did.
   *
   * @param cache look-ups by outcome, and bytes copied into and out of fast memory
   * @param inPlaceBytes bytes that kernels used in slow memory
   * @param peakFastBytes most bytes in fast memory at once
   */
  public record Counts(CacheStatistics cache, long inPlaceBytes, long peakFastBytes) {
    /** Bytes that slow memory delivers or takes: used in place, copied out of it or into it. */
    public long slowBytes() {
      return inPlaceBytes + cache.movedBytes();
    }

    /** The time by a model with rates of both memories. */
    public double seconds(TimeModel model, double flops) {
      double moved = (double) cache.movedBytes();
      double fast = (double) (cache.lookupBytes() - inPlaceBytes) + moved;
      return model.seconds((double) slowBytes(), fast, moved, flops);
    }
  }

  /**
   * Runs a trace.
   *
   * @param fastBytes size of the fast tier
   * @param policy name of the eviction policy, without effect on {@link Tiering#STATIC}
   * @param seed seed of random evictions
   */
  public static Counts run(
      AccessTrace trace, long fastBytes, Tiering tiering, String policy, long seed) {
    TierModel model = new TierModel(trace, fastBytes, tiering, policy, seed);
    trace.queues().forEach(model::runQueue);
    return new Counts(model.counters.cache(), model.inPlaceBytes, model.peakBytes);
  }

  private void runQueue(AccessQueue queue) {
    schedule.start(queue, fastBytes);
    clock = 0;
    for (int vector = 0; vector < queue.vectors(); vector++) {
      schedule.announceVector();
      for (int step = queue.vectorStart(vector); step < queue.vectorStart(vector + 1); step++) {
        runStep(queue, step);
        schedule.advance();
        clock++;
      }
      endBatch();
    }
    for (int element = 0; element < table.count; element++) {
      defined.set(element, trace.input()[element] || queue.isKept(element));
    }
  }

  private void runStep(AccessQueue queue, int step) {
    schedule.lookPast();
    int output = queue.firstOutput(step);
    int end = queue.firstAccess(step + 1);
    outputs.clear();
    for (int k = output; k < end; k++) {
      outputs.set(queue.element(k));
    }
    for (int k = queue.firstAccess(step); k < end; k++) {
      int element = queue.element(k);
      boolean copied = defined.get(element) && !(queue.overwrites(step) && outputs.get(element));
      counters.uncachedBytes += (k >= output && copied ? 2 : 1) * table.bytes[element];
      Outcome outcome = lookUp(element, queue.usesLeft(k), copied);
      counters.lookedUp(outcome, table.bytes[element]);
      if (resident.get(element)) {
        pin(element);
      } else {
        inPlaceBytes += table.bytes[element];
      }
    }
    for (int k = output; k < end; k++) {
      defined.set(queue.element(k));
      changed.set(queue.element(k), resident.get(queue.element(k)));
    }
  }

  private Outcome lookUp(int element, int usesLeft, boolean copied) {
    if (resident.get(element)) {
      policy.accessed(element);
      return Outcome.HIT;
    }
    long bytes = table.bytes[element];
    if (residentBytes + bytes <= fastBytes) {
      // A program with static placement makes its data where they stay.
      bringIn(element, copied && tiering != Tiering.STATIC);
      return Outcome.FREE;
    }
    if (tiering == Tiering.STATIC
        || (tiering == Tiering.GUIDED && !policy.admits(element, usesLeft))) {
      return Outcome.BYPASS;
    }
    while (bytes <= fastBytes && residentBytes + bytes > fastBytes) {
      int victim = policy.victimFor(element);
      if (victim < 0) {
        return Outcome.FULL;
      }
      evict(victim);
    }
    if (bytes > fastBytes) {
      return Outcome.FULL;
    }
    bringIn(element, copied);
    return Outcome.REPLACE;
  }

  private void bringIn(int element, boolean copied) {
    counters.bytesToDevice += copied ? table.bytes[element] : 0;
    resident.set(element);
    changed.clear(element);
    residentBytes += table.bytes[element];
    peakBytes = Math.max(peakBytes, residentBytes);
    policy.inserted(element);
  }

  private void evict(int element) {
    counters.bytesToHost += changed.get(element) ? table.bytes[element] : 0;
    leave(element, true);
  }

  private void leave(int element, boolean evicted) {
    resident.clear(element);
    residentBytes -= table.bytes[element];
    policy.removed(element, evicted);
  }

  private void pin(int element) {
    if (table.has(element, ElementTable.PINNED)) {
      return;
    }
    if (pins == pinned.length) {
      pinned = Arrays.copyOf(pinned, 2 * pins);
    }
    pinned[pins++] = element;
    table.set(element, ElementTable.PINNED);
  }

  /** All tasks of a batch end: pins go, and dead elements leave. */
  private void endBatch() {
    for (int k = 0; k < pins; k++) {
      int element = pinned[k];
      table.clear(element, ElementTable.PINNED);
      if (table.nextUse[element] == AccessQueue.NEVER) {
        leave(element, false);
      }
    }
    pins = 0;
  }

  @Override
  public long bytes(int element) {
    return table.bytes[element];
  }

  @Override
  public boolean evictable(int element) {
    return resident.get(element) && !table.has(element, ElementTable.PINNED);
  }

  @Override
  public int clock() {
    return clock;
  }

  @Override
  public int nextUse(int element) {
    return table.nextUse[element];
  }

  @Override
  public long evictionCost(int element) {
    if (table.nextUse[element] == AccessQueue.NEVER) {
      return 0;
    }
    return (changed.get(element) ? 2 : 1) * table.bytes[element];
  }

  @Override
  public boolean plannedToStay(int element) {
    return table.has(element, ElementTable.STAYS);
  }
}
