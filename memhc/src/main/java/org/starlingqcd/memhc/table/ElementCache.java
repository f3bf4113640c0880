package org.starlingqcd.memhc.table;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.InputSource;
import org.starlingqcd.memhc.access.Recomputation;
import org.starlingqcd.memhc.cache.Counters;
import org.starlingqcd.memhc.policy.EvictionPolicy;
import org.starlingqcd.memhc.policy.Residency;
import org.starlingqcd.memhc.transfer.DeviceBlock;
import org.starlingqcd.memhc.transfer.HostTier;
import org.starlingqcd.memhc.transfer.Transfers;

/**
 * Which elements are on the device: brings them in, evicts and releases them, and tells the policy
 * about them. The order under oversubscription is the paper's: first a block of {@code free_pool},
 * then a new block, then {@code free_pool} is returned to the device, and only then is anything
 * evicted.
 */
public final class ElementCache implements Residency {
  private final ElementTable table;
  private final BlockStore store;
  private final Transfers transfers;
  private final HostTier host;
  private final EvictionPolicy policy;
  private final Schedule schedule;
  private final Counters counters;
  private final TableOptions options;
  private long prefetchedBytes;
  private boolean mustSave;

  /** A cache without elements; opens the policy. */
  public ElementCache(
      ElementTable table,
      BlockStore store,
      Transfers transfers,
      HostTier host,
      EvictionPolicy policy,
      Schedule schedule,
      Counters counters,
      TableOptions options,
      long seed) {
    this.table = table;
    this.store = store;
    this.transfers = transfers;
    this.host = host;
    this.policy = policy;
    this.schedule = schedule;
    this.counters = counters;
    this.options = options;
    policy.open(this, seed);
  }

  /**
   * Brings a missing element in: a block, and its data unless it has none yet.
   *
   * @return false when no block can be had because everything else is pinned
   */
  boolean bringIn(int element) {
    DeviceBlock block = takeBlock(table.sizeClass[element]);
    if (block == null) {
      return false;
    }
    table.set(element, ElementTable.FRESH);
    fill(element, block);
    return true;
  }

  private void fill(int element, DeviceBlock block) {
    table.block[element] = block;
    policy.inserted(element);
    InputSource source = table.source[element];
    if (source != null) {
      transfers.load(element, source, block);
    } else if (host.has(element)) {
      host.fetch(element, block);
    }
  }

  private @Nullable DeviceBlock takeBlock(int sizeClass) {
    DeviceBlock pooled = takePooled(sizeClass);
    if (pooled != null) {
      return pooled;
    }
    while (true) {
      DeviceBlock block = store.allocate(sizeClass);
      if (block != null) {
        return block;
      }
      if (store.freePooled()) {
        continue;
      }
      int victim = policy.victim();
      if (victim < 0) {
        return null;
      }
      DeviceBlock freed = evictFor(victim, sizeClass);
      if (freed != null) {
        return freed;
      }
    }
  }

  private @Nullable DeviceBlock takePooled(int sizeClass) {
    DeviceBlock pooled = store.poll(sizeClass);
    counters.poolReuses += pooled != null ? 1 : 0;
    return pooled;
  }

  /** Evicts an element; returns its block if it can be overwritten and null if it was freed. */
  private @Nullable DeviceBlock evictFor(int victim, int sizeClass) {
    DeviceBlock freed = evict(victim);
    if (options.overwriteVictims() && freed.sizeClass == sizeClass) {
      counters.victimReuses++;
      return freed;
    }
    store.free(freed);
    return null;
  }

  /** An intermediate has a new value on the device. */
  void written(int element) {
    host.drop(element);
    if (!options.gpuOnly()) {
      host.store(element, table.resident(element));
    }
  }

  /** Whether the element is absent and its data can be copied in. */
  boolean canPrefetch(int element) {
    return table.block[element] == null
        && (table.has(element, ElementTable.INPUT) || host.has(element));
  }

  /** Bytes of elements prefetched and not looked up yet. */
  public long prefetchedBytes() {
    return prefetchedBytes;
  }

  /**
   * Brings an element in ahead of its use.
   *
   * @param use the step that uses it if room may be made for it, otherwise -1
   * @return false when that would cost what is used no later
   */
  boolean prefetch(int element, int use) {
    int sizeClass = table.sizeClass[element];
    DeviceBlock block = takePooled(sizeClass);
    while (block == null) {
      block = store.allocate(sizeClass);
      if (block != null || store.freePooled()) {
        continue;
      }
      int victim = use < 0 ? -1 : policy.victim();
      if (victim < 0 || table.nextUse[victim] <= use) {
        return false;
      }
      block = evictFor(victim, sizeClass);
    }
    markPrefetched(element);
    counters.prefetches++;
    fill(element, block);
    return true;
  }

  /** Lets the next look-up of an element count as a miss. */
  void markPrefetched(int element) {
    table.set(element, ElementTable.PREFETCHED);
    prefetchedBytes += table.bytes[element];
  }

  void clearPrefetched(int element) {
    if (table.has(element, ElementTable.PREFETCHED)) {
      table.clear(element, ElementTable.PREFETCHED);
      prefetchedBytes -= table.bytes[element];
    }
  }

  /**
   * Sets whether every value must be saved instead of dropped to be recomputed; returns the
   * previous setting.
   */
  boolean mustSave(boolean always) {
    boolean before = mustSave;
    mustSave = always;
    return before;
  }

  /**
   * Evicts one element. A value that is still needed and exists nowhere else is saved, or dropped
   * when recomputing it is cheaper.
   */
  private DeviceBlock evict(int element) {
    if (!evictable(element)) {
      throw new IllegalStateException(
          "policy " + policy.name() + " chose what cannot be evicted: " + table.describe(element));
    }
    counters.evictions++;
    counters.evictedBytes += table.bytes[element];
    if (isDead(element)) {
      counters.deadEvictions++;
      host.drop(element);
      table.clear(element, ElementTable.DEFINED);
    } else if (isDirty(element)) {
      counters.dirtyEvictions++;
      if (!mustSave && recomputationCost(element) < 2 * table.bytes[element]) {
        table.set(element, ElementTable.DROPPED);
      } else {
        host.store(element, table.resident(element));
      }
    }
    return detach(element, true);
  }

  private boolean isDead(int element) {
    return table.nextUse[element] == AccessQueue.NEVER && schedule.queue() != null;
  }

  private boolean isDirty(int element) {
    return !table.has(element, ElementTable.INPUT)
        && table.has(element, ElementTable.DEFINED)
        && !host.has(element)
        && !table.has(element, ElementTable.DROPPED);
  }

  /**
   * Cost of recomputing an element at its next use, in bytes, with those of the inputs that would
   * have to be brought in; {@code Long.MAX_VALUE} when it cannot be recomputed.
   */
  private long recomputationCost(int element) {
    Recomputation how = table.recomputation[element];
    if (how == null) {
      return Long.MAX_VALUE;
    }
    int step = table.nextUse[element];
    long absent = 0;
    long working = table.bytes[element];
    for (int input : how.inputs()) {
      boolean alive =
          table.has(input, ElementTable.INPUT)
              || (table.has(input, ElementTable.DEFINED)
                  && table.nextUse[input] != AccessQueue.NEVER
                  && table.nextUse[input] >= step);
      if (!alive) {
        return Long.MAX_VALUE;
      }
      absent += isAtHand(input) ? 0 : table.bytes[input];
      working += table.bytes[input];
    }
    if (working > capacityBytes()) {
      return Long.MAX_VALUE;
    }
    // Where the plan leaves no room for the inputs, other elements have to leave for them.
    boolean room = !schedule.isPlanned() || schedule.freeBytes(step) >= absent;
    long moved = room ? absent : 2 * absent;
    return how.costBytes() + moved;
  }

  /** Whether an operand is on the device and, as far as is known, stays there. */
  private boolean isAtHand(int operand) {
    return table.block[operand] != null
        && (!schedule.isPlanned()
            || (table.flags[operand] & (ElementTable.STAYS | ElementTable.HELD)) != 0);
  }

  /** Makes sure that the host has the value of an element that is on the device. */
  public void sync(int element) {
    if (isDirty(element)) {
      host.store(element, table.resident(element));
    }
  }

  /** Moves the block of an element to {@code free_pool}; the value of an intermediate is lost. */
  public void release(int element) {
    host.drop(element);
    if (table.block[element] != null) {
      store.pool(detach(element, false));
    }
    table.clear(element, ElementTable.DEFINED | ElementTable.DOOMED | ElementTable.DROPPED);
    table.recomputation[element] = null;
  }

  private DeviceBlock detach(int element, boolean evicted) {
    DeviceBlock block = table.resident(element);
    table.block[element] = null;
    table.clear(element, ElementTable.FRESH);
    clearPrefetched(element);
    transfers.abandon(block);
    policy.removed(element, evicted);
    return block;
  }

  /**
   * Returns one block to the device, of {@code free_pool} or, when that is empty, of a victim.
   *
   * @return false when nothing can leave
   */
  public boolean makeRoom() {
    if (store.freePooled()) {
      return true;
    }
    int victim = policy.victim();
    if (victim < 0) {
      return false;
    }
    store.free(evict(victim));
    return true;
  }

  /** Evicts every evictable element and returns all free blocks to the device. */
  void evictAll() {
    for (int element = 0; element < table.count; element++) {
      if (evictable(element)) {
        store.pool(evict(element));
      }
    }
    while (store.freePooled()) {}
  }

  /** Empties the device of everything evictable, after copying values to the host. */
  public void giveBackAll() {
    for (int element = 0; element < table.count; element++) {
      if (evictable(element)) {
        sync(element);
        store.free(detach(element, true));
      }
    }
    while (store.freePooled()) {}
  }

  /** Copies the value of an element that is not to be recomputed to the host and waits for it. */
  public void read(int element, HostMemory target, long offset) {
    DeviceBlock block = table.block[element];
    InputSource source = table.source[element];
    if (source != null) {
      transfers.read(element, source, target, offset);
    } else if (host.has(element)) {
      host.read(element, target, offset);
    } else if (block != null) {
      transfers.synchronize(transfers.download(block, target, offset));
    } else {
      throw new IllegalStateException("value is lost: " + table.describe(element));
    }
  }

  /** Device memory for elements that come and go, in bytes. */
  public long capacityBytes() {
    return options.budgetBytes() - store.reservedBytes() - table.heldBytes;
  }

  @Override
  public long bytes(int element) {
    return table.bytes[element];
  }

  @Override
  public boolean evictable(int element) {
    return table.block[element] != null
        && (table.flags[element] & (ElementTable.PINNED | ElementTable.HELD)) == 0;
  }

  @Override
  public int clock() {
    return schedule.step();
  }

  @Override
  public int nextUse(int element) {
    return table.nextUse[element];
  }

  @Override
  public long evictionCost(int element) {
    if (isDead(element)) {
      return 0;
    }
    boolean saved =
        table.has(element, ElementTable.INPUT)
            || (host.has(element) && !table.has(element, ElementTable.WRITTEN));
    if (saved) {
      return table.bytes[element];
    }
    return Math.min(2 * table.bytes[element], recomputationCost(element));
  }

  @Override
  public boolean plannedToStay(int element) {
    return table.has(element, ElementTable.STAYS);
  }
}
