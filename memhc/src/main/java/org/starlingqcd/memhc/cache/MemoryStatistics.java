package org.starlingqcd.memhc.cache;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counters of MemHC since it was opened; the first eleven are the {@code memory} object of a run's
 * JSON. A copy: it does not change.
 *
 * @param policy the eviction policy
 * @param deviceBytes the budget in bytes
 * @param peakDeviceBytes most bytes held of the device at once, {@code free_pool} included
 * @param allocations blocks taken from the device's allocator
 * @param poolReuses look-ups served by overwriting a block of {@code free_pool}
 * @param hits look-ups that found their element
 * @param misses look-ups that did not; one whose element a prefetch brought in counts as a miss
 * @param evictions elements evicted for lack of memory
 * @param evictedBytes their sizes
 * @param bytesToDevice bytes copied to the device
 * @param bytesToHost bytes copied to the host
 * @param dirtyEvictions evictions that had to copy the element to the host first
 * @param deadEvictions evictions of elements that nothing uses any more
 * @param victimReuses look-ups served by overwriting the block of an evicted element
 * @param prefetches elements brought in ahead of their use
 * @param recomputations elements computed again instead of being copied back
 * @param peakHostBytes most bytes of host copies held at once
 * @param spilledBytes bytes written to the spill file
 * @param unspilledBytes bytes read from it
 * @param hitBytes sizes of the elements of look-ups that hit
 * @param missBytes sizes of the elements of look-ups that missed
 */
public record MemoryStatistics(
    String policy,
    long deviceBytes,
    long peakDeviceBytes,
    long allocations,
    long poolReuses,
    long hits,
    long misses,
    long evictions,
    long evictedBytes,
    long bytesToDevice,
    long bytesToHost,
    long dirtyEvictions,
    long deadEvictions,
    long victimReuses,
    long prefetches,
    long recomputations,
    long peakHostBytes,
    long spilledBytes,
    long unspilledBytes,
    long hitBytes,
    long missBytes) {
  /** Counters of a manager that has done nothing, without a device. */
  public static MemoryStatistics none(String policy) {
    return new Counters().snapshot(policy, 0);
  }

  /** All counters under the names of the {@code memory} object of a run's JSON. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("policy", policy);
    map.put("device_bytes", deviceBytes);
    map.put("peak_device_bytes", peakDeviceBytes);
    map.put("allocations", allocations);
    map.put("pool_reuses", poolReuses);
    map.put("hits", hits);
    map.put("misses", misses);
    map.put("evictions", evictions);
    map.put("evicted_bytes", evictedBytes);
    map.put("bytes_to_device", bytesToDevice);
    map.put("bytes_to_host", bytesToHost);
    map.put("dirty_evictions", dirtyEvictions);
    map.put("dead_evictions", deadEvictions);
    map.put("victim_reuses", victimReuses);
    map.put("prefetches", prefetches);
    map.put("recomputations", recomputations);
    map.put("peak_host_bytes", peakHostBytes);
    map.put("spilled_bytes", spilledBytes);
    map.put("unspilled_bytes", unspilledBytes);
    map.put("hit_bytes", hitBytes);
    map.put("miss_bytes", missBytes);
    return map;
  }

  /** Evictions that copied nothing although the element is used again. */
  public long cleanEvictions() {
    return evictions - dirtyEvictions - deadEvictions;
  }

  /** Bytes copied in both directions. */
  public long trafficBytes() {
    return bytesToDevice + bytesToHost;
  }

  /** Share of the bytes looked up that were found on the device; 1 when nothing was looked up. */
  public double byteHitRatio() {
    return hitBytes + missBytes == 0 ? 1 : hitBytes / (double) (hitBytes + missBytes);
  }
}
