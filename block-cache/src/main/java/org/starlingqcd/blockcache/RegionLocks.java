package org.starlingqcd.blockcache;

import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * The lock words of the regions of the index: a version, and the token of the process that changes
 * the region. Who reads takes no lock: it reads the word, what it looks for, and the word again.
 * Who finds that the holder of a lock has died takes the lock over and repairs the region.
 */
final class RegionLocks {
  private static final long OWNER = 0xffff_ffffL;
  private static final int SPINS = 200;
  private static final long PAUSE_NANOS = 20_000;
  private static final int PAUSES_BEFORE_ASKING = 50;

  private final SharedFile shared;
  private final ProcessSlots slots;
  private final IntConsumer repair;

  /**
   * The locks of all regions.
   *
   * @param repair derives what a process that died has left half changed in a region
   */
  RegionLocks(SharedFile shared, ProcessSlots slots, IntConsumer repair) {
    this.shared = shared;
    this.slots = slots;
    this.repair = repair;
  }

  /** A lock that is held. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /** Waits for the lock of a region. */
  Held lock(int region) {
    int at = shared.lock(region);
    while (true) {
      long free = version(region);
      if (shared.compareAndSet(at, free, free | slots.token())) {
        return () -> shared.set(at, next(shared.get(at)));
      }
    }
  }

  /** Waits until nobody changes a region; returns its version. */
  long version(int region) {
    long word = shared.get(shared.lock(region));
    while ((word & OWNER) != 0) {
      waitFor(region, word);
      word = shared.get(shared.lock(region));
    }
    return word;
  }

  /** Whether nobody has changed a region since it had this version. */
  boolean isStill(int region, long version) {
    return shared.get(shared.lock(region)) == version;
  }

  private static long next(long word) {
    return (word & ~OWNER) + (1L << 32);
  }

  /** Waits until a lock word changes; repairs the region of a holder that has died. */
  private void waitFor(int region, long word) {
    for (int spin = 0; spin < SPINS; spin++) {
      if (!isStill(region, word)) {
        return;
      }
      Thread.onSpinWait();
    }
    for (int pause = 1; isStill(region, word); pause++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      if (pause % PAUSES_BEFORE_ASKING == 0 && !slots.isAlive((int) (word & OWNER))) {
        long ours = next(word) | slots.token();
        if (shared.compareAndSet(shared.lock(region), word, ours)) {
          repair.accept(region);
          shared.set(shared.lock(region), next(ours));
        }
        return;
      }
    }
  }
}
