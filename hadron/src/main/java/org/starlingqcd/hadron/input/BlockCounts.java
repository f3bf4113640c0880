package org.starlingqcd.hadron.input;

import java.util.concurrent.atomic.AtomicLong;

/** How many blocks came from where; a block in pages counts with its first page. */
public final class BlockCounts {
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

  void add(boolean cached) {
    (cached ? fromCache : fromFiles).incrementAndGet();
  }
}
