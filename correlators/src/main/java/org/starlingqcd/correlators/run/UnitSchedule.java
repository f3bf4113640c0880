package org.starlingqcd.correlators.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.result.ResultStore;

/**
 * Hands out units of work, each to one process: configuration by configuration, so that data are
 * read once. Configurations on which another process works are left for the end, when their units
 * that nobody has taken are shared.
 */
final class UnitSchedule {
  /**
   * One configuration and source.
   *
   * @param configuration number of the configuration
   * @param source source time
   */
  record Place(int configuration, int source) {}

  /**
   * A unit to compute.
   *
   * @param place configuration and source
   * @param definitions numbers of the definitions that lack it
   */
  record Unit(Place place, List<Integer> definitions) {}

  private final List<ResultStore> stores;
  private final Deque<Place> waiting;
  private final Deque<Place> left = new ArrayDeque<>();
  private final Map<Integer, Boolean> preferred = new HashMap<>();
  private final Set<Integer> bad = new HashSet<>();
  private boolean sharing;

  /**
   * Schedules places, configuration by configuration.
   *
   * @param stores the results, in the order of the definitions
   */
  UnitSchedule(List<Place> places, List<ResultStore> stores) {
    this.waiting = new ArrayDeque<>(places);
    this.stores = stores;
  }

  /** The next unit, taken for this process; null when nothing is left to take. */
  @Nullable Unit next() {
    while (true) {
      Place place = waiting.poll();
      if (place == null) {
        if (sharing || left.isEmpty()) {
          return null;
        }
        sharing = true;
        waiting.addAll(left);
        left.clear();
        continue;
      }
      if (bad.contains(place.configuration())) {
        continue;
      }
      if (!sharing && !isPreferred(place.configuration())) {
        left.add(place);
        continue;
      }
      Unit unit = take(place);
      if (unit != null) {
        return unit;
      }
    }
  }

  private boolean isPreferred(int configuration) {
    return preferred.computeIfAbsent(configuration, number -> stores.get(0).prefer(number));
  }

  private @Nullable Unit take(Place place) {
    List<Integer> definitions = new ArrayList<>(stores.size());
    for (int k = 0; k < stores.size(); k++) {
      if (stores.get(k).claim(place.configuration(), place.source())) {
        definitions.add(k);
      }
    }
    return definitions.isEmpty() ? null : new Unit(place, definitions);
  }

  /** Gives a unit back, finished or not. */
  void release(Unit unit) {
    for (int k : unit.definitions()) {
      stores.get(k).release(unit.place().configuration(), unit.place().source());
    }
  }

  /** Hands out nothing more of a configuration. */
  void skip(int configuration) {
    bad.add(configuration);
  }

  boolean isSkipped(int configuration) {
    return bad.contains(configuration);
  }
}
