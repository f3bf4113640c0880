package org.starlingqcd.memhc;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.InputSource;
import org.starlingqcd.memhc.cache.Counters;
import org.starlingqcd.memhc.transfer.DeviceBlock;
import org.starlingqcd.memhc.transfer.HostTier;
import org.starlingqcd.memhc.transfer.Transfers;

/**
 * The slow tier of memory: blocks in the device's layout that kernels can use in place. An element
 * has one here from the time it is used in place or leaves fast memory changed, until it is dead or
 * written in fast memory. When the tier is full, elements that have another copy are dropped, and
 * then values go to the tier beneath, that of the furthest next use first.
 *
 * <p>An input whose source lends memory that holds it is used there; it takes nothing of the tier.
 */
final class SlowTier {
  private final ElementTable table;
  final BlockStore store;
  private final Transfers transfers;
  private final HostTier beneath;
  private final Counters counters;

  /**
   * Whether products use what is here by choice, see {@link Device#multipliesInPlace}; asked once,
   * since a device may have to measure it.
   */
  final boolean suitsProducts;

  /** Blocks in memory of others that no element needs, in the order in which they were dropped. */
  private final ArrayDeque<DeviceBlock> returned = new ArrayDeque<>();

  private @Nullable DeviceBlock[] home = new DeviceBlock[64];

  SlowTier(
      ElementTable table,
      BlockStore store,
      Transfers transfers,
      HostTier beneath,
      Counters counters) {
    this.counters = counters;
    this.table = table;
    this.store = store;
    this.transfers = transfers;
    this.beneath = beneath;
    suitsProducts = store.device.multipliesInPlace();
  }

  /** The block of an element here, or in memory of others; null when there is none. */
  @Nullable DeviceBlock findOrBorrow(int element) {
    DeviceBlock place = find(element);
    return place == null ? borrow(element) : place;
  }

  /** The block of an element, with its value unless it has none yet; null when it is not here. */
  @Nullable DeviceBlock find(int element) {
    return element < home.length ? home[element] : null;
  }

  boolean has(int element) {
    return find(element) != null;
  }

  /**
   * Gives an element a block without data.
   *
   * @return null when everything here is in use, or the tier is too small
   */
  @Nullable DeviceBlock take(int element) {
    DeviceBlock block = takeBlock(table.sizeClass[element]);
    if (block != null) {
      place(element, block);
    }
    return block;
  }

  private void place(int element, DeviceBlock block) {
    if (element >= home.length) {
      home = Arrays.copyOf(home, Math.max(element + 1, 2 * home.length));
    }
    home[element] = block;
  }

  /**
   * Lets an input that lies in memory of somebody else be used where it is.
   *
   * @return its block; null when nobody has it
   */
  private @Nullable DeviceBlock borrow(int element) {
    freeReturned(false);
    InputSource source = table.source[element];
    HostMemory memory = source == null ? null : source.lend(element);
    if (memory == null) {
      return null;
    }
    TensorShape shape = table.shape(element);
    DeviceMemory place = store.device.borrow(memory, shape);
    DeviceBlock block =
        new DeviceBlock(place, List.of(place), table.sizeClass[element], shape, true);
    place(element, block);
    counters.borrowed(block.bytes);
    return block;
  }

  /** Gives memory of others back that nothing in flight uses; waits for what does if asked. */
  private void freeReturned(boolean waiting) {
    while (!returned.isEmpty() && (waiting || isIdle(returned.element()))) {
      DeviceBlock block = returned.remove();
      counters.borrowed(-block.bytes);
      store.device.free(block.memory);
    }
  }

  private boolean isIdle(DeviceBlock block) {
    return isReached(block.used) && isReached(block.drained);
  }

  private boolean isReached(@Nullable DeviceEvent event) {
    return event == null || store.device.isReached(event);
  }

  /** Gives all memory back; no element is here any more. */
  void close() {
    freeReturned(true);
    store.close();
  }

  /**
   * Copies a changed element from fast memory.
   *
   * @return false when there is no room
   */
  boolean save(int element, DeviceBlock fast) {
    DeviceBlock block = take(element);
    if (block != null) {
      transfers.moveOut(fast, block);
    }
    return block != null;
  }

  /** Gives up the block of an element, if it has one. */
  void drop(int element) {
    DeviceBlock block = find(element);
    if (block != null) {
      home[element] = null;
      if (block.borrowed) {
        returned.add(block);
        return;
      }
      transfers.abandon(block);
      store.pool(block);
    }
  }

  private @Nullable DeviceBlock takeBlock(int sizeClass) {
    while (true) {
      DeviceBlock block = store.poll(sizeClass);
      if (block == null) {
        block = store.allocate(sizeClass);
        // What the device cannot give takes ordinary memory.
        beneath.allow(store.refusedBytes());
      }
      if (block != null) {
        return block;
      }
      if (!store.freePooled() && !pushOut()) {
        return null;
      }
    }
  }

  /** Makes room by dropping a copy or, if there is none, sending a value to the tier beneath. */
  private boolean pushOut() {
    int furthest = -1;
    for (int element = 0; element < home.length; element++) {
      DeviceBlock here = home[element];
      if (here == null || here.borrowed || table.has(element, ElementTable.PINNED)) {
        continue;
      }
      if (table.has(element, ElementTable.INPUT)
          || table.block[element] != null
          || beneath.has(element)) {
        drop(element);
        return true;
      }
      if (furthest < 0 || table.nextUse[element] > table.nextUse[furthest]) {
        furthest = element;
      }
    }
    DeviceBlock block = furthest < 0 ? null : home[furthest];
    if (block == null) {
      return false;
    }
    beneath.store(furthest, block);
    drop(furthest);
    return true;
  }

  /** Bytes of the elements here, counted anew, for the audit. */
  long countBytes() {
    long sum = 0;
    for (DeviceBlock block : home) {
      sum += block == null || block.borrowed ? 0 : block.bytes;
    }
    return sum;
  }
}
