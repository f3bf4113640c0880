package org.starlingqcd.correlators.result;

import java.time.Duration;
import java.util.List;

/**
 * The units that a run requests from a result, and how it is written.
 *
 * @param plannedWith texts of the definitions that are planned together for a result that begins
 */
public record ResultRequest(
    List<Integer> configurations,
    List<Integer> sources,
    boolean overwrite,
    Duration leastPause,
    List<String> plannedWith) {
  /** Copies the lists. */
  public ResultRequest {
    configurations = List.copyOf(configurations);
    sources = List.copyOf(sources);
    plannedWith = List.copyOf(plannedWith);
  }

  /** A request that does not say what is planned together. */
  public ResultRequest(
      List<Integer> configurations, List<Integer> sources, boolean overwrite, Duration leastPause) {
    this(configurations, sources, overwrite, leastPause, List.of());
  }

  /** The same for a result whose definition is planned together with others. */
  public ResultRequest with(List<String> definitions) {
    return new ResultRequest(configurations, sources, overwrite, leastPause, definitions);
  }
}
