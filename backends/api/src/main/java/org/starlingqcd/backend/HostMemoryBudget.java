package org.starlingqcd.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The one bound on the host memory that a run holds beyond its device and the Java heap. A part is
 * set aside for elements evicted from the device, so that what is evicted further does not depend
 * on how fast files are read. Whoever holds other memory (blocks of input, buffers, chunk caches)
 * reserves it here first. Safe for use by several threads.
 */
public final class HostMemoryBudget {
  private final long bytes;
  private final long evictedBytes;
  private final List<LongConsumer> holders = new ArrayList<>();
  private long reserved;
  private long peak;

  /**
   * Creates a budget of which nothing is reserved.
   *
   * @param bytes the bound
   * @param evictedBytes the part of it for evicted elements
   */
  public HostMemoryBudget(long bytes, long evictedBytes) {
    if (evictedBytes < 0 || evictedBytes > bytes) {
      throw new IllegalArgumentException(
          "must be >= 0 && <= bytes=" + bytes + ": evictedBytes=" + evictedBytes);
    }
    this.bytes = bytes;
    this.evictedBytes = evictedBytes;
  }

  /** A budget without a bound. */
  public static HostMemoryBudget unbounded() {
    return new HostMemoryBudget(Long.MAX_VALUE, Long.MAX_VALUE / 2);
  }

  /** The bound in bytes. */
  public long bytes() {
    return bytes;
  }

  /** The part of the bound for evicted elements, in bytes. */
  public long evictedBytes() {
    return evictedBytes;
  }

  /** The part of the bound for everything else, in bytes. */
  public long otherBytes() {
    return bytes - evictedBytes;
  }

  /** Most that has been reserved at a time, in bytes; evicted elements are not counted. */
  public synchronized long peakBytes() {
    return peak;
  }

  /** Reserves memory if that much is free. */
  public synchronized boolean tryReserve(long asked) {
    if (asked > otherBytes() - reserved) {
      return false;
    }
    add(asked);
    return true;
  }

  /** Reserves memory; those who hold some that they can do without give it up for that. */
  public boolean reclaim(long asked) {
    List<LongConsumer> asking;
    synchronized (this) {
      asking = List.copyOf(holders);
    }
    for (LongConsumer holder : asking) {
      if (tryReserve(asked)) {
        return true;
      }
      holder.accept(asked);
    }
    return tryReserve(asked);
  }

  /** Reserves memory that a run cannot do without, beyond the bound if it must. */
  public void reserve(long asked) {
    if (!reclaim(asked)) {
      synchronized (this) {
        add(asked);
      }
    }
  }

  private void add(long asked) {
    reserved += asked;
    peak = Math.max(peak, reserved);
  }

  /** Returns memory that was reserved. */
  public synchronized void release(long returned) {
    if (returned > reserved) {
      throw new IllegalStateException("must be <= " + reserved + ": returned=" + returned);
    }
    reserved -= returned;
  }

  /**
   * Adds someone who holds memory that can be given up.
   *
   * @param holder is told how many bytes are wanted and releases what it can of them
   */
  public synchronized void addHolder(LongConsumer holder) {
    holders.add(holder);
  }

  /** Asks a holder no more. */
  public synchronized void removeHolder(LongConsumer holder) {
    holders.remove(holder);
  }
}
