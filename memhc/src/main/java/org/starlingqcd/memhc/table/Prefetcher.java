package org.starlingqcd.memhc.table;

import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.policy.Residency;

/**
 * Brings in what the schedule needs next while kernels run. What fits into free memory beside
 * everything that the steps up to its use will need is brought in; for the step right ahead room is
 * made, but only by evicting what is used later than the element that comes.
 */
public final class Prefetcher {
  private static final int ACCESSES_AHEAD = 96;
  private static final int STEPS_TO_EVICT_FOR = 1;

  private final ElementTable table;
  private final ElementCache cache;
  private final BlockStore store;
  private final Schedule schedule;
  private final MemHCOptions options;
  private int[] seen = new int[64];
  private int stamp;

  public Prefetcher(
      ElementTable table,
      ElementCache cache,
      BlockStore store,
      Schedule schedule,
      MemHCOptions options) {
    this.table = table;
    this.cache = cache;
    this.store = store;
    this.schedule = schedule;
    this.options = options;
  }

  /** Looks ahead from the next step on; nothing is pinned. */
  public void run() {
    AccessQueue queue = schedule.queue();
    if (queue == null || options.prefetchBytes() == 0 || !options.reuse()) {
      return;
    }
    if (seen.length < table.count) {
      seen = new int[2 * table.count];
      stamp = 0;
    }
    stamp++;
    // Least room there will be up to the step looked at, if all that is missing comes at its use.
    long room = options.budgetBytes() - store.heldBytes() + store.pooledBytes();
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
          if (least < bytes && !mayEvict) {
            return;
          }
          if (!cache.prefetch(element, mayEvict ? step : -1)) {
            return;
          }
          least -= bytes;
        }
        room -= bytes;
        least = Math.min(least, room);
      }
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        boolean twice = k > queue.firstAccess(step) && queue.element(k - 1) == queue.element(k);
        if (queue.nextUse(k) == Residency.NEVER && options.liveness() && !twice) {
          room += table.bytes[queue.element(k)];
        }
      }
    }
  }
}
