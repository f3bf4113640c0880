package org.starlingqcd.correlators.result;

import java.time.Duration;
import java.util.List;

/**
 * The units that a run requests from a result, and how it is written.
 *
 * @param configurations numbers of the requested configurations
 * @param sources requested source times
 * @param overwrite whether an existing result is discarded
 * @param leastPause the least time between two merges
 */
public record ResultRequest(
    List<Integer> configurations, List<Integer> sources, boolean overwrite, Duration leastPause) {
  /** Copies the lists. */
  public ResultRequest {
    configurations = List.copyOf(configurations);
    sources = List.copyOf(sources);
  }
}
