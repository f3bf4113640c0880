package org.starlingqcd.memhc.table;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.memhc.transfer.DeviceBlock;
import org.starlingqcd.memhc.transfer.HostTier;
import org.starlingqcd.memhc.transfer.Transfers;

/**
 * The slow tier of memory: blocks in the device's layout that kernels can use in place. An element
 * has one here from the time it is used in place or leaves fast memory changed, until it is dead or
 * written in fast memory. When the tier is full, elements that have another copy are dropped, and
 * then values go to the tier beneath, that of the furthest next use first.
 */
final class SlowTier {
  private final ElementTable table;
  private final BlockStore store;
  private final Transfers transfers;
  private final HostTier beneath;
  private final boolean suitsProducts;
  private @Nullable DeviceBlock[] home = new DeviceBlock[64];

  SlowTier(ElementTable table, BlockStore store, Transfers transfers, HostTier beneath) {
    this.table = table;
    this.store = store;
    this.transfers = transfers;
    this.beneath = beneath;
    suitsProducts = store.device().multipliesInPlace();
  }

  /** Whether products use what is here by choice, see {@link Device#multipliesInPlace}. */
  boolean suitsProducts() {
    return suitsProducts;
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
      if (element >= home.length) {
        home = Arrays.copyOf(home, Math.max(element + 1, 2 * home.length));
      }
      home[element] = block;
    }
    return block;
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
      if (home[element] == null || table.has(element, ElementTable.PINNED)) {
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
      sum += block == null ? 0 : block.bytes;
    }
    return sum;
  }

  /** The blocks of this tier. */
  BlockStore store() {
    return store;
  }
}
