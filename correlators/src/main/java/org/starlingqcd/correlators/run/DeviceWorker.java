package org.starlingqcd.correlators.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.plan.PlanReport;
import org.starlingqcd.correlators.plan.StochasticPlan;
import org.starlingqcd.correlators.result.ResultUnit;
import org.starlingqcd.correlators.run.UnitComputation.Planned;
import org.starlingqcd.correlators.run.UnitComputation.UnitWork;
import org.starlingqcd.hadron.execute.DilutionExecutor;
import org.starlingqcd.hadron.execute.ExecutionControl;
import org.starlingqcd.hadron.execute.ExecutionStatistics;
import org.starlingqcd.hadron.execute.QueueResult;
import org.starlingqcd.hadron.execute.SharedExecutor;
import org.starlingqcd.memhc.MemoryBudgetException;
import org.starlingqcd.memhc.cache.MemoryStatistics;

/**
 * Computes units on one device, or on several together, with a MemHC for each. They are opened for
 * the first unit, so that a run with nothing to do needs none. One thread at a time.
 */
final class DeviceWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceWorker.class);

  private final List<DeviceSettings> settings;
  private final int devices;
  private final Path spillFolder;
  private final Supplier<HostMemoryBudget> hostMemory;
  private final int eigenvectors;
  private final IdentityHashMap<Planned, SharedExecutor.Prepared> prepared =
      new IdentityHashMap<>();
  private final List<ComputeDevice> opened = new ArrayList<>();

  /** By the lines of a configuration; those of the last one. */
  private final Map<StochasticPlan.Lines, DilutionExecutor> stochastic = new HashMap<>();

  private @Nullable SharedExecutor executor;
  private @Nullable Device processor;
  private ExecutionStatistics execution = ExecutionStatistics.ZERO;
  private int computed;
  private long movedBytes;
  private @Nullable String lost;

  /**
   * A worker that has opened nothing yet.
   *
   * @param devices number of devices that compute beside each other
   */
  DeviceWorker(
      List<DeviceSettings> settings,
      int devices,
      Path spillFolder,
      Supplier<HostMemoryBudget> hostMemory,
      int eigenvectors) {
    this.settings = List.copyOf(settings);
    this.devices = devices;
    this.spillFolder = spillFolder;
    this.hostMemory = hostMemory;
    this.eigenvectors = eigenvectors;
  }

  /**
   * Computes units together.
   *
   * @param later sources of the same configuration that come later
   * @throws InputException when a contraction does not fit into the memory that the user allows
   */
  List<List<ResultUnit>> compute(
      UnitWork work, Collection<Integer> later, ExecutionControl control) {
    SharedExecutor queues = executor();
    dropStochastic(work.stochastic().values());
    try {
      SharedExecutor.Prepared queue =
          prepared.computeIfAbsent(
              work.planned(), planned -> queues.prepare(planned.plan().queue(), eigenvectors));
      QueueResult result = queues.run(queue, work.inputs(later), control);
      movedBytes += queue.movedBytes();
      execution = execution.plus(result.statistics());
      computed += work.units().size();
      long most = hostMemory.get().otherBytes() / (4L * devices);
      List<List<ResultUnit>> results =
          work.results(
              result,
              lines ->
                  stochastic.computeIfAbsent(
                      lines, absent -> lines.executor(processor(), work.data(), most)));
      for (DilutionExecutor one : stochastic.values()) {
        execution = execution.plus(one.statistics());
      }
      return results;
    } catch (MemoryBudgetException e) {
      DeviceSettings first = settings.get(0);
      throw PlanReport.tooSmall(
          e,
          eigenvectors,
          first.unitsAtOnce,
          first.cache().tiers().fastMemory() == null ? "device" : "fast");
    }
  }

  /** Drops what computed definitions with stochastic lines, except for some of them. */
  private void dropStochastic(Collection<StochasticPlan.Lines> kept) {
    stochastic
        .entrySet()
        .removeIf(
            entry -> {
              boolean drops = !kept.contains(entry.getKey());
              if (drops) {
                entry.getValue().close();
              }
              return drops;
            });
  }

  /** Small matrices are multiplied by the processor, whatever the device. */
  private Device processor() {
    Device present = processor;
    if (present == null) {
      present = ComputeDevice.processor(settings.get(0), devices);
      processor = present;
    }
    return present;
  }

  private SharedExecutor executor() {
    SharedExecutor present = executor;
    if (present == null) {
      settings.forEach(one -> opened.add(open(one)));
      present =
          SharedExecutor.open(
              opened.stream().map(ComputeDevice::device).toList(),
              opened.stream().map(ComputeDevice::options).toList());
      executor = present;
    }
    return present;
  }

  /**
   * The settings were right when the run began, so that a device of several that is gone is lost.
   */
  private ComputeDevice open(DeviceSettings one) {
    try {
      return ComputeDevice.open(one, devices, spillFolder, hostMemory.get());
    } catch (InputException e) {
      if (devices == 1) {
        throw e;
      }
      throw new BackendException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Gives up a device that has failed; what it still says when it is closed is of no use. */
  void giveUp(BackendException failure) {
    lost = String.valueOf(failure.getMessage());
    try {
      closeAll();
    } catch (RuntimeException e) {
      LOG.debug("while a lost device is closed: {}", e.getMessage());
    }
  }

  /** The numbers of the devices within their backend, as {@code 0} or {@code 0, 1}. */
  String numbers() {
    return String.join(", ", settings.stream().map(one -> Integer.toString(one.device())).toList());
  }

  /** Whether others compute on the same device. */
  boolean sharesDevice() {
    return settings.get(0).unitsAtOnce > 1;
  }

  /** The devices, once they were opened. */
  List<ComputeDevice> opened() {
    return opened;
  }

  /** What it did: an object of {@code devices} of JSON output. */
  Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (opened.size() > 1) {
      map.put("numbers", numbers());
      map.put("bytes_between_devices", movedBytes);
    } else {
      map.put("number", settings.get(0).device());
    }
    map.put("name", opened.isEmpty() ? "" : opened.get(0).info().name());
    map.put("units", computed);
    map.put("execution_seconds", execution.wallSeconds());
    if (lost != null) {
      map.put("lost", lost);
    }
    return map;
  }

  /** What the contractions took so far. */
  ExecutionStatistics execution() {
    return execution;
  }

  /** Counters of MemHC so far; zeros before the first unit. */
  MemoryStatistics memory() {
    return executor != null ? executor.memory() : MemoryStatistics.none(settings.get(0).eviction);
  }

  private void closeAll() {
    List<Runnable> closing = new ArrayList<>();
    closing.add(() -> dropStochastic(List.of()));
    if (processor != null) {
      closing.add(processor::close);
    }
    SharedExecutor queues = executor;
    if (queues != null) {
      closing.add(queues::close);
    }
    opened.forEach(device -> closing.add(device::close));
    DeviceTeam.doAll(closing);
  }

  @Override
  public void close() {
    if (lost == null) {
      closeAll();
    }
  }
}
