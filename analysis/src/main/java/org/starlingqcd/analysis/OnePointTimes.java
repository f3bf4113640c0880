package org.starlingqcd.analysis;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** Derives the temporal extent from the time slices of one-point functions. */
final class OnePointTimes {
  private OnePointTimes() {}

  /*
   * One-point functions exist at the times that occur as a source or, modulo T, as a sink. If a sink wraps
   * around, only one T gives these times: a smaller T moves a sink elsewhere, a larger one adds a time.
   */

  /** The temporal extent, if the times allow only one. */
  static OptionalInt temporalExtent(
      List<CorrelatorData.Configuration> configurations, List<Integer> separations) {
    OptionalInt found = OptionalInt.empty();
    for (CorrelatorData.Configuration configuration : configurations) {
      TreeSet<Integer> times = new TreeSet<>(configuration.onePointTimes());
      if (times.isEmpty()) {
        return OptionalInt.empty();
      }
      int latest = 0;
      for (int source : configuration.sourceTimes()) {
        for (int separation : separations) {
          latest = Math.max(latest, source + separation);
        }
      }
      for (int extent = 1 + times.last(); extent <= latest; extent++) {
        if (times(configuration.sourceTimes(), separations, extent).equals(times)) {
          if (found.isPresent() && found.getAsInt() != extent) {
            return OptionalInt.empty();
          }
          found = OptionalInt.of(extent);
        }
      }
    }
    return found;
  }

  private static Set<Integer> times(List<Integer> sources, List<Integer> separations, int extent) {
    Set<Integer> times = new TreeSet<>(sources);
    for (int source : sources) {
      for (int separation : separations) {
        times.add((source + separation) % extent);
      }
    }
    return times;
  }
}
