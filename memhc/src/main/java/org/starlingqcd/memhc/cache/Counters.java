package org.starlingqcd.memhc.cache;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The running counters behind {@link MemoryStatistics}. */
public final class Counters {
  public long peakDeviceBytes;
  public long peakSlowBytes;
  public long peakBorrowedBytes;
  public long allocations;
  public long poolReuses;
  public long hits;
  public long misses;
  public long hitBytes;
  public long missBytes;
  public long evictions;
  public long evictedBytes;
  public long bytesToDevice;
  public long bytesToHost;
  public long dirtyEvictions;
  public long deadEvictions;
  public long victimReuses;
  public long prefetches;
  public long recomputations;
  public long recomputedFlops;
  public long peakHostBytes;
  public long spilledBytes;
  public long unspilledBytes;
  public long waitedNanos;

  private long borrowedBytes;

  /** Copies between the device and elements that the host owns. */
  public long homeCopies;

  /** Bytes that would have been moved without a cache. */
  public long uncachedBytes;

  /** One number for each outcome; an array, so that counting allocates nothing. */
  private final Map<Outcome, long[]> outcomeBytes = new EnumMap<>(Outcome.class);

  /** Counters that have counted nothing. */
  public Counters() {
    for (Outcome outcome : Outcome.values()) {
      outcomeBytes.put(outcome, new long[1]);
    }
  }

  /** Counts memory of others that is used in place from now on, or no more if less than 0. */
  public void borrowed(long bytes) {
    borrowedBytes += bytes;
    peakBorrowedBytes = Math.max(peakBorrowedBytes, borrowedBytes);
  }

  /** Counts a look-up of an element of this size. */
  public void lookedUp(Outcome outcome, long bytes) {
    Objects.requireNonNull(outcomeBytes.get(outcome))[0] += bytes;
  }

  /** What was looked up and moved so far. */
  public CacheStatistics cache() {
    Map<Outcome, Long> lookups = new EnumMap<>(Outcome.class);
    outcomeBytes.forEach((outcome, bytes) -> lookups.put(outcome, bytes[0]));
    return new CacheStatistics(lookups, bytesToDevice, bytesToHost, uncachedBytes);
  }

  public MemoryStatistics snapshot(String policy, long deviceBytes) {
    return new MemoryStatistics(
        policy,
        deviceBytes,
        peakDeviceBytes,
        allocations,
        poolReuses,
        hits,
        misses,
        evictions,
        evictedBytes,
        bytesToDevice,
        bytesToHost,
        dirtyEvictions,
        deadEvictions,
        victimReuses,
        prefetches,
        recomputations,
        recomputedFlops,
        peakHostBytes,
        spilledBytes,
        unspilledBytes,
        hitBytes,
        missBytes,
        peakSlowBytes,
        peakBorrowedBytes,
        cache());
  }
}
