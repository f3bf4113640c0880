package org.starlingqcd.memhc;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.MemoryKind;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.Recomputation;
import org.starlingqcd.memhc.cache.Counters;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.memhc.policy.EvictionPolicy;
import org.starlingqcd.memhc.transfer.HostTier;
import org.starlingqcd.memhc.transfer.Transfers;

/**
 * What the parts of one MemHC share, and what all of it together says of an element: whether it is
 * dead or changed, and what it costs that it leaves fast memory.
 */
final class Tables {
  final Device device;
  final MemHCOptions options;
  EvictionPolicy policy;
  final Counters counters = new Counters();
  final ElementTable table = new ElementTable();
  final Pins pins = new Pins(table);
  final Schedule schedule;
  final BlockStore store;
  final Transfers transfers;
  final HostTier host;
  final @Nullable SlowTier slow;

  /** Whether slow memory takes only what leaves fast memory, as if there were one tier. */
  boolean aside;

  /** How steps of the queue run again; null when nothing is computed again. */
  @Nullable Recomputation recomputation;

  Tables(Device device, MemHCOptions options) {
    this.device = device;
    this.options = options;
    policy = EvictionPolicies.create(options.policy());
    schedule = new Schedule(this);
    store = new BlockStore(device, options, MemoryKind.FAST, table, counters);
    transfers = new Transfers(device, counters, options.hostMemory());
    host =
        new HostTier(device, transfers, counters, options.host, element -> table.nextUse[element]);
    slow =
        options.tiering() == Tiering.OFF
            ? null
            : new SlowTier(
                table,
                new BlockStore(device, options, MemoryKind.SLOW, table, counters),
                transfers,
                host,
                counters);
  }

  /** Bytes of elements and blocks that never leave. */
  long fixedBytes() {
    return table.heldBytes + store.reservedBytes();
  }

  /** Device memory for elements that come and go, in bytes. */
  long capacityBytes() {
    return options.budgetBytes() - fixedBytes();
  }

  /** Device memory that elements could take without an eviction, in bytes. */
  long roomBytes() {
    return options.budgetBytes() - store.heldBytes() + store.pooledBytes();
  }

  /** Whether nothing uses an element any more. */
  boolean isDead(int element) {
    return table.nextUse[element] == AccessQueue.NEVER && schedule.queue() != null;
  }

  /** Whether a tier beneath fast memory has the value of an element. */
  boolean isBeneath(int element) {
    return host.has(element) || (slow != null && slow.has(element));
  }

  /** Whether the value of an element is in fast memory alone. */
  boolean isDirty(int element) {
    return !table.has(element, ElementTable.INPUT | ElementTable.DROPPED)
        && table.has(element, ElementTable.DEFINED)
        && !isBeneath(element)
        && !table.presence[element].isInPlace();
  }

  /** Bytes that move if an element leaves now and comes back at its next use. */
  long evictionCost(int element) {
    if (isDead(element)) {
      return 0;
    }
    boolean saved =
        table.has(element, ElementTable.INPUT)
            || (isBeneath(element) && !table.has(element, ElementTable.WRITTEN));
    return saved
        ? table.bytes[element]
        : Math.min(2 * table.bytes[element], recomputationCost(element));
  }

  /** Whether computing an element again is cheaper than copying it out and back. */
  boolean isRecomputedRather(int element) {
    return (table.has(element, ElementTable.REMADE) && table.maker[element] >= 0)
        || recomputationCost(element) < 2 * table.bytes[element];
  }

  /**
   * Cost of recomputing an element at its next use, in bytes, with those of the inputs that would
   * have to be brought in; {@code Long.MAX_VALUE} when it cannot be recomputed.
   */
  private long recomputationCost(int element) {
    AccessQueue queue = schedule.queue();
    int maker = table.maker[element];
    if (queue == null || maker < 0) {
      return Long.MAX_VALUE;
    }
    int step = table.nextUse[element];
    long absent = 0;
    long working = table.bytes[element];
    for (int k = queue.firstAccess(maker); k < queue.firstOutput(maker); k++) {
      int input = queue.element(k);
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
    return schedule.recomputedBytes(maker) + (room ? absent : 2 * absent);
  }

  /** Whether an operand is on the device and, as far as is known, stays there. */
  private boolean isAtHand(int operand) {
    return table.block[operand] != null
        && (!schedule.isPlanned() || table.has(operand, ElementTable.STAYS | ElementTable.HELD));
  }
}
