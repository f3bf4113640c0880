package org.starlingqcd.memhc;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/**
 * Which elements are on the device: brings them in, evicts and releases them, and answers the
 * policy's questions. The order under oversubscription is the paper's: first a block of {@code
 * free_pool}, then a new block, then {@code free_pool} is returned to the device, and only then is
 * anything evicted.
 */
final class ElementCache implements Residency {
  private final ElementTable table;
  private final BlockStore store;
  private final Transfers transfers;
  private final HostTier host;
  private final EvictionPolicy policy;
  private final Schedule schedule;
  private final Counters counters;
  private final MemHCOptions options;

  ElementCache(
      ElementTable table,
      BlockStore store,
      Transfers transfers,
      HostTier host,
      EvictionPolicy policy,
      Schedule schedule,
      Counters counters,
      MemHCOptions options) {
    this.table = table;
    this.store = store;
    this.transfers = transfers;
    this.host = host;
    this.policy = policy;
    this.schedule = schedule;
    this.counters = counters;
    this.options = options;
    policy.open(this, options.seed());
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
    table.block[element] = block;
    table.set(element, ElementTable.FRESH);
    policy.inserted(element);
    if (table.hostCopy[element] != null) {
      host.fetch(element, block);
    } else if (table.has(element, ElementTable.INPUT)) {
      InputSource source = table.source[element];
      if (source != null) {
        transfers.load(element, source, block, table.shape(element));
      }
    }
    return true;
  }

  private @Nullable DeviceBlock takeBlock(int sizeClass) {
    DeviceBlock pooled = store.poll(sizeClass);
    if (pooled != null) {
      counters.poolReuses++;
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
      DeviceBlock freed = evict(victim);
      if (options.overwriteVictims() && freed.sizeClass == sizeClass) {
        counters.victimReuses++;
        return freed;
      }
      store.free(freed);
    }
  }

  /** Evicts one element, saving its value if it is still needed and nowhere else. */
  DeviceBlock evict(int element) {
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
    }
    counters.dirtyEvictions += isDirty(element) ? 1 : 0;
    return vacate(element);
  }

  private boolean isDead(int element) {
    return table.nextUse[element] == NEVER && schedule.queue() != null;
  }

  /** Sees to it that the host has the value of an element. */
  void sync(int element) {
    if (isDirty(element)) {
      host.store(element);
    }
  }

  /** Takes a value off the device, saving it when it is nowhere else. */
  private DeviceBlock vacate(int element) {
    sync(element);
    return detach(element, true);
  }

  /**
   * Returns one block to the device, of {@code free_pool} or, when that is empty, of a victim.
   *
   * @return false when nothing can leave
   */
  boolean makeRoom() {
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

  /** Copies the value of an element to the host and waits for it. */
  void read(int element, HostMemory target, long offset) {
    DeviceBlock block = table.block[element];
    InputSource source = table.source[element];
    if (source != null) {
      source.load(element, target, offset);
    } else if (table.hostCopy[element] != null) {
      host.read(element, target, offset);
    } else if (block != null) {
      transfers.synchronize(transfers.download(block, target, offset, table.shape(element)));
    } else {
      throw new IllegalStateException("value is lost: " + table.describe(element));
    }
  }

  private boolean isDirty(int element) {
    return !table.has(element, ElementTable.INPUT)
        && table.has(element, ElementTable.DEFINED)
        && table.hostCopy[element] == null;
  }

  /** Moves an element's block to {@code free_pool}; its value is lost, an input's copy is not. */
  void release(int element) {
    host.drop(element);
    if (table.block[element] != null) {
      store.pool(detach(element, false));
    }
    table.clear(element, ElementTable.DEFINED | ElementTable.DOOMED);
  }

  private DeviceBlock detach(int element, boolean evicted) {
    DeviceBlock block = table.resident(element);
    table.block[element] = null;
    table.clear(element, ElementTable.PREFETCHED | ElementTable.FRESH);
    policy.removed(element, evicted);
    return block;
  }

  /**
   * Evicts everything that can be evicted and returns all free blocks, so that the device is as
   * empty as it can be.
   */
  void evictAll() {
    for (int element = 0; element < table.count; element++) {
      if (evictable(element)) {
        store.pool(evict(element));
      }
    }
    while (store.freePooled()) {}
  }

  /** Without reuse: leaves nothing on the device that need not be there. */
  void giveBackAll() {
    for (int element = 0; element < table.count; element++) {
      if (evictable(element)) {
        store.free(vacate(element));
      }
    }
    while (store.freePooled()) {}
  }

  @Override
  public int elements() {
    return table.count;
  }

  @Override
  public long capacityBytes() {
    return options.budgetBytes() - store.reservedBytes();
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
            || (table.hostCopy[element] != null && !table.has(element, ElementTable.WRITTEN));
    return saved ? table.bytes[element] : 2 * table.bytes[element];
  }
}
