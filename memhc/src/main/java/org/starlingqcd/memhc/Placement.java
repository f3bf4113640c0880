package org.starlingqcd.memhc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.Recomputation;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.transfer.DeviceBlock;

/**
 * Makes the elements of a contraction resident and pins them, all or none, until it is launched.
 */
final class Placement extends Part {
  private final ElementCache cache;

  Placement(Tables tables, ElementCache cache) {
    super(tables);
    this.cache = cache;
  }

  /**
   * Pins the elements of one contraction, brings in those that are missing and recomputes those
   * that were dropped.
   *
   * @return false when they do not fit beside those pinned before; nothing is pinned then
   */
  boolean pin(int[] inputs, int nIn, int[] outputs, int nOut) {
    boolean overwrites = schedule.overwrites();
    need(inputs, nIn, true);
    need(outputs, nOut, true);
    boolean restored = restoreDropped(inputs, nIn) && (overwrites || restoreDropped(outputs, nOut));
    need(inputs, nIn, false);
    need(outputs, nOut, false);
    if (!restored) {
      return false;
    }
    for (int k = 0; overwrites && k < nOut; k++) {
      table.set(outputs[k], ElementTable.OVERWRITTEN);
      table.clear(outputs[k], ElementTable.DROPPED);
    }
    schedule.lookPast();
    boolean placed = place(inputs, nIn, outputs, nOut);
    if (!placed) {
      schedule.lookBack();
    }
    return placed;
  }

  private void need(int[] elements, int count, boolean needed) {
    for (int k = 0; k < count; k++) {
      table.set(elements[k], ElementTable.NEEDED, needed);
    }
  }

  /** Recomputes dropped elements; false when the pinned ones have to be launched first. */
  private boolean restoreDropped(int[] elements, int count) {
    for (int k = 0; k < count; k++) {
      if (table.has(elements[k], ElementTable.DROPPED)
          && (pins.count() > 0 || !restore(elements[k]))) {
        return false;
      }
    }
    return true;
  }

  private boolean place(int[] inputs, int nIn, int[] outputs, int nOut) {
    int before = pins.count();
    for (int k = 0; k < nIn; k++) {
      pins.add(inputs[k]);
    }
    for (int k = 0; k < nOut; k++) {
      pins.add(outputs[k]);
    }
    if (mustWait(before) || !bringIn(before, true)) {
      unpin(before);
      return false;
    }
    for (int k = 0; k < nIn; k++) {
      counters.uncachedBytes += table.bytes[inputs[k]];
      lookUp(inputs[k]);
    }
    for (int k = 0; k < nOut; k++) {
      int flags = table.flags[outputs[k]];
      boolean adds =
          (flags & (ElementTable.DEFINED | ElementTable.WRITTEN)) != 0
              && (flags & ElementTable.OVERWRITTEN) == 0;
      counters.uncachedBytes += (adds ? 2 : 1) * table.bytes[outputs[k]];
      table.clear(outputs[k], ElementTable.OVERWRITTEN);
      table.set(outputs[k], ElementTable.WRITTEN);
      lookUp(outputs[k]);
      transfers.beforeWriting(table.resident(outputs[k]));
    }
    return true;
  }

  /** Whether the batch has to be launched before the elements pinned last can be brought in. */
  private boolean mustWait(int before) {
    boolean tooMany = pins.bytes() - inPlaceBytes(before) > tables.capacityBytes();
    if (before == 0 || (options.lateLocks() && options.tiering() != Tiering.OFF)) {
      // In two tiers what does not fit is used in place; late locks wait for no others either.
      return tooMany && options.tiering() == Tiering.OFF;
    }
    return tooMany || wouldEvict(before) || cache.needsLines(pins, before);
  }

  /** Bytes of the elements pinned from a number on that will be used in slow memory if need be. */
  private long inPlaceBytes(int from) {
    long bytes = 0;
    for (int k = from; k < pins.count(); k++) {
      boolean inPlace = pins.isFirst(k) && usedInPlaceAtNeed(pins.get(k));
      bytes += inPlace ? table.bytes[pins.get(k)] : 0;
    }
    return bytes;
  }

  private boolean usedInPlaceAtNeed(int element) {
    return table.block[element] == null
        && !table.has(element, ElementTable.HELD)
        && !cache.pays(element);
  }

  /**
   * Ends all pins: kernels that use the elements are in the compute stream, {@code event} behind
   * them. Outputs are defined, and elements that are dead or to be released go.
   */
  void launched(DeviceEvent event) {
    int count = pins.count();
    pins.truncate(0);
    boolean releaseDead = schedule.queue() != null && options.liveness();
    for (int k = 0; k < count; k++) {
      int element = pins.get(k);
      if (!pins.isFirst(k)) {
        continue;
      }
      table.resident(element).used = event;
      if (table.has(element, ElementTable.WRITTEN)) {
        table.clear(element, ElementTable.WRITTEN);
        table.set(element, ElementTable.DEFINED);
        cache.written(element);
      }
      cache.endInPlace(element);
      boolean dead = releaseDead && table.nextUse[element] == AccessQueue.NEVER;
      if (table.has(element, ElementTable.DOOMED)
          || (dead && !table.has(element, ElementTable.HELD))) {
        cache.release(element);
      }
    }
    for (int k = 0; k < count; k++) {
      cache.endTemporary(pins.get(k));
    }
    if (!options.reuse) {
      cache.giveBackAll();
    }
  }

  /**
   * Whether the elements pinned from number {@code from} on need an eviction. If others were pinned
   * before them it is better to launch those first: elements that die with that batch make room,
   * and its pins no longer restrict the choice of a victim.
   */
  private boolean wouldEvict(int from) {
    if (!options.liveness()) {
      return false;
    }
    long missing = 0;
    for (int k = from; k < pins.count(); k++) {
      int element = pins.get(k);
      boolean comes =
          pins.isFirst(k) && table.block[element] == null && !usedInPlaceAtNeed(element);
      missing += comes ? table.bytes[element] : 0;
    }
    return missing > tables.roomBytes();
  }

  /** Counts a look-up; the policy hears of it unless it has just heard of the insertion. */
  private void lookUp(int element) {
    Presence presence = table.presence[element];
    if (presence == Presence.RESIDENT) {
      counters.hits++;
      counters.hitBytes += table.bytes[element];
      counters.lookedUp(Outcome.HIT, table.bytes[element]);
      heard(element);
      return;
    }
    counters.misses++;
    counters.missBytes += table.bytes[element];
    counters.lookedUp(missed(element, presence), table.bytes[element]);
    if (!presence.isInPlace()) {
      cache.lookedUp(element);
    }
    if (presence == Presence.AHEAD) {
      heard(element);
    }
    transfers.beforeReading(table.resident(element));
  }

  private Outcome missed(int element, Presence presence) {
    if (presence == Presence.BYPASSED) {
      return Outcome.BYPASS;
    }
    if (presence == Presence.IN_PLACE || cache.isTemporary(element)) {
      return Outcome.FULL;
    }
    return table.has(element, ElementTable.REPLACED) ? Outcome.REPLACE : Outcome.FREE;
  }

  /** Tells the policy of a hit; with late locks it knows already, in the order of the turns. */
  private void heard(int element) {
    if (!options.lateLocks()) {
      tables.policy.accessed(element);
    }
  }

  /**
   * Brings in the elements pinned from a number on.
   *
   * @param forStep whether they are those of the next step, and next uses are those after it
   */
  private boolean bringIn(int from, boolean forStep) {
    if (bringInMissing(from)) {
      return true;
    }
    if (from > 0) {
      return false;
    }
    // Nothing else is pinned, so the memory of the device is fragmented or smaller than the
    // budget: empty it and start again with the elements of this contraction.
    int[] wanted = pins.from(0);
    unpin(0);
    boolean saving = cache.mustSave(true);
    if (forStep) {
      // What this step alone still uses is not dead yet.
      schedule.lookBack();
    }
    cache.evictAll();
    if (forStep) {
      schedule.lookPast();
    }
    cache.mustSave(saving);
    for (int element : wanted) {
      pins.add(element);
    }
    return bringInMissing(0);
  }

  private boolean bringInMissing(int from) {
    return options.lateLocks() ? bringInOneByOne(from) : bringInTogether(from);
  }

  /** Locks and looks up each element only when its turn comes; it may leave for one before it. */
  private boolean bringInOneByOne(int from) {
    int[] wanted = pins.from(from);
    pins.truncate(from);
    boolean there = true;
    for (int element : wanted) {
      if (!pins.add(element)) {
        continue;
      }
      if (there && table.block[element] != null) {
        tables.policy.accessed(element);
      } else {
        there = there && cache.bringIn(element, pins);
      }
    }
    return there;
  }

  private boolean bringInTogether(int from) {
    for (int k = from; k < pins.count(); k++) {
      if (table.block[pins.get(k)] == null && !cache.bringIn(pins.get(k), pins)) {
        return false;
      }
    }
    return true;
  }

  /** Ends the pins of a failed call; blocks meant for new outputs are released. */
  private void unpin(int from) {
    int count = pins.count();
    pins.truncate(from);
    for (int k = from; k < count; k++) {
      int element = pins.get(k);
      if (!pins.isFirst(k) || table.block[element] == null) {
        continue;
      }
      cache.endInPlace(element);
      if (!table.hasValue(element)) {
        cache.release(element);
      } else if (table.presence[element] == Presence.FRESH) {
        cache.markAhead(element);
      }
      cache.endTemporary(element);
    }
  }

  /**
   * Recomputes a dropped element, and before it those of its inputs that were dropped. None of them
   * is dropped meanwhile, so the recursion ends. Nothing is pinned before or after.
   *
   * @return false when its inputs and it do not fit
   */
  boolean restore(int element) {
    AccessQueue queue = schedule.queue();
    Recomputation kernel = tables.recomputation;
    int maker = table.maker[element];
    if (queue == null || kernel == null || maker < 0) {
      throw new IllegalStateException("cannot be recomputed: " + table.describe(element));
    }
    int[] operands = queue.inputs(maker);
    int[] news = Arrays.stream(operands).filter(o -> !table.has(o, ElementTable.NEEDED)).toArray();
    need(news, news.length, true);
    boolean restored = restoreDropped(operands, operands.length);
    need(news, news.length, false);
    if (!restored) {
      return false;
    }
    for (int input : operands) {
      if (!table.hasValue(input)) {
        throw new IllegalStateException(
            "released although another element is computed from it: " + table.describe(input));
      }
    }
    table.clear(element, ElementTable.DROPPED | ElementTable.DEFINED);
    Arrays.stream(operands).forEach(pins::add);
    pins.add(element);
    if (mustWait(0) || !bringIn(0, false)) {
      unpin(0);
      table.set(element, ElementTable.DROPPED | ElementTable.DEFINED);
      return false;
    }
    List<DeviceMemory> inputs = new ArrayList<>();
    for (int input : operands) {
      transfers.beforeReading(table.resident(input));
      inputs.add(table.resident(input).memory);
    }
    DeviceBlock block = table.resident(element);
    transfers.beforeWriting(block);
    transfers.beforeKernels();
    kernel.launch(element, inputs, block.memory);
    counters.recomputations++;
    counters.recomputedFlops += queue.flops(maker);
    DeviceEvent event = tables.device.record(tables.device.computeStream());
    for (int k = 0; k < pins.count(); k++) {
      int used = pins.get(k);
      table.resident(used).used = event;
      if (table.presence[used] == Presence.FRESH) {
        cache.markAhead(used);
      }
    }
    table.set(element, ElementTable.DEFINED);
    int used = pins.count();
    pins.truncate(0);
    for (int k = 0; k < used; k++) {
      cache.endInPlace(pins.get(k));
      cache.endTemporary(pins.get(k));
    }
    return true;
  }
}
