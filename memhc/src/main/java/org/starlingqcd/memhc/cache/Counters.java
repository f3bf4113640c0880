package org.starlingqcd.memhc.cache;

/** The running counters behind {@link MemoryStatistics}. */
public final class Counters {
  public long peakDeviceBytes;
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
  public long peakHostBytes;
  public long spilledBytes;
  public long unspilledBytes;
  public long waitedNanos;

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
        peakHostBytes,
        spilledBytes,
        unspilledBytes,
        hitBytes,
        missBytes);
  }
}
