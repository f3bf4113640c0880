package org.starlingqcd.memhc.table;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.memhc.access.InputSource;
import org.starlingqcd.memhc.access.StepKind;
import org.starlingqcd.memhc.cache.Counters;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.memhc.policy.EvictionPolicy;
import org.starlingqcd.memhc.policy.Residency;
import org.starlingqcd.memhc.transfer.DeviceBlock;
import org.starlingqcd.memhc.transfer.HostTier;
import org.starlingqcd.memhc.transfer.Transfers;

/**
 * Which elements are on the device: brings them in, evicts and releases them, and tells the policy
 * about them. The order under oversubscription is the paper's: first a block of {@code free_pool},
 * then a new block, then {@code free_pool} is returned to the device, and only then is anything
 * evicted. With an organization, an element needs a line as well as a block.
 */
public final class ElementCache implements Residency {
  private static final int ANY_SET = -1;

  /** Bound on lines where their number follows from the budget. */
  private static final int MOST_LINES = 1 << 20;

  private final ElementTable table;
  private final BlockStore store;
  private final Transfers transfers;
  private final HostTier host;
  private final @Nullable SlowTier slow;
  private final EvictionPolicy policy;
  private final Schedule schedule;
  private final EvictionCosts costs;
  private final Counters counters;
  private final TableOptions options;
  private final long seed;
  private @Nullable Lines lines;

  /** The set that a victim is looked for in. */
  private int onlySet = ANY_SET;

  private long prefetchedBytes;
  private boolean mustSave;

  /** A cache without elements; opens the policy. */
  public ElementCache(
      ElementTable table,
      BlockStore store,
      @Nullable BlockStore slowStore,
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
    this.seed = seed;
    slow = slowStore == null ? null : new SlowTier(table, slowStore, transfers, host, counters);
    costs = new EvictionCosts(table, store, host, slow, schedule, options);
    policy.open(this, seed);
  }

  /**
   * Brings a missing element in: a block, and its data unless it has none yet.
   *
   * @return false when no block can be had because everything else is pinned
   */
  boolean bringIn(int element, Pins pins) {
    SlowTier tier = slow;
    if (tier != null) {
      return bringIn(element, pins, tier);
    }
    long evictionsBefore = counters.evictions;
    Lines bounded = boundedLines(element);
    DeviceBlock block = bounded == null ? takeKept(element) : null;
    if (block != null) {
      markReplaced(element, evictionsBefore);
      insert(element, block, Presence.FRESH);
      return true;
    }
    block = bounded == null ? null : takeLine(element, bounded);
    if (block == null) {
      block = takeBlock(element);
    }
    if (block == null) {
      leaveLine(element);
      return false;
    }
    return bringInto(element, block, evictionsBefore);
  }

  private boolean bringInto(int element, DeviceBlock block, long evictionsBefore) {
    markReplaced(element, evictionsBefore);
    insert(element, block, Presence.FRESH);
    load(element, block);
    return true;
  }

  /** Places a missing element in either tier: in fast memory if that pays and there is room. */
  private boolean bringIn(int element, Pins pins, SlowTier tier) {
    long evictionsBefore = counters.evictions;
    DeviceBlock block = takeFree(table.sizeClass[element]);
    boolean pays = pays(element);
    if (block == null && pays) {
      block = takeBlock(element);
    }
    if (block != null) {
      return bringInto(element, block, evictionsBefore);
    }
    DeviceBlock place = findOrBorrow(element, tier);
    if (place == null) {
      place = tier.take(element);
      if (place == null) {
        // Slow memory is full or not there, so others have to leave after all.
        block = pays ? null : takeBlock(element);
        return block != null && bringInto(element, block, evictionsBefore);
      }
      load(element, place);
    }
    table.block[element] = place;
    pins.useInPlace(element, pays ? Presence.IN_PLACE : Presence.BYPASSED);
    return true;
  }

  /** The block of an element in slow memory, or in memory of others; null when there is none. */
  private static @Nullable DeviceBlock findOrBorrow(int element, SlowTier tier) {
    DeviceBlock place = tier.find(element);
    return place == null ? tier.borrow(element) : place;
  }

  /** Whether other elements may leave fast memory for an element that could be used in place. */
  boolean pays(int element) {
    if (slow == null) {
      return true;
    }
    boolean byChoice =
        schedule.queue() != null
            && (slow.suitsProducts() || schedule.kind() == StepKind.TRACE)
            && !policy.admits(element, table.usesLeft[element]);
    return options.tiering() == Tiering.GUIDED && !byChoice;
  }

  /** Ends the use of an element in slow memory, where it stays. */
  void endInPlace(int element) {
    if (table.presence[element].isInPlace()) {
      table.presence[element] = Presence.ABSENT;
      table.block[element] = null;
    }
  }

  /** A block without eviction; null if there is no room. */
  private @Nullable DeviceBlock takeFree(int sizeClass) {
    DeviceBlock block = takePooled(sizeClass);
    while (block == null) {
      block = allocateOrOverwrite(sizeClass);
      if (block == null && !store.freePooled()) {
        return null;
      }
    }
    return block;
  }

  /** The lines that bound where an element goes; null when none do. */
  private @Nullable Lines boundedLines(int element) {
    if (table.has(element, ElementTable.HELD)) {
      return null;
    }
    if (lines == null && (options.lines() > 0 || options.organization().ways() > 0)) {
      long count = options.lines() > 0 ? options.lines() : capacityBytes() / table.largestBytes;
      lines =
          new Lines(
              options.organization(),
              (int) Math.max(1, Math.min(MOST_LINES, count)),
              options.organization().byAddress() ? table::address : number -> number,
              seed);
    }
    return lines;
  }

  /**
   * Gives an element a line: an empty one of its set, that of a victim in its set, or any unlocked
   * one; when all are locked, a place until its batch is launched.
   *
   * @return the block of the element that left, if it can be overwritten
   */
  private @Nullable DeviceBlock takeLine(int element, Lines bounded) {
    int set = bounded.set(element);
    DeviceBlock freed = null;
    if (bounded.empty(set) == 0) {
      int victim = victimIn(set, element);
      if (victim >= 0) {
        freed = evictFor(victim, table.sizeClass[element]);
      } else {
        int line = bounded.drawUnlocked(this::evictable);
        if (line < 0) {
          bounded.takeTemporary(element);
          return null;
        }
        if (bounded.holder(line) >= 0) {
          freed = evictFor(bounded.holder(line), table.sizeClass[element]);
        }
        bounded.take(element, line);
        return freed;
      }
    }
    bounded.take(element);
    return freed;
  }

  /** The policy's choice among the elements of a set; -1 when all are locked. */
  private int victimIn(int set, int element) {
    onlySet = set;
    int victim = policy.victimFor(element);
    onlySet = ANY_SET;
    return victim;
  }

  private void leaveLine(int element) {
    if (lines != null) {
      lines.leave(element);
    }
  }

  /** Whether an element has to leave the device once its batch is launched. */
  boolean isTemporary(int element) {
    return lines != null && lines.isTemporary(element);
  }

  /** Takes an element off the device whose place was temporary, after saving its value. */
  void endTemporary(int element) {
    if (isTemporary(element) && evictable(element)) {
      store.pool(evict(element));
    }
  }

  /** Whether the missing elements among these would need more empty lines than there are. */
  boolean needsLines(Pins pins, int from) {
    for (int k = from; k < pins.count(); k++) {
      int element = pins.get(k);
      boolean missing = pins.isFirst(k) && table.block[element] == null;
      Lines bounded = missing ? boundedLines(element) : null;
      if (bounded == null) {
        continue;
      }
      int set = bounded.set(element);
      int wanted = 1;
      for (int other = from; other < k; other++) {
        boolean alsoMissing =
            pins.isFirst(other)
                && table.block[pins.get(other)] == null
                && !table.has(pins.get(other), ElementTable.HELD);
        wanted += alsoMissing && bounded.set(pins.get(other)) == set ? 1 : 0;
      }
      if (wanted > bounded.empty(set)) {
        return true;
      }
    }
    return false;
  }

  /** The lines, for the audit; null when nothing is bound to lines. */
  @Nullable Lines lines() {
    return lines;
  }

  private void insert(int element, DeviceBlock block, Presence how) {
    table.block[element] = block;
    table.presence[element] = how;
    prefetchedBytes += how == Presence.AHEAD ? table.bytes[element] : 0;
    policy.inserted(element);
  }

  /**
   * The block of {@code free_pool} that still holds the data of an input, which an element of an
   * earlier queue has left there; null if there is none.
   */
  private @Nullable DeviceBlock takeKept(int element) {
    long key = table.inputKey[element];
    DeviceBlock block = key == 0 ? null : store.pollKept(table.sizeClass[element], key);
    counters.poolReuses += block != null ? 1 : 0;
    return block;
  }

  /** Copies the data of an element into a block, unless it has none or they are not needed. */
  private void load(int element, DeviceBlock block) {
    DeviceBlock place = slow == null ? null : findOrBorrow(element, slow);
    if (place != null && place != block) {
      if (!table.has(element, ElementTable.OVERWRITTEN)) {
        transfers.moveIn(place, block);
      }
      return;
    }
    InputSource source = table.source[element];
    if (source != null) {
      transfers.load(element, source, block);
    } else if (host.has(element) && !table.has(element, ElementTable.OVERWRITTEN)) {
      host.fetch(element, block);
    }
  }

  private @Nullable DeviceBlock takeBlock(int element) {
    int sizeClass = table.sizeClass[element];
    DeviceBlock pooled = takePooled(sizeClass);
    if (pooled != null) {
      return pooled;
    }
    while (true) {
      DeviceBlock block = allocateOrOverwrite(sizeClass);
      if (block != null) {
        return block;
      }
      if (store.freePooled()) {
        continue;
      }
      int victim = policy.victimFor(element);
      if (victim < 0) {
        return null;
      }
      DeviceBlock freed = evictFor(victim, sizeClass);
      if (freed != null) {
        return freed;
      }
    }
  }

  /** A new block, or the one of an input that waits for a later queue: such inputs leave first. */
  private @Nullable DeviceBlock allocateOrOverwrite(int sizeClass) {
    DeviceBlock block = store.allocate(sizeClass);
    if (block == null) {
      block = store.pollOldestKept(sizeClass);
      counters.poolReuses += block != null ? 1 : 0;
    }
    return block;
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
    if (table.presence[element].isInPlace()) {
      return;
    }
    if (slow != null) {
      slow.drop(element);
    }
    if (options.write() == WritePolicy.THROUGH) {
      save(element);
    }
  }

  /** Copies a value that is in fast memory alone to the next tier that has room for it. */
  private void save(int element) {
    DeviceBlock block = table.resident(element);
    if (slow == null || !slow.save(element, block)) {
      host.store(element, block);
    }
  }

  /** Whether the element is absent and its data can be copied in. */
  boolean canPrefetch(int element) {
    return table.block[element] == null
        && (slow == null || !slow.has(element))
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
    long evictionsBefore = counters.evictions;
    int sizeClass = table.sizeClass[element];
    Lines bounded = boundedLines(element);
    DeviceBlock block = bounded == null && slow == null ? takeKept(element) : null;
    if (block != null) {
      markReplaced(element, evictionsBefore);
      insert(element, block, Presence.AHEAD);
      return true;
    }
    if (bounded != null && bounded.empty(bounded.set(element)) == 0) {
      int victim = use < 0 ? -1 : victimIn(bounded.set(element), element);
      if (victim < 0 || table.nextUse[victim] <= use) {
        return false;
      }
      block = evictFor(victim, sizeClass);
    }
    block = block == null ? takePooled(sizeClass) : block;
    while (block == null) {
      block = allocateOrOverwrite(sizeClass);
      if (block != null || store.freePooled()) {
        continue;
      }
      int victim = use < 0 || slow != null ? -1 : policy.victimFor(element);
      if (victim < 0 || table.nextUse[victim] <= use) {
        return false;
      }
      block = evictFor(victim, sizeClass);
    }
    if (bounded != null) {
      bounded.take(element);
    }
    markReplaced(element, evictionsBefore);
    counters.prefetches++;
    insert(element, block, Presence.AHEAD);
    load(element, block);
    return true;
  }

  /** Notes whether anything left since {@code evictionsBefore}, which was for this element. */
  private void markReplaced(int element, long evictionsBefore) {
    table.clear(element, ElementTable.REPLACED);
    if (counters.evictions > evictionsBefore) {
      table.set(element, ElementTable.REPLACED);
    }
  }

  /** Lets the next look-up of a resident element count as a miss. */
  public void markAhead(int element) {
    prefetchedBytes += table.presence[element] == Presence.AHEAD ? 0 : table.bytes[element];
    table.presence[element] = Presence.AHEAD;
  }

  /** A resident element was looked up. */
  void lookedUp(int element) {
    leaveAhead(element, Presence.RESIDENT);
  }

  private void leaveAhead(int element, Presence next) {
    prefetchedBytes -= table.presence[element] == Presence.AHEAD ? table.bytes[element] : 0;
    table.presence[element] = next;
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
    if (costs.isDead(element)) {
      counters.deadEvictions++;
      host.drop(element);
      dropSlow(element);
      table.clear(element, ElementTable.DEFINED);
    } else if (costs.isDirty(element)) {
      counters.dirtyEvictions++;
      if (!mustSave && costs.isRecomputedRather(element)) {
        table.set(element, ElementTable.DROPPED);
      } else {
        save(element);
      }
    }
    return detach(element, true);
  }

  /** Makes sure that the host has the value of an element that is on the device. */
  public void sync(int element) {
    if (costs.isDirty(element)) {
      save(element);
    }
  }

  private void dropSlow(int element) {
    if (slow != null) {
      slow.drop(element);
    }
  }

  /** Moves the block of an element to {@code free_pool}; the value of an intermediate is lost. */
  public void release(int element) {
    host.drop(element);
    endInPlace(element);
    dropSlow(element);
    DeviceBlock present = table.block[element];
    if (present != null) {
      boolean keep = table.keepsInput[element] && present.isLoaded();
      detach(element, false).content = keep ? table.inputKey[element] : 0;
      store.pool(present);
    }
    table.clear(
        element,
        ElementTable.DEFINED
            | ElementTable.DOOMED
            | ElementTable.DROPPED
            | ElementTable.OVERWRITTEN);
    table.recomputation[element] = null;
  }

  /** Takes the copy of an element off the device that is worth nothing any more. */
  public void discard(int element) {
    if (table.block[element] != null) {
      store.pool(detach(element, false));
    }
  }

  private DeviceBlock detach(int element, boolean evicted) {
    DeviceBlock block = table.resident(element);
    table.block[element] = null;
    leaveAhead(element, Presence.ABSENT);
    transfers.abandon(block);
    policy.removed(element, evicted);
    leaveLine(element);
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
    } else if (slow != null && slow.find(element) != null) {
      block = slow.find(element);
      transfers.synchronize(transfers.download(Objects.requireNonNull(block), target, offset));
    } else if (host.has(element)) {
      host.read(element, target, offset);
    } else if (block != null) {
      transfers.synchronize(transfers.download(block, target, offset));
    } else {
      throw new IllegalStateException("value is lost: " + table.describe(element));
    }
  }

  /** The slow tier, for the audit; null without one. */
  @Nullable SlowTier slow() {
    return slow;
  }

  /** Gives memory of others back; all elements are released. */
  public void close() {
    if (slow != null) {
      slow.close();
    }
  }

  /** Device memory for elements that come and go, in bytes. */
  public long capacityBytes() {
    return costs.capacityBytes();
  }

  @Override
  public long bytes(int element) {
    return table.bytes[element];
  }

  @Override
  public boolean evictable(int element) {
    return table.block[element] != null
        && !table.has(element, ElementTable.PINNED | ElementTable.HELD)
        && !table.presence[element].isInPlace()
        && (onlySet == ANY_SET || (lines != null && lines.isIn(element, onlySet)));
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
    return costs.ofEviction(element);
  }

  @Override
  public boolean plannedToStay(int element) {
    return table.has(element, ElementTable.STAYS);
  }
}
