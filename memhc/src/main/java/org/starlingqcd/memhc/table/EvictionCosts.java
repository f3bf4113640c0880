package org.starlingqcd.memhc.table;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.Recomputation;
import org.starlingqcd.memhc.transfer.HostTier;

/** What it costs that an element leaves fast memory: nothing, copies, or computing it again. */
final class EvictionCosts {
  private final ElementTable table;
  private final BlockStore store;
  private final HostTier host;
  private final @Nullable SlowTier slow;
  private final Schedule schedule;
  private final TableOptions options;

  EvictionCosts(
      ElementTable table,
      BlockStore store,
      HostTier host,
      @Nullable SlowTier slow,
      Schedule schedule,
      TableOptions options) {
    this.table = table;
    this.store = store;
    this.host = host;
    this.slow = slow;
    this.schedule = schedule;
    this.options = options;
  }

  /** Device memory for elements that come and go, in bytes. */
  long capacityBytes() {
    return options.budgetBytes() - store.reservedBytes() - table.heldBytes;
  }

  /** Bytes that move if an element leaves now and comes back at its next use. */
  long ofEviction(int element) {
    if (isDead(element)) {
      return 0;
    }
    boolean saved =
        table.has(element, ElementTable.INPUT)
            || ((host.has(element) || (slow != null && slow.has(element)))
                && !table.has(element, ElementTable.WRITTEN));
    if (saved) {
      return table.bytes[element];
    }
    return Math.min(2 * table.bytes[element], recomputationCost(element));
  }

  /** Whether computing an element again is cheaper than copying it out and back. */
  boolean isRecomputedRather(int element) {
    return recomputationCost(element) < 2 * table.bytes[element];
  }

  /** Whether nothing uses an element any more. */
  boolean isDead(int element) {
    return table.nextUse[element] == AccessQueue.NEVER && schedule.queue() != null;
  }

  /** Whether the value of an element is in fast memory alone. */
  boolean isDirty(int element) {
    return !table.has(element, ElementTable.INPUT)
        && table.has(element, ElementTable.DEFINED)
        && !host.has(element)
        && (slow == null || !slow.has(element))
        && !table.has(element, ElementTable.DROPPED)
        && !table.presence[element].isInPlace();
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
}
