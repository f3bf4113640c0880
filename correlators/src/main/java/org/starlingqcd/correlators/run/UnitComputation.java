package org.starlingqcd.correlators.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.plan.BoundQueue;
import org.starlingqcd.correlators.plan.CurrentTimes;
import org.starlingqcd.correlators.plan.DataTraits;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.correlators.plan.PlanningWatch;
import org.starlingqcd.correlators.plan.StochasticPlan;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultUnit;
import org.starlingqcd.correlators.run.UnitComputation.Planned;
import org.starlingqcd.correlators.run.UnitSchedule.Unit;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.graph.schedule.KnownElements;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.execute.DilutionExecutor;
import org.starlingqcd.hadron.execute.QueueResult;
import org.starlingqcd.hadron.input.BlockCounts;
import org.starlingqcd.hadron.input.CachedInputBlocks;
import org.starlingqcd.hadron.input.InputStore;
import org.starlingqcd.hadron.input.RoundedBlocks;
import org.starlingqcd.hadron.input.StoredInputs;
import org.starlingqcd.hadron.input.UnitKey;

/**
 * Prepares units for the devices that compute them: holds the plans and the open data, which all
 * devices share, and has the data read ahead by one thread. One thread prepares units and finishes
 * configurations; each {@link DeviceWorker} computes units on a thread of its own.
 */
final class UnitComputation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnitComputation.class);
  private static final List<Integer> ONE_SOURCE = List.of(0);

  /** What a plan depends on before it is bound to times. */
  private record PlanKey(List<Integer> definitions, DataTraits data) {}

  /**
   * A plan, the distances of the sources that it is bound to from the first, and by the number of a
   * definition the elements that are left out.
   */
  private record BoundKey(
      PlanKey plan, List<Integer> distances, Map<Integer, KnownElements> known) {}

  /**
   * A plan that is bound to times.
   *
   * @param shared the blocks of which several inputs are made
   */
  record Planned(BoundQueue plan, Set<Input> inputs, Set<Input> shared) {
    static Planned of(BoundQueue plan) {
      Set<Input> inputs = Set.copyOf(plan.queue().inputs());
      Set<Input> seen = new HashSet<>();
      Set<Input> again = new HashSet<>();
      for (Input input : inputs) {
        if (!seen.add(input.plain())) {
          again.add(input.plain());
        }
      }
      return new Planned(plan, inputs, again);
    }
  }

  /**
   * The data of a configuration.
   *
   * @param rounded in single precision; null where the devices compute in double precision
   * @param blocks the data as the devices compute with them, perhaps behind the block cache
   * @param numbers loops and gluonic factors, each of which is read once for all sources
   * @param stochastic the lines of definitions that have stochastic ones, of all that were prepared
   */
  private record OpenData(
      DistillationData data,
      @Nullable RoundedBlocks rounded,
      InputBlocks blocks,
      Function<DataBlock, Complex> numbers,
      Map<AnyDefinition, StochasticPlan.Lines> stochastic) {
    void close() {
      if (rounded != null) {
        rounded.close();
      }
      data.close();
    }
  }

  private final RunSettings settings;
  private final List<AnyDefinition> definitions;
  private final int own;
  private final Ensemble ensemble;
  private final List<Integer> separations;
  private CurrentTimes times;
  private final PlanningWatch watch;
  private final Map<PlanKey, ContractionPlan> contractions = new HashMap<>();
  private final Map<BoundKey, Planned> plans = new HashMap<>();
  private final Map<Integer, OpenData> open = new LinkedHashMap<>();
  private final NodeCache nodeCache;
  private final Map<Definition, StochasticPlan> stochastic = new HashMap<>();

  /** By number of a definition, the most that a diagram has in the first configuration. */
  private final Map<Integer, Integer> assignments = new HashMap<>();

  private @Nullable InputStore inputStore;
  private @Nullable Boolean sampled;
  private int sampledSites;

  /** By configuration. */
  private final Map<Integer, List<String>> fingerprints = new HashMap<>();

  /** The settings of each device that computes. */
  private @Nullable List<DeviceSettings> devices;

  /** The budget, from the memory that is free when the first data are opened. */
  private @Nullable HostMemoryBudget hostMemory;

  /** Asked once: a device that is lost later does not answer. */
  private @Nullable Long planningBudget;

  private long planNanos;

  UnitComputation(
      RunSettings settings,
      List<AnyDefinition> definitions,
      Ensemble ensemble,
      CurrentTimes times,
      PlanningWatch watch) {
    this.watch = watch;
    this.settings = settings;
    sampled = settings.sampled();
    this.nodeCache = new NodeCache(settings.input);
    this.definitions = definitions;
    this.own = definitions.size();
    this.ensemble = ensemble;
    this.separations = times.separations();
    this.times = times;
  }

  private synchronized List<DeviceSettings> devices() {
    if (devices == null) {
      devices = ComputeDevice.each(settings.device);
    }
    return devices;
  }

  private synchronized HostMemoryBudget hostMemory() {
    if (hostMemory == null) {
      hostMemory = ComputeDevice.hostMemory(devices().get(0));
    }
    return hostMemory;
  }

  private synchronized long planningBudget() {
    if (planningBudget == null) {
      planningBudget = ComputeDevice.planningBudget(devices());
    }
    return planningBudget;
  }

  /** Opens the data of the configuration that comes first. What fails is told by {@link #check}. */
  void openAhead(int configuration) {
    try {
      openFirst(configuration);
    } catch (RuntimeException later) {
      LOG.debug("the data do not open: {}", later.toString());
    }
  }

  /** It stays open: its units come first. */
  private void openFirst(int configuration) {
    open.put(configuration, open(configuration));
  }

  /**
   * Opens the data of a configuration and checks that everything is there that units at some
   * sources need.
   *
   * @param unit one of the units, which are planned alike
   * @throws org.starlingqcd.hadron.data.DistillationException when something is missing or damaged
   */
  void check(Unit unit, Collection<Integer> sources) {
    int configuration = unit.key().configuration();
    if (open.isEmpty()) {
      openFirst(configuration);
    }
    OpenData opened = open.get(configuration);
    if (opened != null) {
      check(unit, sources, opened.data());
      return;
    }
    try (DistillationData data = openData(configuration)) {
      check(unit, sources, data);
    }
  }

  private void check(Unit unit, Collection<Integer> sources, DistillationData data) {
    Planned planned = planned(unit, data, ONE_SOURCE);
    List<Input> inputs = new ArrayList<>();
    Set<DataBlock> numbers = new LinkedHashSet<>();
    for (int source : sources) {
      inputs.addAll(planned.plan.inputsAt(source));
      numbers.addAll(planned.plan.numbersAt(source));
    }
    for (int k : unit.planned()) {
      StochasticPlan.Lines lines = stochastic(definitions.get(k), data);
      if (lines != null) {
        inputs.addAll(lines.inputs(sources, separations));
        data.check(inputs, numbers);
        lines.check(sources, separations);
        assignments.putIfAbsent(k, lines.plan().mostAssignments());
        lines.checkAssignments(assignments.get(k));
      }
    }
    data.check(inputs, numbers);
  }

  /** The lines of a definition with stochastic ones; null for others. */
  private StochasticPlan.@Nullable Lines stochastic(
      AnyDefinition definition, DistillationData data) {
    return definition instanceof Definition twoPoint && twoPoint.isStochastic()
        ? stochastic.computeIfAbsent(twoPoint, StochasticPlan::new).of(data)
        : null;
  }

  /**
   * The noises of a definition of the run in the first configuration; null if it has none.
   *
   * @throws InputException when windows are to be kept and there are none
   */
  ResultHeader.@Nullable Noises noises(int number) {
    AnyDefinition definition = definitions.get(number);
    if (!(definition instanceof Definition twoPoint && twoPoint.isStochastic())) {
      return null;
    }
    int subsets = twoPoint.header().stochastic().subsets();
    try (DistillationData data = openData(ensemble.numbers().get(0))) {
      StochasticPlan.Lines lines = Objects.requireNonNull(stochastic(definition, data));
      assignments.put(number, lines.plan().mostAssignments());
      return new ResultHeader.Noises(
          lines.plan().mostAssignments(), subsets, settings.keepNoises && subsets > 0);
    }
  }

  private DistillationData openData(int configuration) {
    DistillationData data = ensemble.configuration(configuration).open(hostMemory());
    data.sampleTetraquarks(sampled);
    if (sampledSites > 0 && data.sampledSites(false) != sampledSites) {
      String found = "%s has %d sampled sites, the first configuration has %d";
      int sites = data.sampledSites(false);
      data.close();
      throw new DistillationException(found.formatted(data.files().get(0), sites, sampledSites));
    }
    return data;
  }

  /**
   * Chooses what tetraquarks are made of in all configurations, as their first one has it, if the
   * user has not.
   *
   * @return sites at which positions are sampled; 0 where elementals are used
   */
  int chooseTetraquarks(int configuration) {
    try (DistillationData data = openData(configuration)) {
      sampled = data.samplesTetraquarks();
      sampledSites = sampled ? data.sampledSites(false) : 0;
      return sampledSites;
    }
  }

  private OpenData open(int configuration) {
    DistillationData data = openData(configuration);
    HostMemoryBudget budget = hostMemory();
    RoundedBlocks rounded =
        settings.device.precision == Precision.DOUBLE
            ? null
            : new RoundedBlocks(data, ensemble.header().eigenvectors(), budget);
    Map<DataBlock, Complex> known = new ConcurrentHashMap<>();
    return new OpenData(
        data,
        rounded,
        nodeCache.before(data, rounded == null ? data : rounded, budget),
        block -> known.computeIfAbsent(block, data::number),
        new ConcurrentHashMap<>());
  }

  /** Reads the saved plan, if there is one, to see that it fits. */
  void checkSavedPlan() {
    if (settings.planning().file() != null) {
      try (DistillationData data = openData(ensemble.numbers().get(0))) {
        List<Integer> all = ownDefinitions();
        long begin = System.nanoTime();
        contractions(new PlanKey(all, traits(data, all)));
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
            BoundQueue.contractions(definitions(key), key.data(), planning(key.definitions())));
  }

  private List<AnyDefinition> definitions(PlanKey key) {
    return key.definitions().stream().map(definitions::get).toList();
  }

  private DataTraits traits(DistillationData data, List<Integer> numbers) {
    return DataTraits.of(data, numbers.stream().map(definitions::get).toList());
  }

  private Planned planned(Unit unit, DistillationData data, List<Integer> distances) {
    List<Integer> numbers = unit.planned();
    PlanKey plan = new PlanKey(List.copyOf(numbers), traits(data, numbers));
    return plans.computeIfAbsent(
        new BoundKey(plan, distances, unit.known()),
        key -> {
          long begin = System.nanoTime();
          long budget = planningBudget();
          BoundQueue bound =
              watch.plan(
                  definitions(plan),
                  () ->
                      BoundQueue.of(
                          definitions(plan),
                          contractions(plan),
                          ensemble.temporalExtent(),
                          distances,
                          separations,
                          times,
                          known(unit),
                          planning(numbers)
                              .queueOptions(budget, ensemble.header().eigenvectors())
                              .withSites(sampledSites)));
          planNanos += System.nanoTime() - begin;
          return Planned.of(bound);
        });
  }

  private static Map<Integer, KnownElements> known(Unit unit) {
    Map<Integer, KnownElements> known = new HashMap<>();
    unit.known().forEach((number, e) -> known.put(unit.planned().indexOf(number), e));
    return known;
  }

  /**
   * The times of the three-point functions. Where all are asked for, those for which the data of
   * the first configuration have everything.
   */
  CurrentTimes times(List<Integer> sources) {
    List<Integer> all = ownDefinitions();
    if (all.stream().anyMatch(k -> definitions.get(k) instanceof CurrentDefinition)) {
      try (DistillationData data = openData(ensemble.numbers().get(0))) {
        PlanKey key = new PlanKey(all, traits(data, all));
        times = times.within(definitions(key), contractions(key), data, sources);
      }
    }
    return times;
  }

  /** Numbers of the definitions of the run, without others that results are planned with. */
  private List<Integer> ownDefinitions() {
    return IntStream.range(0, own).boxed().toList();
  }

  /** A plan that was saved is one of all definitions; some of them are planned anew. */
  private PlanSettings planning(List<Integer> numbers) {
    return numbers.equals(ownDefinitions())
        ? settings.planning()
        : settings.planning().withoutFile();
  }

  private Planned planned(List<Unit> together, DistillationData data) {
    int first = together.get(0).key().source();
    List<Integer> distances =
        together.stream()
            .map(unit -> Math.floorMod(unit.key().source() - first, ensemble.temporalExtent()))
            .toList();
    return planned(together.get(0), data, distances);
  }

  /**
   * Prepares units that are computed together, and has their data read while something else is
   * computed.
   *
   * @param together units of one configuration that are planned alike
   */
  UnitWork prepare(List<Unit> together) {
    UnitKey key = together.get(0).key();
    InputStore store = inputStore();
    OpenData opened = open.computeIfAbsent(key.configuration(), this::open);
    InputBlocks blocks = opened.blocks();
    Planned planned = planned(together, opened.data());
    List<Input> inputs = planned.plan.inputsAt(key.source());
    fingerprints.computeIfAbsent(
        key.configuration(), absent -> opened.data().fingerprint(inputs, hostMemory()));
    if (blocks instanceof CachedInputBlocks cached) {
      cached.announce(inputs);
    }
    if (!usesInPlace(blocks)) {
      store.prefetch(key, blocks, inputs);
    }
    Map<AnyDefinition, StochasticPlan.Lines> lines = opened.stochastic();
    for (int k : together.get(0).planned()) {
      AnyDefinition definition = definitions.get(k);
      if (!lines.containsKey(definition)) {
        StochasticPlan.Lines its = stochastic(definition, opened.data());
        if (its != null) {
          lines.put(definition, its);
        }
      }
    }
    return new UnitWork(
        together,
        blocks,
        planned,
        store,
        ensemble,
        opened.numbers(),
        lines,
        separations,
        settings.keepNoises);
  }

  /**
   * Whether the device uses inputs where they lie in the block cache; read ahead, they are twice.
   */
  private boolean usesInPlace(InputBlocks blocks) {
    return blocks instanceof CachedInputBlocks cached
        && cached.lends()
        && devices().stream().allMatch(ComputeDevice::borrows);
  }

  /** Checksums of some blocks of a configuration whose units were prepared. */
  List<String> fingerprint(int configuration) {
    return fingerprints.getOrDefault(configuration, List.of());
  }

  /** Closes the data of a configuration. */
  void finish(int configuration) {
    fingerprints.remove(configuration);
    OpenData opened = open.remove(configuration);
    if (opened != null) {
      if (inputStore != null) {
        inputStore.drop(configuration);
      }
      opened.close();
    }
  }

  private InputStore inputStore() {
    InputStore present = inputStore;
    if (present == null) {
      HostMemoryBudget budget = hostMemory();
      present =
          new InputStore(
              budget,
              HostMemoryShare.readAheadBytes(settings, budget),
              ensemble.header().eigenvectors(),
              settings.input.readBatch.of(budget.otherBytes()),
              settings.device.precision,
              ComputeDevice.pageLocked(devices().get(0)));
      inputStore = present;
    }
    return present;
  }

  /**
   * A worker for each device, or for the devices that compute a unit together; none has opened a
   * device yet.
   *
   * @throws InputException when the devices cannot be divided as the settings say
   */
  List<DeviceWorker> workers() {
    List<DeviceSettings> all = devices();
    int together = settings.device.devicesPerUnit;
    if (all.size() % together != 0) {
      throw InputException.of(
          "--devices-per-unit %s does not divide the number of devices: %s", together, all.size());
    }
    List<DeviceWorker> workers = new ArrayList<>();
    for (int first = 0; first < all.size(); first += together) {
      workers.add(
          new DeviceWorker(
              all.subList(first, first + together),
              all.size(),
              settings.out.toAbsolutePath(),
              this::hostMemory,
              ensemble.header().eigenvectors()));
    }
    return workers;
  }

  /** Blocks from files and from the block cache; null when none was asked for. */
  @Nullable BlockCounts blockCounts() {
    return nodeCache.counts();
  }

  double planSeconds() {
    return 1e-9 * planNanos;
  }

  double readSeconds() {
    return inputStore == null ? 0 : inputStore.readSeconds();
  }

  @Override
  public void close() {
    if (inputStore != null) {
      inputStore.close();
    }
    nodeCache.close();
    open.values().forEach(OpenData::close);
    open.clear();
  }

  /**
   * Units of one configuration that are computed together: their plan and their data.
   *
   * @param store holds the data that were read ahead or are needed again
   * @param numbers those of the configuration
   * @param stochastic the lines of definitions that have stochastic ones
   */
  record UnitWork(
      List<Unit> units,
      InputBlocks data,
      Planned planned,
      InputStore store,
      Ensemble ensemble,
      Function<DataBlock, Complex> numbers,
      Map<AnyDefinition, StochasticPlan.Lines> stochastic,
      List<Integer> separations,
      boolean keepNoises) {
    /** The first of the units. */
    UnitKey key() {
      return units.get(0).key();
    }

    int configuration() {
      return key().configuration();
    }

    /** Sources of the units, in their order. */
    List<Integer> sources() {
      return units.stream().map(unit -> unit.key().source()).toList();
    }

    /**
     * The inputs of the plan, whose first source was bound at 0, at the first source of the units.
     *
     * @param later sources of the same configuration that come later; blocks that they need stay in
     *     memory
     */
    StoredInputs inputs(Collection<Integer> later) {
      int extent = ensemble.temporalExtent();
      UnitKey first = key();
      return store.inputs(
          first,
          data,
          input -> input.shifted(first.source(), extent),
          input -> planned.shared().contains(input.plain()),
          block ->
              later.stream()
                  .map(time -> block.shifted(-time, extent))
                  .anyMatch(planned.inputs()::contains));
    }

    /**
     * For each unit, one unit of a result for each definition that was planned for it.
     *
     * @param executors compute definitions with stochastic lines
     */
    List<List<ResultUnit>> results(
        QueueResult result, Function<StochasticPlan.Lines, DilutionExecutor> executors) {
      return IntStream.range(0, units.size())
          .mapToObj(
              number ->
                  planned
                      .plan()
                      .units(
                          result,
                          key().configuration(),
                          key().source(),
                          number,
                          numbers,
                          (definition, source) -> unit(definition, source, executors)))
          .toList();
    }

    private ResultUnit unit(
        AnyDefinition definition,
        int source,
        Function<StochasticPlan.Lines, DilutionExecutor> executors) {
      StochasticPlan.Lines lines = Objects.requireNonNull(stochastic.get(definition));
      return lines.unit(
          executors.apply(lines), configuration(), source, separations, keepNoises, numbers);
    }
  }
}
