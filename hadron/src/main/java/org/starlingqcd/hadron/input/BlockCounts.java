package org.starlingqcd.hadron.input;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** How many blocks came from where; a block in pages counts with its first page. */
public final class BlockCounts {
  private final AtomicReference<Double> storeSeconds = new AtomicReference<>(0.0);
  private final AtomicLong fromFiles = new AtomicLong();
  private final AtomicLong fromCache = new AtomicLong();

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
    return storeSeconds.get();
  }

  /** Notes {@link #storeSeconds}. */
  public void stored(double seconds) {
    storeSeconds.set(seconds);
  }

  void add(boolean cached) {
    (cached ? fromCache : fromFiles).incrementAndGet();
  }
}
