package org.starlingqcd.memhc.replay;

import java.util.Arrays;
import java.util.BitSet;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.Counters;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.memhc.policy.EvictionPolicy;
import org.starlingqcd.memhc.policy.Residency;
import org.starlingqcd.memhc.table.ElementTable;
import org.starlingqcd.memhc.table.Lines;
import org.starlingqcd.memhc.table.Schedule;

/**
 * A cache of lines that hold data of any size, without data, blocks, copies or a device: which
 * elements are there, and what has to be moved. It decides as {@link org.starlingqcd.memhc.MemHC
 * MemHC} does on the same trace with the same options but without prefetch and without computing
 * elements again, so the counters of both are equal, except for those of blocks: allocations, reuse
 * and peaks. Written apart from MemHC's tables, it checks them; a few million look-ups a second.
 *
 * <p>The elements of a batch are locked until it is launched. Those of a step that would need
 * evictions in a batch that has begun wait for the next batch.
 */
public final class CacheModel implements Residency {
  private static final int ANY_SET = -1;
  private static final int MOST_LINES = 1 << 20;

  private final AccessTrace trace;
  private final MemHCOptions options;
  private final ElementTable table = new ElementTable();
  private final EvictionPolicy policy;
  private final Schedule schedule;
  private final Counters counters = new Counters();
  private final Lines lines;
  private final boolean bounded;
  private final BitSet resident = new BitSet();
  private final BitSet onHost = new BitSet();
  private final BitSet replaced = new BitSet();
  private final BitSet fresh = new BitSet();
  private int[] pinned = new int[64];
  private int pins;
  private long pinnedBytes;
  private long residentBytes;
  private int onlySet = ANY_SET;
  private int clock;

  private CacheModel(AccessTrace trace, MemHCOptions options) {
    this.trace = trace;
    this.options = options;
    for (int element = 0; element < trace.elements(); element++) {
      table.add(
          trace.shapes().get(trace.shapeOf()[element]),
          trace.input()[element] ? NoData.INSTANCE : null);
    }
    policy = EvictionPolicies.create(options.policy());
    schedule = new Schedule(table, policy);
    policy.open(this, options.seed());
    bounded = options.lines() > 0 || options.organization().ways() > 0;
    lines =
        new Lines(
            bounded ? options.organization() : Organization.FULL,
            bounded ? lineCount(options, table.largestBytes) : 1,
            options.organization().byAddress() ? table::address : element -> element,
            options.seed());
  }

  /** Number of lines that options ask for, before it is adapted to the organization. */
  private static int lineCount(MemHCOptions options, long largestBytes) {
    long fitting = Math.max(1, Math.min(MOST_LINES, options.budgetBytes() / largestBytes));
    return options.lines() > 0 ? options.lines() : (int) fitting;
  }

  /**
   * Runs a trace.
   *
   * @throws IllegalArgumentException when a step does not fit into the budget
   */
  public static MemoryStatistics run(AccessTrace trace, MemHCOptions options) {
    CacheModel model = new CacheModel(trace, options);
    for (AccessQueue queue : trace.queues()) {
      model.runQueue(queue);
    }
    return model.counters.snapshot(options.policy(), options.budgetBytes());
  }

  private void runQueue(AccessQueue queue) {
    schedule.start(queue, options.budgetBytes());
    clock = 0;
    int vector = 0;
    for (int step = 0; step < queue.steps(); step++) {
      schedule.announceVector();
      if (!runStep(queue, step)) {
        launch();
        schedule.announceVector();
        if (!runStep(queue, step)) {
          throw new IllegalArgumentException(
              "a step does not fit into the budget: step="
                  + step
                  + " budgetBytes="
                  + options.budgetBytes());
        }
      }
      schedule.advance();
      clock++;
      while (vector < queue.vectors() && queue.vectorStart(vector + 1) <= step + 1) {
        vector++;
        launch();
      }
    }
    for (int element : queue.kept()) {
      save(element);
    }
    for (int element = 0; element < table.count; element++) {
      release(element);
    }
  }

  /** Locks the elements of a step and brings in the missing ones; false if they have to wait. */
  private boolean runStep(AccessQueue queue, int step) {
    schedule.lookPast();
    int before = pins;
    int first = queue.firstAccess(step);
    int output = queue.firstOutput(step);
    int end = queue.firstAccess(step + 1);
    for (int k = first; k < end; k++) {
      lock(queue.element(k));
    }
    if (pinnedBytes > options.budgetBytes()
        || (before > 0 && (needsBytes(before) || needsLines(before)))) {
      unlock(before);
      schedule.lookBack();
      return false;
    }
    boolean overwrites = queue.overwrites(step);
    BitSet outputs = new BitSet();
    for (int k = output; k < end; k++) {
      outputs.set(queue.element(k));
    }
    int[] wanted = Arrays.copyOfRange(pinned, before, pins);
    if (options.lateLocks()) {
      unlock(before);
    }
    for (int element : wanted) {
      lock(element);
      if (!resident.get(element)) {
        bringIn(element, overwrites && outputs.get(element));
      } else if (options.lateLocks()) {
        policy.accessed(element);
      }
    }
    for (int k = first; k < end; k++) {
      int element = queue.element(k);
      boolean adds =
          k >= output
              && !overwrites
              && table.has(element, ElementTable.DEFINED | ElementTable.WRITTEN);
      counters.uncachedBytes += (adds ? 2 : 1) * table.bytes[element];
      if (k >= output) {
        table.set(element, ElementTable.WRITTEN);
      }
      lookUp(element);
    }
    return true;
  }

  private void lookUp(int element) {
    long bytes = table.bytes[element];
    if (!fresh.get(element)) {
      counters.hits++;
      counters.hitBytes += bytes;
      counters.lookedUp(Outcome.HIT, bytes);
      if (!options.lateLocks()) {
        policy.accessed(element);
      }
      return;
    }
    fresh.clear(element);
    counters.misses++;
    counters.missBytes += bytes;
    if (lines.isTemporary(element)) {
      counters.lookedUp(Outcome.FULL, bytes);
    } else {
      counters.lookedUp(replaced.get(element) ? Outcome.REPLACE : Outcome.FREE, bytes);
    }
  }

  private void bringIn(int element, boolean overwritten) {
    long evictions = counters.evictions;
    if (bounded) {
      findLine(element);
    }
    long bytes = table.bytes[element];
    while (residentBytes + bytes > options.budgetBytes()) {
      evict(policy.victimFor(element));
    }
    replaced.set(element, counters.evictions > evictions);
    fresh.set(element);
    resident.set(element);
    residentBytes += bytes;
    policy.inserted(element);
    if (trace.input()[element] || (onHost.get(element) && !overwritten)) {
      counters.bytesToDevice += bytes;
    }
  }

  private void findLine(int element) {
    int set = lines.set(element);
    if (lines.empty(set) == 0) {
      onlySet = set;
      int victim = policy.victimFor(element);
      onlySet = ANY_SET;
      if (victim < 0) {
        int line = lines.drawUnlocked(this::evictable);
        if (line < 0) {
          lines.takeTemporary(element);
          return;
        }
        if (lines.holder(line) >= 0) {
          evict(lines.holder(line));
        }
        lines.take(element, line);
        return;
      }
      evict(victim);
    }
    lines.take(element);
  }

  private void evict(int element) {
    if (element < 0) {
      throw new IllegalStateException("nothing can leave: residentBytes=" + residentBytes);
    }
    counters.evictions++;
    counters.evictedBytes += table.bytes[element];
    if (table.nextUse[element] == AccessQueue.NEVER) {
      counters.deadEvictions++;
      onHost.clear(element);
      table.clear(element, ElementTable.DEFINED);
    } else if (isDirty(element)) {
      counters.dirtyEvictions++;
      save(element);
    }
    leave(element, true);
  }

  private void leave(int element, boolean evicted) {
    resident.clear(element);
    fresh.clear(element);
    residentBytes -= table.bytes[element];
    policy.removed(element, evicted);
    lines.leave(element);
  }

  private boolean isDirty(int element) {
    return table.has(element, ElementTable.DEFINED) && !onHost.get(element);
  }

  /** Copies a value to the host unless it is there. */
  private void save(int element) {
    if (isDirty(element)) {
      onHost.set(element);
      counters.bytesToHost += table.bytes[element];
    }
  }

  private void release(int element) {
    onHost.clear(element);
    if (resident.get(element)) {
      leave(element, false);
    }
    table.clear(element, ElementTable.DEFINED);
  }

  /** The kernels of the batch run: results are there, locks end, dead elements go. */
  private void launch() {
    int count = pins;
    unlock(0);
    for (int k = 0; k < count; k++) {
      int element = pinned[k];
      if (table.has(element, ElementTable.WRITTEN)) {
        table.clear(element, ElementTable.WRITTEN);
        table.set(element, ElementTable.DEFINED);
        onHost.clear(element);
        if (options.writePolicy() == WritePolicy.THROUGH) {
          save(element);
        }
      }
      if (options.liveness() && table.nextUse[element] == AccessQueue.NEVER) {
        release(element);
      }
    }
    for (int k = 0; k < count; k++) {
      if (lines.isTemporary(pinned[k])) {
        evict(pinned[k]);
      }
    }
  }

  private void lock(int element) {
    if (table.has(element, ElementTable.PINNED)) {
      return;
    }
    if (pins == pinned.length) {
      pinned = Arrays.copyOf(pinned, 2 * pins);
    }
    pinned[pins++] = element;
    table.set(element, ElementTable.PINNED);
    pinnedBytes += table.bytes[element];
  }

  private void unlock(int from) {
    for (int k = from; k < pins; k++) {
      table.clear(pinned[k], ElementTable.PINNED);
      pinnedBytes -= table.bytes[pinned[k]];
    }
    pins = from;
  }

  private boolean needsBytes(int from) {
    long missing = 0;
    for (int k = from; k < pins; k++) {
      missing += resident.get(pinned[k]) ? 0 : table.bytes[pinned[k]];
    }
    return options.liveness() && missing > options.budgetBytes() - residentBytes;
  }

  private boolean needsLines(int from) {
    int[] wanted = new int[pins - from];
    for (int k = from; bounded && k < pins; k++) {
      wanted[k - from] = resident.get(pinned[k]) ? ANY_SET : lines.set(pinned[k]);
    }
    for (int k = 0; bounded && k < wanted.length; k++) {
      int set = wanted[k];
      if (set >= 0 && Arrays.stream(wanted).filter(s -> s == set).count() > lines.empty(set)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long bytes(int element) {
    return table.bytes[element];
  }

  @Override
  public boolean evictable(int element) {
    return resident.get(element)
        && !table.has(element, ElementTable.PINNED)
        && (onlySet == ANY_SET || lines.isIn(element, onlySet));
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
    boolean saved =
        trace.input()[element]
            || (onHost.get(element) && !table.has(element, ElementTable.WRITTEN));
    return (saved ? 1 : 2) * table.bytes[element];
  }

  @Override
  public boolean plannedToStay(int element) {
    return table.has(element, ElementTable.STAYS);
  }
}
