package org.starlingqcd.correlators.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.JsonText;
import org.starlingqcd.correlators.Version;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.plan.CurrentTimes;
import org.starlingqcd.correlators.plan.DataTraits;
import org.starlingqcd.correlators.plan.PlanningWatch;
import org.starlingqcd.correlators.result.CurrentAxes;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultRequest;
import org.starlingqcd.correlators.result.ResultStore;
import org.starlingqcd.correlators.run.UnitSchedule.Unit;
import org.starlingqcd.graph.Concurrently;
import org.starlingqcd.graph.Insertion;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.execute.ExecutionStatistics;
import org.starlingqcd.hadron.input.UnitKey;

/**
 * A run: every definition on every configuration and source.
 *
 * <p>All input is checked before anything is computed: definitions, ranges, results of something
 * else, missing or damaged data of any configuration. A unit of work is one configuration and
 * source; while one is computed, the data of the next are read. Each finished unit is durable at
 * once ({@link ResultStore}), and what is finished is not computed again. Until the first unit is
 * finished, all results stay as they were. A plan is made once for all definitions, and another one
 * for definitions whose results were begun with others ({@link DefinitionGroups}).
 */
public final class CorrelatorRun {
  private static final Logger LOG = LoggerFactory.getLogger(CorrelatorRun.class);
  private static final double NANOS = 1e-9;
  private static final Duration LEAST_PAUSE = Duration.ofSeconds(10);

  final RunSettings settings;
  final RunListener listener;

  /** The results, in the order of the definitions. */
  final List<ResultStore> stores = new ArrayList<>();

  /** Units that this run has computed and written. */
  final Set<UnitKey> computed = new HashSet<>();

  /** Time for writing results. */
  long writeNanos;

  private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final Map<String, String> failures = new LinkedHashMap<>();
  private List<AnyDefinition> definitions = List.of();

  /** Those of the run, and others that results of earlier runs are planned with. */
  private List<AnyDefinition> planned = List.of();

  /** Whether there may be results, so that perhaps no device is needed. */
  private boolean begun;

  private long begin;
  private long prepareNanos;
  private long calibrationNanos;
  private volatile boolean cancelled;
  private volatile boolean computing;

  /** Prepares a run; nothing is read yet. */
  public CorrelatorRun(RunSettings settings, RunListener listener) {
    this.settings = settings;
    this.listener = listener;
  }

  /** Lets the run end soon, from any thread; what is finished is kept. */
  public void cancel() {
    cancelled = true;
  }

  /** Whether it has begun to compute units, which it keeps when it is cancelled. */
  public boolean isComputing() {
    return computing;
  }

  /**
   * Runs.
   *
   * @throws CancellationException after {@link #cancel}
   */
  public RunSummary execute() {
    begin = System.nanoTime();
    // Loading the device's libraries takes as long as reading the definitions. Where results are,
    // nothing may be left that needs them.
    begun = !settings.overwrite && Files.exists(settings.out);
    CompletableFuture<Void> device =
        CompletableFuture.runAsync(
            () -> {
              if (!begun) {
                ComputeDevice.check(settings.device);
              } else if (!settings.device.backend.equals(Backends.AUTO)) {
                Backends.named(settings.device.backend, Backends.all());
              }
            });
    definitions = new DefinitionLoader().loadEvery(settings.definitions);
    planned = new ArrayList<>(definitions);
    Concurrently.join(device);
    listener.preparing("looking for data");
    // Reading the results takes as long as finding the data.
    CompletableFuture<Void> results = CompletableFuture.runAsync(this::readResults);
    Ensemble ensemble;
    try {
      ensemble = Ensemble.find(settings, this::fail, listener::notice);
    } finally {
      Concurrently.join(results);
    }
    int extent = ensemble.temporalExtent();
    List<Integer> sources = settings.sources.below("--sources", extent, ensemble.extentReason());
    CurrentTimes asked =
        new CurrentTimes(
            settings.separations.below("--separations", extent, ensemble.extentReason()),
            settings.insertionSeparations.below(
                "--insertion-separations", extent, ensemble.extentReason()),
            settings.separations.isAll(),
            settings.insertionSeparations.isAll());
    List<UnitKey> keys = new ArrayList<>();
    for (int configuration : ensemble.numbers()) {
      sources.forEach(source -> keys.add(new UnitKey(configuration, source)));
    }
    List<UnitKey> mine = settings.shard == null ? keys : settings.shard.of(keys);
    ResultRequest request =
        new ResultRequest(ensemble.numbers(), sources, settings.overwrite, LEAST_PAUSE);
    try (UnitComputation computation =
            new UnitComputation(
                settings,
                planned,
                ensemble,
                asked,
                new PlanningWatch(listener::notice, () -> cancelled));
        DeviceTeam team = new DeviceTeam(computation.workers(), listener, () -> cancelled)) {
      computation.checkSavedPlan();
      int sites =
          DataTraits.haveTetraquarks(definitions)
              ? computation.chooseTetraquarks(ensemble.numbers().get(0))
              : 0;
      List<ResultHeader> headers =
          headers(computation, ensemble, asked.separations(), sources, sites);
      // Opening the data takes as long as opening the results.
      CompletableFuture<Void> data =
          begun || mine.isEmpty()
              ? CompletableFuture.completedFuture(null)
              : CompletableFuture.runAsync(
                  () -> computation.openAhead(mine.get(0).configuration()));
      try {
        openResults(headers, request);
      } finally {
        Concurrently.join(data);
      }
      int before = (int) mine.stream().filter(this::isFinished).count();
      compute(computation, team, mine, before);
      int finished = (int) mine.stream().filter(this::isFinished).count();
      if (finished == mine.size()) {
        // A run that had nothing to compute has a result too, of no units perhaps.
        stores.forEach(ResultStore::begin);
      }
      int[] units = {mine.size(), before, computed.size(), mine.size() - finished};
      long closing = System.nanoTime();
      if (!computed.isEmpty()) {
        Map<String, Object> summary = summary(computation, team, ensemble, units).describe();
        stores.forEach(store -> store.describeRun(record(store, summary)));
      }
      lastFirst().forEach(ResultStore::close);
      writeNanos += System.nanoTime() - closing;
      return summary(computation, team, ensemble, units);
    } catch (RuntimeException | Error e) {
      for (ResultStore store : lastFirst()) {
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
    if (!settings.overwrite) {
      definitions.forEach(definition -> ResultStore.look(file(definition)));
    }
  }

  /** The first one opened may have made what the others use, the folder say. */
  private List<ResultStore> lastFirst() {
    List<ResultStore> reversed = new ArrayList<>(stores);
    Collections.reverse(reversed);
    return reversed;
  }

  private List<ResultHeader> headers(
      UnitComputation computation,
      Ensemble ensemble,
      List<Integer> separations,
      List<Integer> sources,
      int sites) {
    CurrentTimes times = computation.times(sources);
    List<ResultHeader> headers = new ArrayList<>();
    for (int number = 0; number < definitions.size(); number++) {
      AnyDefinition definition = definitions.get(number);
      ResultHeader.Noises noises = computation.noises(number);
      headers.add(
          new ResultHeader(
              definition.name(),
              ensemble.header().ensemble(),
              definition.text(),
              definition.operatorNames(),
              definition instanceof Definition twoPoint ? twoPoint.conjugation() : List.of(),
              definition instanceof CurrentDefinition ? times.separations() : separations,
              hasOnePoint(definition),
              OptionalInt.of(ensemble.header().temporalExtent()),
              settings.device.precision,
              DataTraits.haveTetraquarks(List.of(definition)) ? sites : 0,
              definition instanceof CurrentDefinition currents
                  ? axes(currents, times.insertions())
                  : null,
              ensemble.header().eigenvectors(),
              ensemble.header().gammaBasis(),
              noises));
    }
    if (settings.keepNoises && headers.stream().noneMatch(header -> header.windows() > 0)) {
      throw new InputException(
          "--keep-noises: no definition of this run has noise_subsets, whose windows could be kept");
    }
    return headers;
  }

  private void openResults(List<ResultHeader> headers, ResultRequest request) {
    // All are looked at before the first is touched.
    for (int k = 0; k < headers.size(); k++) {
      ResultStore.check(file(definitions.get(k)), headers.get(k), request);
    }
    List<List<String>> named = new ArrayList<>();
    for (int k = 0; k < headers.size(); k++) {
      named.add(ResultStore.plannedWith(file(definitions.get(k)), headers.get(k), request));
    }
    List<List<String>> plannedWith =
        DefinitionGroups.plannedWith(definitions.stream().map(AnyDefinition::text).toList(), named);
    for (int k = 0; k < headers.size(); k++) {
      Path file = file(definitions.get(k));
      stores.add(ResultStore.open(file, headers.get(k), request.with(plannedWith.get(k))));
    }
  }

  private static boolean hasOnePoint(AnyDefinition definition) {
    return definition instanceof CurrentDefinition currents
        ? !currents.loops().isEmpty()
        : definition instanceof Definition twoPoint && twoPoint.header().onePoint();
  }

  private static CurrentAxes axes(CurrentDefinition definition, List<Integer> insertions) {
    List<String> names = definition.insertions().stream().map(Insertion::name).toList();
    return new CurrentAxes(
        definition.source().operatorNames(),
        names,
        insertions,
        definition.disconnected() ? names : List.of(),
        definition.loops());
  }

  /** The definitions of the run by what they are planned with. */
  private List<DefinitionGroups> groups(List<UnitKey> missing) {
    List<DefinitionGroups> groups = new ArrayList<>();
    DefinitionGroups.byPlan(stores.stream().map(ResultStore::plannedWith).toList())
        .forEach(
            (texts, members) ->
                groups.add(
                    texts.isEmpty()
                        ? DefinitionGroups.unnamed(
                            members, missing.stream().map(key -> lacking(members, key)).toList())
                        : DefinitionGroups.named(
                            members, DefinitionGroups.numbers(texts, planned))));
    return groups;
  }

  private Path file(AnyDefinition definition) {
    Shard shard = settings.shard;
    String name = shard == null ? definition.name() : shard.fileName(definition.name());
    return settings.out.resolve(name + ".h5");
  }

  private void compute(
      UnitComputation computation, DeviceTeam team, List<UnitKey> keys, int before) {
    List<UnitKey> missing = keys.stream().filter(key -> !isFinished(key)).toList();
    CompletableFuture<Void> prepared = CompletableFuture.completedFuture(null);
    if (!missing.isEmpty()) {
      if (begun) {
        ComputeDevice.check(settings.device);
      }
      prepared =
          Concurrently.begin(
              () -> {
                ComputeDevice.prepare(settings.device, listener::notice);
                return null;
              });
      listener.preparing(
          "planning, and checking the data of %s configuration(s)"
              .formatted(byConfiguration(missing).size()));
    }
    List<UnitLoop> loops = new ArrayList<>();
    for (DefinitionGroups named : groups(missing)) {
      List<UnitKey> lacked =
          missing.stream().filter(key -> !lacking(named.members(), key).isEmpty()).toList();
      DefinitionGroups group = possible(computation, named, lacked);
      UnitSchedule schedule = new UnitSchedule(lacked, stores, group);
      SortedMap<Integer, SortedSet<Integer>> sources = byConfiguration(lacked);
      checkData(computation, group, sources, schedule);
      loops.add(new UnitLoop(this, computation, schedule, sources));
    }
    prepareNanos = System.nanoTime() - begin;
    Concurrently.join(prepared);
    calibrationNanos = System.nanoTime() - begin - prepareNanos;
    throwIfCancelled();
    computing = true;
    listener.started(keys.size(), before);
    loops.forEach(loop -> loop.run(team));
  }

  /** A group, without definitions of other runs whose data are not there any more. */
  private DefinitionGroups possible(
      UnitComputation computation, DefinitionGroups group, List<UnitKey> lacked) {
    if (lacked.isEmpty() || !group.hasOthers()) {
      return group;
    }
    UnitKey first = lacked.get(0);
    UnitSchedule schedule = new UnitSchedule(lacked, stores, group);
    Unit unit = schedule.unit(first, lacking(group.members(), first)).withoutSource();
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

  private static SortedMap<Integer, SortedSet<Integer>> byConfiguration(List<UnitKey> keys) {
    SortedMap<Integer, SortedSet<Integer>> sources = new TreeMap<>();
    for (UnitKey key : keys) {
      sources.computeIfAbsent(key.configuration(), absent -> new TreeSet<>()).add(key.source());
    }
    return sources;
  }

  private void checkData(
      UnitComputation computation,
      DefinitionGroups group,
      SortedMap<Integer, SortedSet<Integer>> sources,
      UnitSchedule schedule) {
    sources.forEach(
        (configuration, times) -> {
          Map<Unit, List<Integer>> sourcesByPlan = new LinkedHashMap<>();
          for (int source : times) {
            UnitKey key = new UnitKey(configuration, source);
            Unit alike = schedule.unit(key, lacking(group.members(), key)).withoutSource();
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

  void throwIfCancelled() {
    if (cancelled) {
      throw new CancellationException("stopped");
    }
  }

  boolean isFinished(UnitKey key) {
    return stores.stream().allMatch(store -> store.isFinished(key.configuration(), key.source()));
  }

  /** Those of some definitions that lack a unit. */
  private List<Integer> lacking(List<Integer> members, UnitKey key) {
    return members.stream()
        .filter(k -> !stores.get(k).isFinished(key.configuration(), key.source()))
        .toList();
  }

  /** Notes what is left out, if the user allows to go on; otherwise throws the failure. */
  void fail(String configuration, RuntimeException e) {
    if (!settings.keepGoing) {
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
        definitions.stream().map(AnyDefinition::name).toList(),
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
        settings.device.precision,
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

  /**
   * What a result keeps of this run, as JSON: who computed it, how and where.
   *
   * @param summary what the run has done, empty while it is at work
   */
  String record(ResultStore store, Map<String, Object> summary) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", store.runId());
    map.put("program", "starling " + Version.text());
    map.put("started", started.toString());
    map.put("host", host());
    map.put("java", Runtime.version().toString());
    map.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    map.put("settings", settings.describe());
    map.putAll(summary);
    return JsonText.of(map);
  }

  /** The name of the machine, as Linux keeps it: asking Java for it asks name servers too. */
  private static String host() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
