package org.starlingqcd.correlators.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.starlingqcd.correlators.result.ResultStore;
import org.starlingqcd.correlators.result.ResultUnit;
import org.starlingqcd.correlators.run.DeviceTeam.Task;
import org.starlingqcd.correlators.run.UnitComputation.UnitWork;
import org.starlingqcd.correlators.run.UnitSchedule.Unit;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.execute.ContractionException;
import org.starlingqcd.hadron.input.UnitKey;

/**
 * Takes units from the schedule, hands them to the devices as these become free, and writes their
 * results in the order of the schedule. While units are computed, the data of as many further ones
 * are read, and the results of finished ones are written.
 */
final class UnitLoop {
  private static final double NANOS = 1e-9;

  /** Units that may be under way for each device: faster devices wait for the slowest at last. */
  private static final int AHEAD = 4;

  private final CorrelatorRun run;
  private final UnitComputation computation;
  private final UnitSchedule schedule;
  private final SortedMap<Integer, SortedSet<Integer>> sources;

  /** Units whose data are being read or that are computed, in the order of their results. */
  private final Deque<Task> order = new ArrayDeque<>();

  /** The last of them, which no device has begun. */
  private final Deque<Task> waiting = new ArrayDeque<>();

  /** What each result keeps of this run. */
  private final List<String> records = new ArrayList<>();

  private boolean hasWritten;

  /** A loop that has done nothing yet. */
  UnitLoop(
      CorrelatorRun run,
      UnitComputation computation,
      UnitSchedule schedule,
      SortedMap<Integer, SortedSet<Integer>> sources) {
    this.run = run;
    this.computation = computation;
    this.schedule = schedule;
    this.sources = sources;
  }

  /** Computes all units that are left. */
  void run(DeviceTeam team) {
    try {
      begin(team);
      while (!order.isEmpty()) {
        startWaiting(team);
        describeRun();
        begin(team);
        settle(team, team.await());
      }
    } catch (RuntimeException | Error e) {
      keepFinished(team, e);
      throw e;
    }
  }

  /** Takes units and has their data read: one for each device beyond those that it computes. */
  private void begin(DeviceTeam team) {
    while (waiting.size() < team.working() && order.size() < AHEAD * team.working()) {
      List<Unit> together = schedule.next(run.settings.sourcesAtOnce);
      if (together.isEmpty()) {
        return;
      }
      int configuration = together.get(0).key().configuration();
      try {
        Task task = new Task(computation.prepare(together));
        checkData(configuration, together);
        order.add(task);
        waiting.add(task);
      } catch (DistillationException e) {
        together.forEach(schedule::release);
        schedule.skip(configuration);
        run.fail(Integer.toString(configuration), e);
      }
    }
  }

  /** Refuses data that are not those of the units that a result has of a configuration. */
  private void checkData(int configuration, List<Unit> together) {
    for (int k : together.get(0).missing()) {
      String changed =
          run.settings.allowChangedData
              ? null
              : run.stores.get(k).changed(configuration, computation.fingerprint(configuration));
      if (changed != null) {
        throw new DistillationException(
            changed
                + "; give another --out, --overwrite to discard them, or --allow-changed-data to mix"
                + " both");
      }
    }
  }

  private void startWaiting(DeviceTeam team) {
    while (team.hasIdle() && !waiting.isEmpty()) {
      run.throwIfCancelled();
      Task task = waiting.remove();
      UnitWork work = task.work;
      work.sources().forEach(source -> run.listener.unitStarted(work.configuration(), source));
      task.later = later(work);
      team.start(task);
    }
  }

  /** Sources of a unit's configuration that are still to come. */
  private List<Integer> later(UnitWork work) {
    return sources.getOrDefault(work.configuration(), new TreeSet<>()).stream()
        .filter(source -> !work.sources().contains(source))
        .filter(source -> !run.isFinished(new UnitKey(work.configuration(), source)))
        .toList();
  }

  /** Gives the device of an ended unit a new one, and writes what is next in order. */
  private void settle(DeviceTeam team, Task ended) {
    if (ended.failure != null) {
      skip(ended);
    }
    startWaiting(team);
    while (!order.isEmpty() && order.getFirst().isFinished()) {
      Task task = order.remove();
      team.forget(task);
      try {
        if (task.results != null) {
          write(task, task.results);
        }
      } finally {
        task.work.units().forEach(schedule::release);
      }
      begin(team);
      int configuration = task.work.configuration();
      if (order.stream().noneMatch(other -> other.work.configuration() == configuration)) {
        computation.finish(configuration);
      }
    }
  }

  /** Leaves the configuration of a failed unit out, as far as no device is at work on it. */
  private void skip(Task failed) {
    int configuration = failed.work.configuration();
    if (failed.failure instanceof DistillationException
        || failed.failure instanceof ContractionException) {
      boolean first = !schedule.isSkipped(configuration);
      schedule.skip(configuration);
      for (Task task : List.copyOf(waiting)) {
        if (task.work.configuration() == configuration) {
          waiting.remove(task);
          order.remove(task);
          task.work.units().forEach(schedule::release);
        }
      }
      if (first) {
        run.fail(Integer.toString(configuration), (RuntimeException) failed.failure);
      }
    } else if (failed.failure instanceof RuntimeException failure) {
      throw failure;
    } else if (failed.failure instanceof Error failure) {
      throw failure;
    }
  }

  private void write(Task task, List<List<ResultUnit>> results) {
    List<Unit> units = task.work.units();
    // Of what was computed together, every unit took its part.
    double computing = task.seconds / units.size();
    for (int u = 0; u < units.size(); u++) {
      long begin = System.nanoTime();
      write(units.get(u), results.get(u));
      long nanos = System.nanoTime() - begin;
      run.writeNanos += nanos;
      run.listener.unitFinished(
          task.work.configuration(), units.get(u).key().source(), computing + NANOS * nanos);
    }
  }

  /** Writes down what the results keep of this run, while the first unit is computed. */
  private void describeRun() {
    if (records.isEmpty()) {
      run.stores.forEach(store -> records.add(run.record(store, Map.of())));
    }
  }

  private void write(Unit unit, List<ResultUnit> results) {
    if (!hasWritten) {
      // Together, so that a killed run hardly leaves new results beside old ones.
      run.stores.forEach(ResultStore::begin);
    }
    for (int k : unit.missing()) {
      ResultStore store = run.stores.get(k);
      if (!hasWritten) {
        store.describeRun(records.get(k));
      }
      store.append(
          results
              .get(unit.planned().indexOf(k))
              .from(computation.fingerprint(unit.key().configuration())));
    }
    hasWritten = true;
    run.computed.add(unit.key());
    run.stores.forEach(ResultStore::mergeIfDue);
  }

  /** Writes what other devices have finished when a run ends early, unless writing has failed. */
  private void keepFinished(DeviceTeam team, Throwable reason) {
    team.stop();
    boolean writes = true;
    for (Task task : order) {
      try {
        if (writes && task.results != null) {
          write(task, task.results);
        }
      } catch (RuntimeException e) {
        reason.addSuppressed(e);
        writes = false;
      }
      task.work.units().forEach(schedule::release);
    }
    order.clear();
  }
}
