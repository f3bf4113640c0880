package org.starlingqcd.memhc;

import org.starlingqcd.memhc.access.AccessQueue;

/**
 * Brings in elements that the schedule needs next while kernels run: those that fit into the memory
 * that is free at every step up to their use. For the next step alone it also evicts elements whose
 * next use is later.
 */
final class Prefetcher extends Part {
  private static final int ACCESSES_AHEAD = 96;
  private static final int STEPS_TO_EVICT_FOR = 1;

  private final ElementCache cache;
  private int[] seen = new int[64];
  private int stamp;

  Prefetcher(Tables tables, ElementCache cache) {
    super(tables);
    this.cache = cache;
  }

  /** Looks ahead from the next step on; nothing is pinned. */
  void run() {
    AccessQueue queue = schedule.queue();
    if (queue == null || options.prefetchBytes() == 0 || !options.reuse) {
      return;
    }
    if (seen.length < table.count) {
      seen = new int[2 * table.count];
      stamp = 0;
    }
    stamp++;
    // Least room at any step up to this one, if every missing element comes at its use.
    long room = tables.roomBytes();
    long least = room;
    int first = schedule.step();
    int lastAccess =
        Math.min(
            queue.accesses(),
            first < queue.steps() ? queue.firstAccess(first) + ACCESSES_AHEAD : 0);
    for (int step = first; step < queue.steps() && queue.firstAccess(step) < lastAccess; step++) {
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        int element = queue.element(k);
        if (seen[element] == stamp || table.block[element] != null) {
          continue;
        }
        seen[element] = stamp;
        long bytes = table.bytes[element];
        if (cache.canPrefetch(element)) {
          if (cache.prefetchedBytes() + bytes > options.prefetchBytes()) {
            return;
          }
          boolean mayEvict = step < first + STEPS_TO_EVICT_FOR;
          if ((least < bytes && !mayEvict) || !cache.prefetch(element, mayEvict ? step : -1)) {
            return;
          }
          least -= bytes;
        }
        room -= bytes;
        least = Math.min(least, room);
      }
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        boolean twice = k > queue.firstAccess(step) && queue.element(k - 1) == queue.element(k);
        if (queue.nextUse(k) == AccessQueue.NEVER && options.liveness() && !twice) {
          room += table.bytes[queue.element(k)];
        }
      }
    }
  }
}
