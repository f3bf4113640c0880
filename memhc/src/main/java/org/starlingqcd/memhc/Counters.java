package org.starlingqcd.memhc;

/** The running counters behind {@link MemoryStatistics}. */
final class Counters {
  long peakDeviceBytes;
  long allocations;
  long poolReuses;
  long hits;
  long misses;
  long hitBytes;
  long missBytes;
  long evictions;
  long evictedBytes;
  long bytesToDevice;
  long bytesToHost;
  long dirtyEvictions;
  long deadEvictions;
  long victimReuses;
  long prefetches;
  long recomputations;
  long peakHostBytes;
  long spilledBytes;
  long unspilledBytes;
  long waitedNanos;

  MemoryStatistics snapshot(String policy, long deviceBytes) {
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
