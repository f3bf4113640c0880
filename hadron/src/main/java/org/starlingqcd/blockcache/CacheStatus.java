package org.starlingqcd.blockcache;

import java.nio.file.Path;
import java.util.List;

/**
 * What a cache holds.
 *
 * @param directory where it lies
 * @param capacity most bytes of blocks
 * @param blocks blocks that can be had
 * @param blockBytes bytes of their records
 * @param segmentBytes bytes of all segments
 * @param segments number of segments
 * @param encrypted whether blocks are encrypted
 * @param processes ids of the processes that use it
 * @param compactions compactions so far
 * @param movedBytes bytes that they have copied
 * @param dropped blocks that were dropped to make room
 * @param returned blocks that came back after they had been dropped
 */
public record CacheStatus(
    Path directory,
    long capacity,
    long blocks,
    long blockBytes,
    long segmentBytes,
    int segments,
    boolean encrypted,
    List<Long> processes,
    long compactions,
    long movedBytes,
    long dropped,
    long returned) {
  /** Copies the list. */
  public CacheStatus {
    processes = List.copyOf(processes);
  }
}
