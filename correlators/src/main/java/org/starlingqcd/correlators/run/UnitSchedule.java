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
import org.starlingqcd.graph.schedule.KnownElements;
import org.starlingqcd.hadron.input.UnitKey;

/**
 * Hands out units of work, each to one process: configuration by configuration, so that data are
 * read once. Configurations on which another process works are left for the end, when their units
 * that nobody has taken are shared.
 */
public final class UnitSchedule {
  /**
   * A unit to compute.
   *
   * @param key configuration and source
   * @param planned numbers of the definitions that are planned and computed together for it, those
   *     that lack it among them
   * @param known by the number of a definition, elements that an earlier result has
   */
  record Unit(
      UnitKey key,
      List<Integer> missing,
      List<Integer> planned,
      Map<Integer, KnownElements> known) {
    private boolean isPlannedWith(Unit other) {
      return key.configuration() == other.key.configuration()
          && planned.equals(other.planned)
          && known.equals(other.known);
    }

    /** The same for all units of the configuration that are planned alike. */
    Unit withoutSource() {
      return new Unit(new UnitKey(key.configuration(), 0), List.of(), planned, known);
    }
  }

  private final List<ResultStore> stores;
  private final DefinitionGroups groups;
  private final Deque<UnitKey> waiting;
  private final Deque<UnitKey> left = new ArrayDeque<>();
  private final Map<Integer, Boolean> preferred = new HashMap<>();
  private final Set<Integer> bad = new HashSet<>();
  private @Nullable Unit ahead;
  private boolean sharing;

  /**
   * Schedules units, configuration by configuration.
   *
   * @param groups the definitions that are scheduled, and which are planned together
   */
  UnitSchedule(List<UnitKey> keys, List<ResultStore> stores, DefinitionGroups groups) {
    this.groups = groups;
    this.waiting = new ArrayDeque<>(keys);
    this.stores = stores;
  }

  /**
   * The next units of one configuration that are planned alike, taken for this process; empty when
   * nothing is left to take.
   */
  List<Unit> next(int most) {
    List<Unit> together = new ArrayList<>();
    while (together.size() < most) {
      Unit unit = ahead != null ? ahead : take();
      ahead = null;
      if (unit == null) {
        break;
      }
      if (bad.contains(unit.key().configuration())) {
        release(unit);
        continue;
      }
      if (!together.isEmpty() && !unit.isPlannedWith(together.get(0))) {
        ahead = unit;
        break;
      }
      together.add(unit);
    }
    return together;
  }

  private @Nullable Unit take() {
    while (true) {
      UnitKey key = waiting.poll();
      if (key == null) {
        if (sharing || left.isEmpty()) {
          return null;
        }
        sharing = true;
        waiting.addAll(left);
        left.clear();
        continue;
      }
      if (bad.contains(key.configuration())) {
        continue;
      }
      if (!sharing && !isPreferred(key.configuration())) {
        left.add(key);
        continue;
      }
      Unit unit = take(key);
      if (unit != null) {
        return unit;
      }
    }
  }

  private boolean isPreferred(int configuration) {
    return preferred.computeIfAbsent(configuration, number -> stores.get(0).prefer(number));
  }

  /**
   * Takes a unit for all definitions that lack it. When another process has one of them, all are
   * left to it: cut in two, a unit would be planned in another way and its last bits would differ.
   */
  private @Nullable Unit take(UnitKey key) {
    List<Integer> missing = new ArrayList<>(stores.size());
    for (int k : groups.members()) {
      ResultStore store = stores.get(k);
      if (store.claim(key.configuration(), key.source())) {
        missing.add(k);
      } else if (!store.isFinished(key.configuration(), key.source())) {
        release(key, missing);
        if (!sharing) {
          left.add(key);
        }
        return null;
      }
    }
    return missing.isEmpty() ? null : unit(key, missing);
  }

  /**
   * The unit of a key. Where a result has grown, the definitions that lack the unit are planned
   * alone: only what is new is to be computed.
   */
  Unit unit(UnitKey key, List<Integer> missing) {
    Map<Integer, KnownElements> known = new HashMap<>();
    for (int k : missing) {
      stores
          .get(k)
          .known(key.configuration(), key.source())
          .ifPresent(elements -> known.put(k, elements));
    }
    return new Unit(key, missing, known.isEmpty() ? groups.plannedFor(missing) : missing, known);
  }

  /** Gives a unit back, finished or not. */
  void release(Unit unit) {
    release(unit.key(), unit.missing());
  }

  private void release(UnitKey key, List<Integer> definitions) {
    for (int k : definitions) {
      stores.get(k).release(key.configuration(), key.source());
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
