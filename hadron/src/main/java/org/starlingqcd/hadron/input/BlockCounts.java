package org.starlingqcd.hadron.input;

import java.util.concurrent.atomic.AtomicLong;

/** How many blocks came from where; a block in pages counts with its first page. */
public final class BlockCounts {
  private final AtomicLong fromFiles = new AtomicLong();
  private final AtomicLong fromCache = new AtomicLong();
  private volatile double storeSeconds;

  /** Blocks that were read from files. */
  public long fromFiles() {
    return fromFiles.get();
  }

  /** Blocks that were there. */
  public long fromCache() {
    return fromCache.get();
  }

  /** Time spent on putting blocks into the cache, on whatever thread. */
  public double storeSeconds() {
    return storeSeconds;
  }

  /** Notes {@link #storeSeconds}. */
  public void stored(double seconds) {
    storeSeconds = seconds;
  }

  void add(boolean cached) {
    (cached ? fromCache : fromFiles).incrementAndGet();
  }
}
