package org.starlingqcd.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The bound on the host memory that a run holds beyond its device and the Java heap. A part is set
 * aside for elements evicted from the device, so that further evictions do not depend on how fast
 * files are read. All other memory (blocks of input, buffers, chunk caches) is reserved here before
 * it is allocated. Safe for use by several threads.
 */
public final class HostMemoryBudget {
  private final long bytes;
  private final long evictedBytes;
  private final List<LongConsumer> holders = new ArrayList<>();
  private long reserved;
  private long peak;

  /**
   * Creates a budget with nothing reserved.
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

  /** Peak of the reserved memory in bytes, without evicted elements. */
  public synchronized long peakBytes() {
    return peak;
  }

  /** Reserves memory if enough is free. */
  public synchronized boolean tryReserve(long asked) {
    if (asked > otherBytes() - reserved) {
      return false;
    }
    add(asked);
    return true;
  }

  /** Reserves memory, asking the holders to release memory that they can do without if needed. */
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

  /** Has memory used that is reserved meanwhile, as by {@link #reserve}. */
  public void use(long bytes, Consumer<HostMemory> user) {
    reserve(bytes);
    try (HostMemory memory = HostMemory.allocate(bytes)) {
      user.accept(memory);
    } finally {
      release(bytes);
    }
  }

  /**
   * Adds a holder of memory that it can give up on request.
   *
   * @param holder is called with the number of bytes wanted and releases as many of them as it can
   */
  public synchronized void addHolder(LongConsumer holder) {
    holders.add(holder);
  }

  /** Removes a holder, which is then no longer asked. */
  public synchronized void removeHolder(LongConsumer holder) {
    holders.remove(holder);
  }
}
