package org.starlingqcd.correlators.run;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.plan.BoundQueue;
import org.starlingqcd.correlators.plan.DataTraits;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.correlators.result.ResultUnit;
import org.starlingqcd.correlators.run.UnitSchedule.Unit;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.graph.schedule.KnownElements;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.execute.ExecutionControl;
import org.starlingqcd.hadron.execute.ExecutionStatistics;
import org.starlingqcd.hadron.execute.PreparedQueue;
import org.starlingqcd.hadron.execute.QueueExecutor;
import org.starlingqcd.hadron.execute.QueueResult;
import org.starlingqcd.hadron.input.ReadAhead;
import org.starlingqcd.hadron.input.UnitKey;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.table.MemoryBudgetException;

/**
 * Computes units one after another: holds the plans, the open data, the device and the executor.
 * The device is opened for the first unit, so that a run with nothing to do needs none.
 */
final class UnitComputation implements AutoCloseable {
  private static final List<Integer> ONE_SOURCE = List.of(0);

  /** What a plan depends on before it is bound to times. */
  private record PlanKey(List<Integer> definitions, DataTraits data) {}

  /**
   * A plan, the distances of the sources that it is bound to from the first, and by the number of a
   * definition the elements that are left out.
   */
  private record BoundKey(
      PlanKey plan, List<Integer> distances, Map<Integer, KnownElements> known) {}

  /** A plan and its translation for the executor. */
  private static final class Planned {
    final BoundQueue plan;
    final Set<Input> inputs;
    @Nullable PreparedQueue prepared;

    Planned(BoundQueue plan) {
      this.plan = plan;
      this.inputs = Set.copyOf(plan.queue().inputs());
    }
  }

  private final RunSettings settings;
  private final List<Definition> definitions;
  private final Ensemble ensemble;
  private final List<Integer> separations;
  private final Map<PlanKey, ContractionPlan> contractions = new HashMap<>();
  private final Map<BoundKey, Planned> plans = new HashMap<>();
  private final Map<Integer, DistillationData> open = new LinkedHashMap<>();
  private @Nullable HostMemoryBudget hostMemory;
  private @Nullable ComputeDevice device;
  private @Nullable QueueExecutor executor;
  private @Nullable ReadAhead readAhead;
  private ExecutionStatistics execution = ExecutionStatistics.ZERO;
  private long planNanos;

  UnitComputation(
      RunSettings settings,
      List<Definition> definitions,
      Ensemble ensemble,
      List<Integer> separations) {
    this.settings = settings;
    this.definitions = definitions;
    this.ensemble = ensemble;
    this.separations = separations;
  }

  /**
   * Opens the data of a configuration and checks that everything is there that units at some
   * sources need.
   *
   * @param unit one of the units, which are planned alike
   * @throws org.starlingqcd.hadron.data.DistillationException when something is missing or damaged
   */
  void check(Unit unit, Collection<Integer> sources) {
    try (DistillationData data = openData(unit.key().configuration())) {
      Planned planned = planned(unit, data, ONE_SOURCE);
      data.check(
          sources.stream().flatMap(source -> planned.plan.inputsAt(source).stream()).toList());
    }
  }

  private DistillationData openData(int configuration) {
    return ensemble.configuration(configuration).open(hostMemory());
  }

  private DistillationData data(int configuration) {
    return open.computeIfAbsent(configuration, this::openData);
  }

  /**
   * Reads the saved plan, if there is one, to see that it fits.
   *
   * @throws InputException when it does not
   */
  void checkSavedPlan() {
    if (settings.planning().file() != null) {
      try (DistillationData data = openData(ensemble.numbers().get(0))) {
        List<Integer> all = IntStream.range(0, definitions.size()).boxed().toList();
        long begin = System.nanoTime();
        contractions(new PlanKey(all, traits(data)));
        planNanos += System.nanoTime() - begin;
      } catch (DistillationException e) {
        // Said when this configuration is checked.
      }
    }
  }

  private ContractionPlan contractions(PlanKey key) {
    return contractions.computeIfAbsent(
        key,
        absent ->
            BoundQueue.contractions(
                definitions(key), key.data(), planning(key.definitions().size())));
  }

  private List<Definition> definitions(PlanKey key) {
    return key.definitions().stream().map(definitions::get).toList();
  }

  private DataTraits traits(DistillationData data) {
    return DataTraits.of(data, definitions);
  }

  private Planned planned(Unit unit, DistillationData data, List<Integer> distances) {
    List<Integer> numbers = unit.planned();
    PlanKey plan = new PlanKey(List.copyOf(numbers), traits(data));
    Map<Integer, KnownElements> known = new HashMap<>();
    unit.known().forEach((number, elements) -> known.put(numbers.indexOf(number), elements));
    return plans.computeIfAbsent(
        new BoundKey(plan, distances, unit.known()),
        key -> {
          long begin = System.nanoTime();
          BoundQueue bound =
              BoundQueue.of(
                  definitions(plan),
                  contractions(plan),
                  ensemble.temporalExtent(),
                  distances,
                  separations,
                  known,
                  planning(numbers.size()),
                  ComputeDevice.planningBudget(settings.device()),
                  ensemble.header().eigenvectors());
          planNanos += System.nanoTime() - begin;
          return new Planned(bound);
        });
  }

  /** A plan that was saved is one of all definitions; some of them are planned anew. */
  private PlanSettings planning(int count) {
    return count == definitions.size() ? settings.planning() : settings.planning().withoutFile();
  }

  private Planned planned(List<Unit> together, DistillationData data) {
    int first = together.get(0).key().source();
    List<Integer> distances =
        together.stream()
            .map(unit -> Math.floorMod(unit.key().source() - first, ensemble.temporalExtent()))
            .toList();
    return planned(together.get(0), data, distances);
  }

  /** Has the data of units that are computed together read while something else is computed. */
  void prefetch(List<Unit> together) {
    UnitKey key = together.get(0).key();
    DistillationData data = data(key.configuration());
    Planned planned = planned(together, data);
    readAhead().prefetch(key, data, planned.plan.inputsAt(key.source()));
  }

  /**
   * Computes units of one configuration together, planned for the same definitions.
   *
   * @param later sources of the same configuration that come later
   * @return for each of them, one unit of a result for each definition that was planned for it
   */
  List<List<ResultUnit>> compute(
      List<Unit> together, Collection<Integer> later, ExecutionControl control) {
    UnitKey key = together.get(0).key();
    DistillationData data = data(key.configuration());
    Planned planned = planned(together, data);
    QueueExecutor queues = executor();
    PreparedQueue prepared = planned.prepared;
    if (prepared == null) {
      prepared = queues.prepare(planned.plan.queue(), ensemble.header().eigenvectors());
      planned.prepared = prepared;
    }
    try {
      QueueResult result =
          queues.run(prepared, new Shifted(key, data, planned, List.copyOf(later)), control);
      execution = execution.plus(result.statistics());
      return IntStream.range(0, together.size())
          .mapToObj(number -> planned.plan.units(result, key.configuration(), key.source(), number))
          .toList();
    } catch (MemoryBudgetException e) {
      throw new InputException(
          "device memory of "
              + MemorySize.text(e.budgetBytes())
              + " is too small for these definitions at N = "
              + ensemble.header().eigenvectors()
              + ": the largest contraction needs "
              + e.smallestBudgetBytes()
              + " bytes (--device-memory "
              + MemorySize.text(roundedUp(e.smallestBudgetBytes())).replace(" ", "")
              + " would do)",
          e);
    }
  }

  /** The next number of bytes that two decimals of a unit can say. */
  private static long roundedUp(long bytes) {
    long unit = 1L << (10 * Math.max(0, (63 - Long.numberOfLeadingZeros(bytes)) / 10));
    return (long) (Math.ceil(100.0 * bytes / unit) / 100 * unit) + unit / 200;
  }

  /** Closes the data of a configuration. */
  void finish(int configuration) {
    DistillationData data = open.remove(configuration);
    if (data != null) {
      if (readAhead != null) {
        readAhead.drop(configuration);
      }
      data.close();
    }
  }

  /** The inputs of a plan, whose first source was bound at 0, at the first source of units. */
  private final class Shifted implements InputBlocks {
    private final UnitKey key;
    private final DistillationData data;
    private final Planned planned;
    private final List<Integer> later;

    Shifted(UnitKey key, DistillationData data, Planned planned, List<Integer> later) {
      this.key = key;
      this.data = data;
      this.planned = planned;
      this.later = later;
    }

    @Override
    public void load(Input input, Rows rows, HostMemory target, long offset) {
      Input block = input.shifted(key.source(), ensemble.temporalExtent());
      readAhead().load(key, data, block, rows, this::isNeededLater, target, offset);
    }

    @Override
    public long key(Input input, Rows rows) {
      return data.key(input.shifted(key.source(), ensemble.temporalExtent()), rows);
    }

    private boolean isNeededLater(Input block) {
      return later.stream()
          .map(source -> block.shifted(-source, ensemble.temporalExtent()))
          .anyMatch(planned.inputs::contains);
    }

    @Override
    public GammaBasis gammaBasis() {
      return data.gammaBasis();
    }
  }

  private ReadAhead readAhead() {
    ReadAhead present = readAhead;
    if (present == null) {
      HostMemoryBudget budget = hostMemory();
      present =
          new ReadAhead(
              budget,
              HostMemoryShare.readAheadBytes(settings, budget),
              ensemble.header().eigenvectors());
      readAhead = present;
    }
    return present;
  }

  /** The budget, from the memory that is free when the first data are opened. */
  private HostMemoryBudget hostMemory() {
    HostMemoryBudget present = hostMemory;
    if (present == null) {
      present = ComputeDevice.hostMemory(settings.device());
      hostMemory = present;
    }
    return present;
  }

  private QueueExecutor executor() {
    QueueExecutor present = executor;
    if (present == null) {
      ComputeDevice opened = ComputeDevice.open(settings.device(), spillFolder(), hostMemory());
      device = opened;
      present = QueueExecutor.open(opened.device(), opened.options());
      executor = present;
    }
    return present;
  }

  private Path spillFolder() {
    return settings.out().toAbsolutePath();
  }

  /** The device, once it was needed. */
  @Nullable ComputeDevice device() {
    return device;
  }

  /** What the contractions took so far. */
  ExecutionStatistics execution() {
    return execution;
  }

  /** Counters of MemHC so far; zeros before the first unit. */
  MemoryStatistics memory() {
    return executor != null
        ? executor.memory()
        : MemoryStatistics.none(settings.device().eviction());
  }

  double planSeconds() {
    return 1e-9 * planNanos;
  }

  double readSeconds() {
    return readAhead == null ? 0 : readAhead.readSeconds();
  }

  double stallSeconds() {
    return execution.readSeconds();
  }

  @Override
  public void close() {
    if (readAhead != null) {
      readAhead.close();
    }
    open.values().forEach(DistillationData::close);
    open.clear();
    if (executor != null) {
      executor.close();
    }
    if (device != null) {
      device.close();
    }
  }
}
