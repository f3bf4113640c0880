package org.starlingqcd.correlators.result;

import java.time.Duration;
import java.util.List;

/**
 * What a run asks of a result.
 *
 * @param configurations numbers of the configurations asked for
 * @param sources source times asked for
 * @param overwrite whether an existing result is thrown away
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
