package org.starlingqcd.memhc.cache;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A copy of the counters of MemHC since it was opened, the {@code memory} object of JSON output.
 *
 * @param policy the eviction policy
 * @param deviceBytes the budget in bytes
 * @param peakDeviceBytes most bytes held of the device at once, {@code free_pool} included
 * @param allocations blocks taken from the device's allocator
 * @param poolReuses look-ups served by overwriting a block of {@code free_pool}
 * @param hits look-ups that found their element
 * @param misses other look-ups; the first look-up after a prefetch counts as a miss
 * @param evictions elements evicted for lack of memory
 * @param evictedBytes their sizes
 * @param bytesToDevice bytes copied to the device
 * @param bytesToHost bytes copied to the host
 * @param dirtyEvictions evictions that had to copy the element to the host first
 * @param deadEvictions evictions of elements without further use
 * @param victimReuses look-ups served by overwriting the block of an evicted element
 * @param prefetches elements brought in ahead of their use
 * @param recomputations elements computed again instead of being copied back
 * @param recomputedFlops their floating-point operations
 * @param peakHostBytes most bytes of host copies held at once
 * @param spilledBytes bytes written to the spill file
 * @param unspilledBytes bytes read from it
 * @param hitBytes sizes of the elements of look-ups that hit
 * @param missBytes sizes of the elements of look-ups that missed
 * @param peakSlowBytes most bytes held of slow memory at once; 0 without tiers
 * @param peakBorrowedBytes most bytes of inputs at once that were used in memory of others
 * @param cache look-ups by outcome, and what was moved compared with a system without a cache
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
    long recomputedFlops,
    long peakHostBytes,
    long spilledBytes,
    long unspilledBytes,
    long hitBytes,
    long missBytes,
    long peakSlowBytes,
    long peakBorrowedBytes,
    CacheStatistics cache) {
  /** Counters of a manager without a device that has done nothing. */
  public static MemoryStatistics none(String policy) {
    return new Counters().snapshot(policy, 0);
  }

  /** All counters under the names of the {@code memory} object of a run's JSON. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    for (RecordComponent counter : MemoryStatistics.class.getRecordComponents()) {
      if (counter.getType() == CacheStatistics.class) {
        continue;
      }
      String name = counter.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      try {
        map.put(name, counter.getAccessor().invoke(this));
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
    map.put("uncached_bytes", cache.uncachedBytes());
    map.put("byte_hit_ratio", cache.byteHitRatio());
    map.put("outcomes", cache.shares());
    return map;
  }

  /**
   * The sum with the counters of another device. Peaks are added too: an upper bound, since they
   * need not fall together.
   */
  public MemoryStatistics plus(MemoryStatistics other) {
    return new MemoryStatistics(
        policy,
        deviceBytes + other.deviceBytes,
        peakDeviceBytes + other.peakDeviceBytes,
        allocations + other.allocations,
        poolReuses + other.poolReuses,
        hits + other.hits,
        misses + other.misses,
        evictions + other.evictions,
        evictedBytes + other.evictedBytes,
        bytesToDevice + other.bytesToDevice,
        bytesToHost + other.bytesToHost,
        dirtyEvictions + other.dirtyEvictions,
        deadEvictions + other.deadEvictions,
        victimReuses + other.victimReuses,
        prefetches + other.prefetches,
        recomputations + other.recomputations,
        recomputedFlops + other.recomputedFlops,
        peakHostBytes + other.peakHostBytes,
        spilledBytes + other.spilledBytes,
        unspilledBytes + other.unspilledBytes,
        hitBytes + other.hitBytes,
        missBytes + other.missBytes,
        peakSlowBytes + other.peakSlowBytes,
        peakBorrowedBytes + other.peakBorrowedBytes,
        cache.plus(other.cache));
  }

  /** Evictions that copied nothing although the element has further uses. */
  public long cleanEvictions() {
    return evictions - dirtyEvictions - deadEvictions;
  }

  /** Bytes copied in both directions. */
  public long trafficBytes() {
    return bytesToDevice + bytesToHost;
  }

  /**
   * What policies are compared by: bytes copied in both directions, and the flops computed again as
   * the bytes that could be copied in that time.
   *
   * @param flopsPerByte of {@code MemHCOptions.withRecomputation}; 0 where nothing is computed
   *     again
   */
  public double cost(long flopsPerByte) {
    return trafficBytes() + (flopsPerByte == 0 ? 0 : recomputedFlops / (double) flopsPerByte);
  }

  /** Share of the bytes looked up that were on the device; 1 without look-ups. */
  public double lookupByteHitRatio() {
    return hitBytes + missBytes == 0 ? 1 : hitBytes / (double) (hitBytes + missBytes);
  }
}
