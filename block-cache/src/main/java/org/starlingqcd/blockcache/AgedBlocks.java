package org.starlingqcd.blockcache;

/**
 * Blocks that were dropped because they had not been used for long. One that comes back was dropped
 * too early; it is passed over once when blocks are dropped the next time.
 */
final class AgedBlocks {
  private final SharedFile shared;

  AgedBlocks(SharedFile shared) {
    this.shared = shared;
  }

  /** Remembers a block; it takes the place of another with the same remainder. */
  void add(BlockKey key) {
    shared.set(shared.aged(place(key)), key.high());
    shared.getAndAdd(SharedFile.AGED_BLOCKS, 1);
  }

  /** Whether a block was dropped; it is forgotten with the answer. */
  boolean remove(BlockKey key) {
    if (!shared.compareAndSet(shared.aged(place(key)), key.high(), 0)) {
      return false;
    }
    shared.getAndAdd(SharedFile.RETURNED_BLOCKS, 1);
    return true;
  }

  private static long place(BlockKey key) {
    return key.low() & Long.MAX_VALUE;
  }
}
