package org.starlingqcd.memhc;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.starlingqcd.memhc.transfer.DeviceBlock;

/** Derives the invariants of the tables from scratch and compares them with the books. */
final class Audit extends Part {
  private final ElementCache cache;

  Audit(Tables tables, ElementCache cache) {
    super(tables);
    this.cache = cache;
  }

  /**
   * Checks every invariant; O(elements + blocks).
   *
   * @throws IllegalStateException naming the first that does not hold
   */
  void run() {
    Set<DeviceBlock> blocks = Collections.newSetFromMap(new IdentityHashMap<>());
    long residentBytes = 0;
    long held = 0;
    int pinned = 0;
    long pinnedBytes = 0;
    long prefetchedBytes = 0;
    for (int element = 0; element < table.count; element++) {
      DeviceBlock block = table.block[element];
      Presence presence = table.presence[element];
      boolean inPlace = presence.isInPlace();
      require(
          (block == null) == (presence == Presence.ABSENT), "presence and block disagree", element);
      DeviceBlock below = slow == null ? null : slow.find(element);
      if (block != null && !inPlace) {
        require(block != below, "an element in fast memory has a block of slow memory", element);
        require(blocks.add(block), "one block serves two elements", element);
        require(!store.isPooled(block), "the block of an element is in free_pool", element);
        require(block.bytes == table.bytes[element], "block and element differ in size", element);
        residentBytes += block.bytes;
      }
      require(!inPlace || (block != null && block == below), "not in slow memory", element);
      if (below != null && slow != null) {
        require(blocks.add(below), "one block serves two elements", element);
        require(!slow.store.isPooled(below), "a block in use is in free_pool", element);
        require(below.bytes == table.bytes[element], "block and element differ in size", element);
      }
      boolean input = table.has(element, ElementTable.INPUT);
      boolean defined = table.has(element, ElementTable.DEFINED);
      boolean pin = table.has(element, ElementTable.PINNED);
      require(!input || !defined, "an input is marked as an intermediate", element);
      require(!input || table.source[element] != null, "an input has no source", element);
      require(!pin || block != null, "a pinned element is not resident", element);
      require(
          pin || !table.has(element, ElementTable.WRITTEN | ElementTable.DOOMED),
          "an element that is not pinned is being written or released",
          element);
      require(block == null || pin || input || defined, "a resident element has no value", element);
      require(
          !defined
              || block != null
              || host.has(element)
              || below != null
              || table.has(element, ElementTable.DROPPED),
          "the value of an intermediate is lost",
          element);
      require(!host.has(element) || defined, "a host copy of nothing", element);
      require(pin || presence != Presence.FRESH, "a fresh element is not pinned", element);
      boolean hold = table.has(element, ElementTable.HELD);
      held += hold ? table.bytes[element] : 0;
      prefetchedBytes += presence == Presence.AHEAD ? table.bytes[element] : 0;
      pinned += table.pins[element];
      require(pin == table.pins[element] > 0, "the flag and the pins disagree", element);
      require(pin || !inPlace, "used in place without being pinned", element);
      pinnedBytes += pin && !hold && !inPlace ? table.bytes[element] : 0;
    }
    Lines lines = cache.lines();
    if (lines != null) {
      lines.audit();
      for (int element = 0; element < table.count; element++) {
        boolean bound = lines.has(element);
        require(!bound || table.block[element] != null, "an absent element has a line", element);
        require(
            bound || table.block[element] == null || table.has(element, ElementTable.HELD),
            "a resident element has no line",
            element);
      }
    }
    compare("held elements", held, table.heldBytes);
    compare("pins", pinned, pins.count());
    compare("bytes of pinned elements", pinnedBytes, pins.bytes());
    compare("bytes in free_pool", store.countPooledBytes(), store.pooledBytes());
    compare(
        "bytes held of the device",
        residentBytes + store.pooledBytes() + store.reservedBytes(),
        store.heldBytes());
    compare("bytes of host memory", host.countBytes(), host.heldBytes());
    compare("bytes prefetched", prefetchedBytes, cache.prefetchedBytes());
    if (slow != null) {
      compare(
          "bytes held of slow memory",
          slow.countBytes() + slow.store.countPooledBytes(),
          slow.store.heldBytes());
      bound("slow memory", slow.store.heldBytes(), options.slowBytes);
    }
    bound("host memory", host.heldBytes(), host.boundBytes());
    bound("device memory", store.heldBytes(), options.budgetBytes());
  }

  private void require(boolean holds, String otherwise, int element) {
    if (!holds) {
      throw new IllegalStateException("audit: " + otherwise + ": " + table.describe(element));
    }
  }

  private static void bound(String what, long held, long bound) {
    if (held > bound) {
      throw new IllegalStateException(
          "audit: more " + what + " than its bound: held=" + held + " bound=" + bound);
    }
  }

  private static void compare(String what, long derived, long booked) {
    if (derived != booked) {
      throw new IllegalStateException(
          "audit: " + what + ": derived=" + derived + " booked=" + booked);
    }
  }
}
