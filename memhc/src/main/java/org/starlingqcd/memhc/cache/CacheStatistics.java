package org.starlingqcd.memhc.cache;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a cache did, in bytes: its look-ups by outcome, and what it moved in both directions.
 *
 * @param lookups sizes of the elements looked up, by outcome
 * @param bytesToDevice bytes copied to the device
 * @param bytesToHost bytes copied to the host
 * @param uncachedBytes bytes that a system without a cache moves: every operand of every kernel to
 *     the device, and every result to the host
 */
public record CacheStatistics(
    Map<Outcome, Long> lookups, long bytesToDevice, long bytesToHost, long uncachedBytes) {
  /** Copies the map; an outcome that is missing has 0 bytes. */
  public CacheStatistics {
    EnumMap<Outcome, Long> all = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      all.put(outcome, lookups.getOrDefault(outcome, 0L));
    }
    lookups = Collections.unmodifiableMap(all);
  }

  /** The sum with what another cache did. */
  public CacheStatistics plus(CacheStatistics other) {
    Map<Outcome, Long> sums = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      sums.put(outcome, bytes(outcome) + other.bytes(outcome));
    }
    return new CacheStatistics(
        sums,
        bytesToDevice + other.bytesToDevice,
        bytesToHost + other.bytesToHost,
        uncachedBytes + other.uncachedBytes);
  }

  /** Bytes of look-ups with this outcome. */
  public long bytes(Outcome outcome) {
    return lookups.getOrDefault(outcome, 0L);
  }

  /** Bytes of all look-ups. */
  public long lookupBytes() {
    return lookups.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Bytes moved in both directions. */
  public long movedBytes() {
    return bytesToDevice + bytesToHost;
  }

  /**
   * Share of the bytes that are not moved thanks to the cache, of both directions: {@code 1 - moved
   * / moved without a cache}; 1 when nothing would have been moved. Below 0 if the cache moves more
   * than a system without one.
   */
  public double byteHitRatio() {
    return uncachedBytes == 0 ? 1 : 1 - movedBytes() / (double) uncachedBytes;
  }

  /** The share of each outcome in the bytes looked up, by name; the shares add up to 1. */
  public Map<String, Double> shares() {
    Map<String, Double> shares = new LinkedHashMap<>();
    double all = Math.max(1, lookupBytes());
    lookups.forEach((outcome, bytes) -> shares.put(outcome.label(), bytes / all));
    return shares;
  }
}
