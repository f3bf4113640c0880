package org.starlingqcd.memhc;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.InputSource;
import org.starlingqcd.memhc.access.StepKind;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.memhc.policy.EvictionPolicy;
import org.starlingqcd.memhc.policy.Residency;
import org.starlingqcd.memhc.transfer.DeviceBlock;

/**
 * Which elements are on the device: brings them in, evicts and releases them, and tells the policy
 * about them. The order under oversubscription is the paper's: first a block of {@code free_pool},
 * then a new block, then {@code free_pool} is returned to the device, and only then is anything
 * evicted. With an organization, an element needs a line as well as a block. With slow memory, what
 * gets no block is used there.
 */
final class ElementCache extends Part implements Residency {
  private static final int ANY_SET = -1;

  /** Bound on lines where their number follows from the budget. */
  private static final int MOST_LINES = 1 << 20;

  // Which elements may leave for another: those whose next use comes after this step.
  private static final int ALL = -1;
  private static final int NONE = AccessQueue.NEVER;

  private @Nullable Lines lines;

  /** The set that a victim is looked for in. */
  private int onlySet = ANY_SET;

  private long prefetchedBytes;
  private boolean mustSave;

  /** A cache without elements; opens the policy. */
  ElementCache(Tables tables) {
    super(tables);
    follow(options.policy());
  }

  /** Evicts by a policy from now on. */
  void follow(String policy) {
    EvictionPolicy followed = EvictionPolicies.create(policy);
    followed.open(this, options.seed());
    tables.policy = followed;
    for (int element = 0; element < table.count; element++) {
      if (table.block[element] != null && !table.presence[element].isInPlace()) {
        followed.inserted(element);
      }
    }
  }

  /**
   * Brings a missing element in: a block, and its data unless it has none yet. With slow memory the
   * element stays there if nothing is free and bringing it in does not pay.
   *
   * @return false when no block can be had because everything else is pinned
   */
  boolean bringIn(int element, Pins pins) {
    boolean pays = pays(element);
    if (bringIn(element, Presence.FRESH, pays ? ALL : NONE)) {
      return true;
    }
    if (slow == null) {
      return false;
    }
    DeviceBlock place = slow.findOrBorrow(element);
    if (place == null) {
      place = slow.take(element);
      if (place == null) {
        // Slow memory is full or not there, so others have to leave after all.
        return !pays && bringIn(element, Presence.FRESH, ALL);
      }
      load(element, place);
    }
    table.block[element] = place;
    pins.useInPlace(element, pays ? Presence.IN_PLACE : Presence.BYPASSED);
    return true;
  }

  /**
   * Brings an element in ahead of its use.
   *
   * @param use the step that uses it if room may be made for it, otherwise -1
   * @return false when that would cost what is used no later
   */
  boolean prefetch(int element, int use) {
    return bringIn(
        element, Presence.AHEAD, use < 0 || (slow != null && !tables.aside) ? NONE : use);
  }

  private boolean bringIn(int element, Presence how, int beyond) {
    long evictionsBefore = counters.evictions;
    Lines bounded = boundedLines(element);
    DeviceBlock block = bounded == null && slow == null ? takeKept(element) : null;
    boolean loaded = block != null;
    if (bounded != null) {
      int set = bounded.set(element);
      int victim = bounded.empty(set) > 0 || beyond == NONE ? -1 : victimIn(set, element);
      if (bounded.empty(set) > 0) {
        bounded.take(element);
      } else if (victim >= 0 && table.nextUse[victim] > beyond) {
        block = evictFor(victim, table.sizeClass[element]);
        bounded.take(element);
      } else if (how == Presence.FRESH) {
        block = takeAnyLine(element, bounded);
      } else {
        return false;
      }
    }
    block = block == null ? takeBlock(element, beyond) : block;
    if (block == null) {
      leaveLine(element);
      return false;
    }
    table.clear(element, ElementTable.REPLACED);
    if (counters.evictions > evictionsBefore) {
      table.set(element, ElementTable.REPLACED);
    }
    table.block[element] = block;
    table.presence[element] = how;
    prefetchedBytes += how == Presence.AHEAD ? table.bytes[element] : 0;
    tables.policy.inserted(element);
    if (!loaded) {
      counters.prefetches += how == Presence.AHEAD ? 1 : 0;
      load(element, block);
    }
    return true;
  }

  /**
   * A block of {@code free_pool}, a new one, or that of a victim.
   *
   * @param beyond only elements with a later next use leave
   */
  private @Nullable DeviceBlock takeBlock(int element, int beyond) {
    int sizeClass = table.sizeClass[element];
    DeviceBlock block = counted(store.poll(sizeClass));
    while (block == null) {
      block = store.allocate(sizeClass);
      // Inputs that wait for a later queue leave first.
      block = block == null ? counted(store.pollOldestKept(sizeClass)) : block;
      if (block == null && !store.freePooled()) {
        int victim = beyond == NONE ? -1 : tables.policy.victimFor(element);
        if (victim < 0 || table.nextUse[victim] <= beyond) {
          return null;
        }
        block = evictFor(victim, sizeClass);
      }
    }
    return block;
  }

  /**
   * The block of {@code free_pool} that still holds the data of an input, which an element of an
   * earlier queue has left there; null if there is none.
   */
  private @Nullable DeviceBlock takeKept(int element) {
    long key = table.inputKey[element];
    return key == 0 ? null : counted(store.pollKept(table.sizeClass[element], key));
  }

  private @Nullable DeviceBlock counted(@Nullable DeviceBlock pooled) {
    counters.poolReuses += pooled != null ? 1 : 0;
    return pooled;
  }

  /** Whether other elements may leave fast memory for an element that could be used in place. */
  boolean pays(int element) {
    if (slow == null || tables.aside) {
      return true;
    }
    boolean byChoice =
        schedule.queue() != null
            && (slow.suitsProducts || schedule.kind() == StepKind.TRACE)
            && !tables.policy.admits(element, table.usesLeft[element]);
    return options.tiering() == Tiering.GUIDED && !byChoice;
  }

  /** Ends the use of an element in slow memory, where it stays. */
  void endInPlace(int element) {
    if (table.presence[element].isInPlace()) {
      table.presence[element] = Presence.ABSENT;
      table.block[element] = null;
    }
  }

  /** The lines that bound where an element goes; null when none do. */
  private @Nullable Lines boundedLines(int element) {
    if (table.has(element, ElementTable.HELD)) {
      return null;
    }
    if (lines == null && (options.lines() > 0 || options.organization().ways() > 0)) {
      long count =
          options.lines() > 0 ? options.lines() : tables.capacityBytes() / table.largestBytes;
      lines =
          new Lines(
              options.organization(),
              (int) Math.max(1, Math.min(MOST_LINES, count)),
              options.organization().byAddress() ? table::address : number -> number,
              options.seed());
    }
    return lines;
  }

  /**
   * Gives an element whose set is locked any unlocked line; when all are locked, a place until its
   * batch is launched.
   *
   * @return the block of the element that left, if it can be overwritten
   */
  private @Nullable DeviceBlock takeAnyLine(int element, Lines bounded) {
    int line = bounded.drawUnlocked(this::evictable);
    if (line < 0) {
      bounded.takeTemporary(element);
      return null;
    }
    int holder = bounded.holder(line);
    DeviceBlock freed = holder < 0 ? null : evictFor(holder, table.sizeClass[element]);
    bounded.take(element, line);
    return freed;
  }

  /** The policy's choice among the elements of a set; -1 when all are locked. */
  private int victimIn(int set, int element) {
    onlySet = set;
    int victim = tables.policy.victimFor(element);
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
    Map<Integer, Integer> wanted = new HashMap<>();
    for (int k = from; k < pins.count(); k++) {
      int element = pins.get(k);
      boolean missing = pins.isFirst(k) && table.block[element] == null;
      Lines bounded = missing ? boundedLines(element) : null;
      if (bounded != null) {
        int set = bounded.set(element);
        if (wanted.merge(set, 1, Integer::sum) > bounded.empty(set)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The lines, for the audit; null when nothing is bound to lines. */
  @Nullable Lines lines() {
    return lines;
  }

  /** Copies the data of an element into a block, unless it has none or they are not needed. */
  private void load(int element, DeviceBlock block) {
    boolean needed = !table.has(element, ElementTable.OVERWRITTEN);
    DeviceBlock place = slow == null ? null : slow.findOrBorrow(element);
    InputSource source = table.source[element];
    if (place != null && place != block) {
      if (needed) {
        transfers.moveIn(place, block);
      }
    } else if (source != null) {
      transfers.load(element, source, block);
    } else if (host.has(element) && needed) {
      host.fetch(element, block);
    }
  }

  /** Evicts an element; returns its block if it can be overwritten and null if it was freed. */
  private @Nullable DeviceBlock evictFor(int victim, int sizeClass) {
    DeviceBlock freed = evict(victim);
    if (options.overwriteVictims && freed.sizeClass == sizeClass) {
      counters.victimReuses++;
      return freed;
    }
    store.free(freed);
    return null;
  }

  /** An intermediate has a new value on the device. */
  void written(int element) {
    host.drop(element);
    if (!table.presence[element].isInPlace()) {
      dropSlow(element);
      if (options.writePolicy() == WritePolicy.THROUGH) {
        save(element);
      }
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
        && (tables.aside || slow == null || !slow.has(element))
        && (table.has(element, ElementTable.INPUT) || tables.isBeneath(element));
  }

  /** Bytes of elements prefetched and not looked up yet. */
  long prefetchedBytes() {
    return prefetchedBytes;
  }

  /** Lets the next look-up of a resident element count as a miss. */
  void markAhead(int element) {
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
          "policy "
              + tables.policy.name()
              + " chose what cannot be evicted: "
              + table.describe(element));
    }
    counters.evictions++;
    counters.evictedBytes += table.bytes[element];
    if (tables.isDead(element)) {
      counters.deadEvictions++;
      host.drop(element);
      dropSlow(element);
      table.clear(element, ElementTable.DEFINED);
    } else if (tables.isDirty(element)) {
      counters.dirtyEvictions++;
      boolean keep = mustSave || table.has(element, ElementTable.NEEDED);
      if (!keep && tables.isRecomputedRather(element)) {
        table.set(element, ElementTable.DROPPED);
      } else {
        save(element);
      }
    }
    return detach(element, true);
  }

  /** Makes sure that the host has the value of an element that is on the device. */
  void sync(int element) {
    if (tables.isDirty(element)) {
      save(element);
    }
  }

  private void dropSlow(int element) {
    if (slow != null) {
      slow.drop(element);
    }
  }

  /** Moves the block of an element to {@code free_pool}; the value of an intermediate is lost. */
  void release(int element) {
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
  }

  /** Takes the copy of an element off the device that is worth nothing any more. */
  void discard(int element) {
    if (table.block[element] != null) {
      store.pool(detach(element, false));
    }
  }

  private DeviceBlock detach(int element, boolean evicted) {
    DeviceBlock block = table.resident(element);
    table.block[element] = null;
    leaveAhead(element, Presence.ABSENT);
    transfers.abandon(block);
    tables.policy.removed(element, evicted);
    leaveLine(element);
    return block;
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
    int victim = tables.policy.victim();
    if (victim >= 0) {
      store.free(evict(victim));
    }
    return victim >= 0;
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
  void giveBackAll() {
    for (int element = 0; element < table.count; element++) {
      if (evictable(element)) {
        sync(element);
        store.free(detach(element, true));
      }
    }
    while (store.freePooled()) {}
  }

  /** Copies the value of an element that is not to be recomputed to the host and waits for it. */
  void read(int element, HostMemory target, long offset) {
    DeviceBlock inSlow = slow == null ? null : slow.find(element);
    DeviceBlock block = inSlow == null ? table.block[element] : inSlow;
    InputSource source = table.source[element];
    if (source != null) {
      transfers.read(element, source, target, offset);
    } else if (inSlow == null && host.has(element)) {
      host.read(element, target, offset);
    } else if (block != null) {
      transfers.synchronize(transfers.download(block, target, offset));
    } else {
      throw new IllegalStateException("value is lost: " + table.describe(element));
    }
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
    return tables.evictionCost(element);
  }

  @Override
  public boolean plannedToStay(int element) {
    return table.has(element, ElementTable.STAYS);
  }
}
