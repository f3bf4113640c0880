package org.starlingqcd.correlators.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.plan.BoundQueue;
import org.starlingqcd.correlators.plan.DataTraits;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.correlators.plan.PlanningWatch;
import org.starlingqcd.correlators.run.UnitSchedule.Unit;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.graph.schedule.KnownElements;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.input.BlockCounts;
import org.starlingqcd.hadron.input.CachedInputBlocks;
import org.starlingqcd.hadron.input.InputStore;
import org.starlingqcd.hadron.input.RoundedBlocks;
import org.starlingqcd.hadron.input.UnitKey;

/**
 * Prepares units for the devices that compute them: holds the plans and the open data, which all
 * devices share, and has the data read ahead by one thread. One thread prepares units and finishes
 * configurations; each {@link DeviceWorker} computes units on a thread of its own.
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

  /**
   * A plan that is bound to times.
   *
   * @param inputs the inputs of its queue
   */
  record Planned(BoundQueue plan, Set<Input> inputs) {}

  private final RunSettings settings;
  private final List<Definition> definitions;
  private final int own;
  private final Ensemble ensemble;
  private final List<Integer> separations;
  private final PlanningWatch watch;
  private final Map<PlanKey, ContractionPlan> contractions = new HashMap<>();
  private final Map<BoundKey, Planned> plans = new HashMap<>();
  private final Map<Integer, DistillationData> open = new LinkedHashMap<>();
  private final Map<Integer, RoundedBlocks> rounded = new HashMap<>();
  private final NodeCache nodeCache;
  private @Nullable HostMemoryBudget hostMemory;
  private @Nullable List<DeviceSettings> devices;
  private @Nullable InputStore inputStore;
  private @Nullable Long planningBudget;
  private long planNanos;

  UnitComputation(
      RunSettings settings,
      List<Definition> definitions,
      Ensemble ensemble,
      List<Integer> separations,
      PlanningWatch watch) {
    this.watch = watch;
    this.settings = settings;
    this.nodeCache = new NodeCache(settings.input());
    this.definitions = definitions;
    this.own = definitions.size();
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

  private List<Definition> definitions(PlanKey key) {
    return key.definitions().stream().map(definitions::get).toList();
  }

  private DataTraits traits(DistillationData data, List<Integer> numbers) {
    return DataTraits.of(data, numbers.stream().map(definitions::get).toList());
  }

  private Planned planned(Unit unit, DistillationData data, List<Integer> distances) {
    List<Integer> numbers = unit.planned();
    PlanKey plan = new PlanKey(List.copyOf(numbers), traits(data, numbers));
    Map<Integer, KnownElements> known = new HashMap<>();
    unit.known().forEach((number, elements) -> known.put(numbers.indexOf(number), elements));
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
                          known,
                          planning(numbers),
                          budget,
                          ensemble.header().eigenvectors()));
          planNanos += System.nanoTime() - begin;
          return new Planned(bound, Set.copyOf(bound.queue().inputs()));
        });
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
    DistillationData data = data(key.configuration());
    Planned planned = planned(together, data);
    InputStore store = inputStore();
    List<Input> inputs = planned.plan.inputsAt(key.source());
    InputBlocks blocks =
        nodeCache.blocks(
            key.configuration(),
            data,
            inPrecision(key.configuration(), data),
            hostMemory(),
            inputs);
    if (!usesInPlace(blocks)) {
      store.prefetch(key, blocks, inputs);
    }
    return new UnitWork(together, blocks, planned, store, ensemble);
  }

  /** The data of a configuration as the devices compute with them. */
  private InputBlocks inPrecision(int configuration, DistillationData data) {
    if (settings.device().precision() == Precision.DOUBLE) {
      return data;
    }
    return rounded.computeIfAbsent(
        configuration,
        absent -> new RoundedBlocks(data, ensemble.header().eigenvectors(), hostMemory()));
  }

  /**
   * Whether the device uses inputs where they lie in the block cache; read ahead, they are twice.
   */
  private boolean usesInPlace(InputBlocks blocks) {
    return blocks instanceof CachedInputBlocks cached
        && cached.lends()
        && devices().stream().allMatch(ComputeDevice::borrows);
  }

  /** Closes the data of a configuration. */
  void finish(int configuration) {
    DistillationData data = open.remove(configuration);
    if (data != null) {
      if (inputStore != null) {
        inputStore.drop(configuration);
      }
      RoundedBlocks single = rounded.remove(configuration);
      if (single != null) {
        single.close();
      }
      nodeCache.drop(configuration);
      data.close();
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
              settings.input().readBatch().of(budget.otherBytes()),
              settings.device().precision(),
              ComputeDevice.pageLocked(devices().get(0)));
      inputStore = present;
    }
    return present;
  }

  /** The budget, from the memory that is free when the first data are opened. */
  private HostMemoryBudget hostMemory() {
    HostMemoryBudget present = hostMemory;
    if (present == null) {
      present = ComputeDevice.hostMemory(devices().get(0));
      hostMemory = present;
    }
    return present;
  }

  /** The settings of each device that computes. */
  private List<DeviceSettings> devices() {
    List<DeviceSettings> present = devices;
    if (present == null) {
      present = ComputeDevice.each(settings.device());
      devices = present;
    }
    return present;
  }

  /** Asked once: a device that is lost later does not answer. */
  private long planningBudget() {
    Long present = planningBudget;
    if (present == null) {
      present = ComputeDevice.planningBudget(devices());
      planningBudget = present;
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
    int together = settings.device().devicesPerUnit();
    if (all.size() % together != 0) {
      throw new InputException(
          "--devices-per-unit "
              + together
              + " does not divide the number of devices: "
              + all.size());
    }
    List<DeviceWorker> workers = new ArrayList<>();
    for (int first = 0; first < all.size(); first += together) {
      workers.add(
          new DeviceWorker(
              all.subList(first, first + together),
              all.size(),
              settings.out().toAbsolutePath(),
              hostMemory(),
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
    rounded.values().forEach(RoundedBlocks::close);
    rounded.clear();
    nodeCache.close();
    open.values().forEach(DistillationData::close);
    open.clear();
  }
}
