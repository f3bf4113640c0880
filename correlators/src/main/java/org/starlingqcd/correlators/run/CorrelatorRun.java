package org.starlingqcd.correlators.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.plan.PlanningWatch;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultRequest;
import org.starlingqcd.correlators.result.ResultStore;
import org.starlingqcd.correlators.run.UnitSchedule.Unit;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.execute.ExecutionStatistics;
import org.starlingqcd.hadron.input.UnitKey;

/**
 * A run: every definition on every configuration and source.
 *
 * <p>Everything that can be known to be wrong is found before anything is computed: definitions,
 * ranges, results of something else, missing or damaged data of any configuration. A unit of work
 * is one configuration and source; while one is computed, the data of the next are read. Each
 * finished unit is durable at once ({@link ResultStore}), and what is finished is not computed
 * again. Until the first unit is finished, all results stay as they were. A plan is made once for
 * all definitions, and another one for definitions whose results were begun with others ({@link
 * DefinitionGroups}).
 *
 * <p>This class has more than 400 lines because the steps of a run share its state: what is
 * finished, what failed, and whether it was cancelled.
 */
public final class CorrelatorRun {
  private static final Logger LOG = LoggerFactory.getLogger(CorrelatorRun.class);
  private static final double NANOS = 1e-9;
  private static final Duration LEAST_PAUSE = Duration.ofSeconds(10);

  private final RunSettings settings;
  private final RunListener listener;
  private final RunRecord record;
  private final Map<String, String> failures = new LinkedHashMap<>();
  private List<Definition> definitions = List.of();

  /** Those of the run, and others that results of earlier runs are planned with. */
  private List<Definition> planned = List.of();

  private final Set<UnitKey> computed = new HashSet<>();
  private long begin;
  private long prepareNanos;
  private long calibrationNanos;
  private long writeNanos;
  private volatile boolean cancelled;

  /** Prepares a run; nothing is read yet. */
  public CorrelatorRun(RunSettings settings, RunListener listener) {
    this.settings = settings;
    this.listener = listener;
    record = new RunRecord(settings);
  }

  /** Lets the run end soon, from any thread; what is finished is kept. */
  public void cancel() {
    cancelled = true;
  }

  /**
   * Runs.
   *
   * @throws InputException when something the user gave is wrong
   * @throws DistillationException when the data are
   * @throws ComputationException when the computation fails
   * @throws CancellationException after {@link #cancel}
   */
  public RunSummary execute() {
    begin = System.nanoTime();
    // Loading the device's libraries takes as long as reading the definitions.
    CompletableFuture<Void> device =
        CompletableFuture.runAsync(() -> ComputeDevice.check(settings.device()));
    definitions = new DefinitionLoader().loadAll(settings.definitions());
    planned = new ArrayList<>(definitions);
    await(device);
    listener.preparing("looking for data");
    // Reading the results takes as long as finding the data.
    CompletableFuture<Void> results = CompletableFuture.runAsync(this::readResults);
    Ensemble ensemble;
    try {
      ensemble = Ensemble.find(settings, this::fail);
    } finally {
      await(results);
    }
    int extent = ensemble.temporalExtent();
    List<Integer> sources = settings.sources().below("--sources", extent, ensemble.extentReason());
    List<Integer> separations =
        settings.separations().below("--separations", extent, ensemble.extentReason());
    List<UnitKey> keys = new ArrayList<>();
    for (int configuration : ensemble.numbers()) {
      sources.forEach(source -> keys.add(new UnitKey(configuration, source)));
    }
    List<UnitKey> mine = settings.shard() == null ? keys : settings.shard().of(keys);
    ResultRequest request =
        new ResultRequest(ensemble.numbers(), sources, settings.overwrite(), LEAST_PAUSE);
    List<ResultStore> stores = new ArrayList<>();
    try (UnitComputation computation =
            new UnitComputation(
                settings,
                planned,
                ensemble,
                separations,
                new PlanningWatch(listener::planning, () -> cancelled));
        DeviceTeam team = new DeviceTeam(computation.workers(), listener, () -> cancelled)) {
      computation.checkSavedPlan();
      openResults(stores, ensemble, separations, request);
      int before = (int) mine.stream().filter(key -> isFinished(stores, key)).count();
      compute(computation, team, stores, mine, before);
      int finished = (int) mine.stream().filter(key -> isFinished(stores, key)).count();
      if (finished == mine.size()) {
        // A run that had nothing to compute has a result too, of no units perhaps.
        stores.forEach(ResultStore::begin);
      }
      int[] units = {mine.size(), before, computed.size(), mine.size() - finished};
      long closing = System.nanoTime();
      if (!computed.isEmpty()) {
        Map<String, Object> summary = summary(computation, team, ensemble, units).describe();
        stores.forEach(store -> store.describeRun(record.json(store.runId(), summary)));
      }
      lastFirst(stores).forEach(ResultStore::close);
      writeNanos += System.nanoTime() - closing;
      return summary(computation, team, ensemble, units);
    } catch (RuntimeException | Error e) {
      for (ResultStore store : lastFirst(stores)) {
        try {
          store.close();
        } catch (RuntimeException second) {
          e.addSuppressed(second);
        }
      }
      throw e;
    }
  }

  /** Looks at existing results; what is wrong with them is told when they are to be continued. */
  private void readResults() {
    if (!settings.overwrite()) {
      definitions.forEach(definition -> ResultStore.look(file(definition)));
    }
  }

  /** The first one opened may have made what the others use, the folder say. */
  private static List<ResultStore> lastFirst(List<ResultStore> stores) {
    List<ResultStore> reversed = new ArrayList<>(stores);
    Collections.reverse(reversed);
    return reversed;
  }

  /** Waits for something that runs beside this thread, and throws what it has thrown. */
  private static void await(CompletableFuture<Void> other) {
    try {
      other.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  private void openResults(
      List<ResultStore> stores,
      Ensemble ensemble,
      List<Integer> separations,
      ResultRequest request) {
    List<ResultHeader> headers = new ArrayList<>();
    for (Definition definition : definitions) {
      headers.add(
          new ResultHeader(
              definition.name(),
              ensemble.header().ensemble(),
              definition.text(),
              definition.operators().stream().map(operator -> operator.name()).toList(),
              definition.conjugation(),
              separations,
              definition.toCorrelationMatrix().onePoint(),
              OptionalInt.of(ensemble.header().temporalExtent()),
              settings.device().precision()));
    }
    // All are looked at before the first is touched.
    for (int k = 0; k < headers.size(); k++) {
      Definition definition = definitions.get(k);
      ResultStore.check(file(definition), headers.get(k), request);
    }
    List<List<String>> named = new ArrayList<>();
    for (int k = 0; k < headers.size(); k++) {
      named.add(ResultStore.plannedWith(file(definitions.get(k)), headers.get(k), request));
    }
    List<List<String>> plannedWith =
        DefinitionGroups.plannedWith(definitions.stream().map(Definition::text).toList(), named);
    for (int k = 0; k < headers.size(); k++) {
      stores.add(
          ResultStore.open(
              file(definitions.get(k)), headers.get(k), request.with(plannedWith.get(k))));
    }
  }

  /** The definitions of the run by what they are planned with. */
  private List<DefinitionGroups> groups(List<ResultStore> stores, List<UnitKey> missing) {
    List<DefinitionGroups> groups = new ArrayList<>();
    DefinitionGroups.byPlan(stores.stream().map(ResultStore::plannedWith).toList())
        .forEach(
            (texts, members) ->
                groups.add(
                    texts.isEmpty()
                        ? DefinitionGroups.unnamed(
                            members,
                            missing.stream().map(key -> lacking(stores, members, key)).toList())
                        : DefinitionGroups.named(
                            members, DefinitionGroups.numbers(texts, planned))));
    return groups;
  }

  private Path file(Definition definition) {
    Shard shard = settings.shard();
    String name = shard == null ? definition.name() : shard.fileName(definition.name());
    return settings.out().resolve(name + ".h5");
  }

  private void compute(
      UnitComputation computation,
      DeviceTeam team,
      List<ResultStore> stores,
      List<UnitKey> keys,
      int before) {
    List<UnitKey> missing = keys.stream().filter(key -> !isFinished(stores, key)).toList();
    if (!missing.isEmpty()) {
      listener.preparing(
          "planning, and checking the data of "
              + byConfiguration(missing).size()
              + " configuration(s)");
    }
    List<UnitLoop> loops = new ArrayList<>();
    for (DefinitionGroups named : groups(stores, missing)) {
      List<UnitKey> lacked =
          missing.stream().filter(key -> !lacking(stores, named.members(), key).isEmpty()).toList();
      DefinitionGroups group = possible(computation, stores, named, lacked);
      UnitSchedule schedule = new UnitSchedule(lacked, stores, group);
      SortedMap<Integer, SortedSet<Integer>> sources = byConfiguration(lacked);
      checkData(computation, key -> lacking(stores, group.members(), key), sources, schedule);
      loops.add(loop(computation, schedule, stores, sources));
    }
    prepareNanos = System.nanoTime() - begin;
    if (!missing.isEmpty()) {
      ComputeDevice.prepare(settings.device(), listener::oncePerMachine);
      calibrationNanos = System.nanoTime() - begin - prepareNanos;
    }
    listener.started(keys.size(), before);
    for (UnitLoop loop : loops) {
      try {
        loop.run(team);
      } finally {
        computed.addAll(loop.computed());
        writeNanos += loop.writeNanos();
      }
    }
  }

  /** A group, without definitions of other runs whose data are not there any more. */
  private static DefinitionGroups possible(
      UnitComputation computation,
      List<ResultStore> stores,
      DefinitionGroups group,
      List<UnitKey> lacked) {
    if (lacked.isEmpty() || !group.hasOthers()) {
      return group;
    }
    UnitKey first = lacked.get(0);
    UnitSchedule schedule = new UnitSchedule(lacked, stores, group);
    Unit unit = schedule.unit(first, lacking(stores, group.members(), first)).withoutSource();
    try {
      computation.check(unit, List.of(first.source()));
      return group;
    } catch (DistillationException e) {
      LOG.warn(
          "the results were begun together with definitions whose data are missing ({}); last bits"
              + " may differ from those of their first run",
          e.getMessage());
      return group.withoutOthers();
    }
  }

  private UnitLoop loop(
      UnitComputation computation,
      UnitSchedule schedule,
      List<ResultStore> stores,
      SortedMap<Integer, SortedSet<Integer>> sources) {
    return new UnitLoop(
        settings,
        listener,
        record,
        computation,
        schedule,
        stores,
        sources,
        () -> cancelled,
        (configuration, failure) -> fail(Integer.toString(configuration), failure));
  }

  private static SortedMap<Integer, SortedSet<Integer>> byConfiguration(List<UnitKey> keys) {
    SortedMap<Integer, SortedSet<Integer>> sources = new TreeMap<>();
    for (UnitKey key : keys) {
      sources.computeIfAbsent(key.configuration(), absent -> new TreeSet<>()).add(key.source());
    }
    return sources;
  }

  private void checkData(
      UnitComputation computation,
      Function<UnitKey, List<Integer>> lacking,
      SortedMap<Integer, SortedSet<Integer>> sources,
      UnitSchedule schedule) {
    sources.forEach(
        (configuration, times) -> {
          Map<Unit, List<Integer>> sourcesByPlan = new LinkedHashMap<>();
          for (int source : times) {
            UnitKey key = new UnitKey(configuration, source);
            Unit alike = schedule.unit(key, lacking.apply(key)).withoutSource();
            sourcesByPlan.computeIfAbsent(alike, absent -> new ArrayList<>()).add(source);
          }
          throwIfCancelled();
          try {
            sourcesByPlan.forEach(computation::check);
          } catch (DistillationException e) {
            fail(Integer.toString(configuration), e);
            schedule.skip(configuration);
          }
        });
  }

  private void throwIfCancelled() {
    if (cancelled) {
      throw new CancellationException("stopped");
    }
  }

  private static boolean isFinished(List<ResultStore> stores, UnitKey key) {
    return stores.stream().allMatch(store -> store.isFinished(key.configuration(), key.source()));
  }

  /** Those of some definitions that lack a unit. */
  private static List<Integer> lacking(
      List<ResultStore> stores, List<Integer> members, UnitKey key) {
    return members.stream()
        .filter(k -> !stores.get(k).isFinished(key.configuration(), key.source()))
        .toList();
  }

  /** Notes what is left out, if the user allows to go on. */
  private void fail(String configuration, RuntimeException e) {
    if (!settings.keepGoing()) {
      throw e;
    }
    String reason = String.valueOf(e.getMessage());
    failures.put(configuration, reason);
    listener.skipped(configuration, reason);
  }

  private RunSummary summary(
      UnitComputation computation, DeviceTeam team, Ensemble ensemble, int[] units) {
    List<ComputeDevice> devices = team.devices();
    ComputeDevice device = devices.isEmpty() ? null : devices.get(0);
    ExecutionStatistics execution = team.execution();
    return new RunSummary(
        definitions.stream().map(Definition::name).toList(),
        ensemble.numbers(),
        definitions.stream().map(this::file).filter(Files::exists).map(Path::toString).toList(),
        units[0],
        units[1],
        units[2],
        units[3],
        failures,
        device == null ? "" : device.backend(),
        device == null ? null : device.info(),
        team.describe(),
        settings.device().precision(),
        device == null ? "" : device.device().kernel(ensemble.header().eigenvectors()).orElse(""),
        Math.max(0, NANOS * prepareNanos - computation.planSeconds()),
        NANOS * calibrationNanos,
        computation.planSeconds(),
        computation.readSeconds(),
        execution.readSeconds(),
        NANOS * writeNanos,
        NANOS * (System.nanoTime() - begin),
        execution,
        team.memory(),
        computation.blockCounts());
  }
}
