package org.starlingqcd.memhc.table;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.Recomputation;
import org.starlingqcd.memhc.cache.Counters;
import org.starlingqcd.memhc.policy.EvictionPolicy;
import org.starlingqcd.memhc.transfer.DeviceBlock;
import org.starlingqcd.memhc.transfer.Transfers;

/** Makes the elements of a contraction resident and pins them, all or none. */
public final class Placement {
  /** Flags of an element that has a value. */
  public static final int HAS_VALUE = ElementTable.INPUT | ElementTable.DEFINED;

  private final Device device;
  private final ElementTable table;
  private final Pins pins;
  private final BlockStore store;
  private final ElementCache cache;
  private final Transfers transfers;
  private final EvictionPolicy policy;
  private final Counters counters;
  private final MemHCOptions options;

  public Placement(
      Device device,
      ElementTable table,
      Pins pins,
      BlockStore store,
      ElementCache cache,
      Transfers transfers,
      EvictionPolicy policy,
      Counters counters,
      MemHCOptions options) {
    this.device = device;
    this.table = table;
    this.pins = pins;
    this.store = store;
    this.cache = cache;
    this.transfers = transfers;
    this.policy = policy;
    this.counters = counters;
    this.options = options;
  }

  /**
   * Pins the elements of one contraction and brings in those that are missing.
   *
   * @return false when they do not fit beside those pinned before; nothing is pinned then
   */
  public boolean place(int[] inputs, int nIn, int[] outputs, int nOut) {
    int before = pins.count();
    for (int k = 0; k < nIn; k++) {
      pins.add(inputs[k]);
    }
    for (int k = 0; k < nOut; k++) {
      pins.add(outputs[k]);
    }
    if (pins.bytes() + fixedBytes() > options.budgetBytes()
        || (before > 0 && wouldEvict(before))
        || !bringIn(before)) {
      unpin(before);
      return false;
    }
    for (int k = 0; k < nIn; k++) {
      lookUp(inputs[k]);
    }
    for (int k = 0; k < nOut; k++) {
      table.set(outputs[k], ElementTable.WRITTEN);
      lookUp(outputs[k]);
      transfers.beforeWriting(table.resident(outputs[k]));
    }
    return true;
  }

  /** Bytes that never leave. */
  public long fixedBytes() {
    return table.heldBytes + store.reservedBytes();
  }

  /**
   * Whether room for the elements pinned from place {@code from} on takes an eviction. With others
   * pinned before them it is better to launch those first: what dies with them need not be evicted
   * around, and the choice of a victim is not narrowed by the batch.
   */
  private boolean wouldEvict(int from) {
    if (!options.liveness()) {
      return false;
    }
    long missing = 0;
    for (int k = from; k < pins.count(); k++) {
      missing += table.block[pins.get(k)] == null ? table.bytes[pins.get(k)] : 0;
    }
    return missing > options.budgetBytes() - store.heldBytes() + store.pooledBytes();
  }

  /** Counts a look-up and tells the policy of it, unless it is the one that brought it in. */
  private void lookUp(int element) {
    int flags = table.flags[element];
    if ((flags & (ElementTable.FRESH | ElementTable.PREFETCHED)) == 0) {
      counters.hits++;
      counters.hitBytes += table.bytes[element];
      policy.accessed(element);
      return;
    }
    counters.misses++;
    counters.missBytes += table.bytes[element];
    table.clear(element, ElementTable.FRESH);
    cache.clearPrefetched(element);
    if ((flags & ElementTable.FRESH) == 0) {
      policy.accessed(element);
    }
    transfers.beforeReading(table.resident(element));
  }

  private boolean bringIn(int from) {
    if (bringInMissing(from)) {
      return true;
    }
    if (from > 0) {
      return false;
    }
    // Nothing else is pinned, so the device's memory is fragmented, or shorter than the budget:
    // empty it and place the elements of this contraction anew.
    int[] wanted = new int[pins.count()];
    for (int k = 0; k < wanted.length; k++) {
      wanted[k] = pins.get(k);
    }
    unpin(0);
    boolean saving = cache.mustSave(true);
    cache.evictAll();
    cache.mustSave(saving);
    for (int element : wanted) {
      pins.add(element);
    }
    return bringInMissing(0);
  }

  private boolean bringInMissing(int from) {
    for (int k = from; k < pins.count(); k++) {
      if (table.block[pins.get(k)] == null && !cache.bringIn(pins.get(k))) {
        return false;
      }
    }
    return true;
  }

  /** Unpins what a failed call had pinned; blocks that were to be outputs are released. */
  private void unpin(int from) {
    int count = pins.count();
    pins.truncate(from);
    for (int k = from; k < count; k++) {
      int element = pins.get(k);
      if (table.block[element] == null) {
        continue;
      }
      if ((table.flags[element] & HAS_VALUE) == 0) {
        cache.release(element);
      } else if (table.has(element, ElementTable.FRESH)) {
        table.clear(element, ElementTable.FRESH);
        cache.markPrefetched(element);
      }
    }
  }

  /**
   * Computes an element again that was dropped, and before it those of its inputs that were. While
   * this goes on nothing is dropped, so that it comes to an end. Nothing is pinned before or after.
   *
   * @return false when its inputs and it do not fit
   */
  public boolean restore(int element) {
    boolean saving = cache.mustSave(true);
    boolean restored = restoreSaving(element);
    cache.mustSave(saving);
    return restored;
  }

  private boolean restoreSaving(int element) {
    Recomputation how = table.recomputation[element];
    if (how == null) {
      throw new IllegalStateException("cannot be recomputed: " + table.describe(element));
    }
    for (int input : how.inputs()) {
      if (table.has(input, ElementTable.DROPPED) && !restoreSaving(input)) {
        return false;
      }
      if ((table.flags[input] & HAS_VALUE) == 0) {
        throw new IllegalStateException(
            "released though another is made of it: " + table.describe(input));
      }
    }
    table.clear(element, ElementTable.DROPPED | ElementTable.DEFINED);
    how.inputs().forEach(pins::add);
    pins.add(element);
    if (pins.bytes() + fixedBytes() > options.budgetBytes() || !bringIn(0)) {
      unpin(0);
      table.set(element, ElementTable.DROPPED | ElementTable.DEFINED);
      return false;
    }
    List<DeviceMemory> inputs = new ArrayList<>();
    for (int input : how.inputs()) {
      transfers.beforeReading(table.resident(input));
      inputs.add(table.resident(input).memory);
    }
    DeviceBlock block = table.resident(element);
    transfers.beforeWriting(block);
    how.kernel().launch(element, inputs, block.memory);
    counters.recomputations++;
    DeviceEvent event = device.record(device.computeStream());
    for (int k = 0; k < pins.count(); k++) {
      int used = pins.get(k);
      table.resident(used).used = event;
      if (table.has(used, ElementTable.FRESH)) {
        table.clear(used, ElementTable.FRESH);
        cache.markPrefetched(used);
      }
    }
    table.set(element, ElementTable.DEFINED);
    pins.truncate(0);
    return true;
  }
}
