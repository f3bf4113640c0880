package org.starlingqcd.blockcache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which blocks were used, in what order, and which were dropped. A process notes its uses in a ring
 * of its own, each with a number from one sequence, so that a hit waits for nobody. Whoever
 * maintains the cache merges the rings into the index: the order is consistent then, and only then.
 *
 * <p>A block that comes back was dropped too early; it is passed over once when blocks are dropped
 * the next time.
 */
final class UseHistory {
  private static final int KEY_LOW = 8;
  private static final int SEQUENCE = 16;

  private final SharedFile shared;
  private final ProcessSlots slots;
  private final HopscotchIndex index;

  private record Use(BlockKey key, long sequence) {}

  UseHistory(SharedFile shared, ProcessSlots slots, HopscotchIndex index) {
    this.shared = shared;
    this.slots = slots;
    this.index = index;
  }

  /** The number of a use that happens now. */
  long next() {
    return shared.getAndAdd(SharedFile.SEQUENCE, 1);
  }

  /** Notes a use; returns false when the ring is full of uses that have not been merged. */
  synchronized boolean note(BlockKey key) {
    int slot = slots.slot();
    long position = shared.get(slots.noted(slot));
    int at = shared.use(slot, position);
    shared.set(at + SEQUENCE, 0);
    shared.set(at, key.high());
    shared.set(at + KEY_LOW, key.low());
    shared.set(at + SEQUENCE, next());
    shared.set(slots.noted(slot), position + 1);
    return position + 1 - shared.get(slots.drained(slot)) < shared.sizes().ring();
  }

  /** Merges all rings into the index. The caller holds the lock for maintenance. */
  void drain() {
    List<Use> uses = new ArrayList<>();
    for (int slot = 0; slot < shared.sizes().slots(); slot++) {
      long noted = shared.get(slots.noted(slot));
      long first = Math.max(shared.get(slots.drained(slot)), noted - shared.sizes().ring());
      for (long number = first; number < noted; number++) {
        int at = shared.use(slot, number);
        long sequence = shared.get(at + SEQUENCE);
        BlockKey key = new BlockKey(shared.get(at), shared.get(at + KEY_LOW));
        // A use that its process was replacing meanwhile has another number now.
        if (sequence != 0 && shared.get(at + SEQUENCE) == sequence) {
          uses.add(new Use(key, sequence));
        }
      }
      shared.set(slots.drained(slot), noted);
    }
    Use[] sorted = sorted(uses);
    Set<BlockKey> seen = new HashSet<>();
    for (int k = sorted.length - 1; k >= 0; k--) {
      if (seen.add(sorted[k].key())) {
        index.touch(sorted[k].key(), sorted[k].sequence());
      }
    }
  }

  /** By counting, in linear time: the numbers of a sequence lie close together. */
  private static Use[] sorted(List<Use> uses) {
    long first = uses.stream().mapToLong(Use::sequence).min().orElse(0);
    long last = uses.stream().mapToLong(Use::sequence).max().orElse(-1);
    if (last - first >= 64L * (uses.size() + 16)) {
      // A process that was idle for long: there are more numbers than uses.
      Use[] all = uses.toArray(new Use[0]);
      Arrays.sort(all, Comparator.comparingLong(Use::sequence));
      return all;
    }
    int[] count = new int[(int) (last - first) + 2];
    uses.forEach(use -> count[(int) (use.sequence() - first) + 1]++);
    for (int k = 1; k < count.length; k++) {
      count[k] += count[k - 1];
    }
    Use[] all = new Use[uses.size()];
    uses.forEach(use -> all[count[(int) (use.sequence() - first)]++] = use);
    return all;
  }

  /** Remembers a block that was dropped; it takes the place of another with the same remainder. */
  void dropped(BlockKey key) {
    shared.set(shared.aged(key.low() & Long.MAX_VALUE), key.high());
    shared.getAndAdd(SharedFile.AGED_BLOCKS, 1);
  }

  /** Whether a block was dropped before; it is forgotten with the answer. */
  boolean comesBack(BlockKey key) {
    if (!shared.compareAndSet(shared.aged(key.low() & Long.MAX_VALUE), key.high(), 0)) {
      return false;
    }
    shared.getAndAdd(SharedFile.RETURNED_BLOCKS, 1);
    return true;
  }
}
