package org.starlingqcd.correlators;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.plan.DataTraits;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.execute.ExecutionControl;
import org.starlingqcd.hadron.execute.QueueCost;
import org.starlingqcd.hadron.execute.QueueExecutor;
import org.starlingqcd.hadron.execute.QueueResult;
import org.starlingqcd.memhc.MemHCOptions;

/** The whole way from a definition to numbers, without files of results, for tests. */
public final class Engine {
  /** Ample for every test. */
  public static final long BUDGET = 1L << 30;

  private Engine() {}

  /** The folder of the bundled examples. */
  public static Path examples() {
    Path here = Path.of("").toAbsolutePath();
    while (here != null && !Files.isDirectory(here.resolve("examples").resolve("data"))) {
      here = here.getParent();
    }
    if (here == null) {
      throw new IllegalStateException("no examples/data above " + Path.of("").toAbsolutePath());
    }
    return here.resolve("examples");
  }

  /** A bundled data file of configuration 1 or 2. */
  public static Path data(int configuration) {
    return examples().resolve("data").resolve("quenched_4x8_cfg000" + configuration + ".h5");
  }

  /** The reference correlators of a shipped definition, computed by brute force. */
  public static Path reference(String name) {
    return examples().resolve("reference").resolve(name + ".h5");
  }

  /** A shipped definition. */
  public static CorrelationMatrix definition(String name) {
    return new DefinitionLoader(examples()).load(name).toCorrelationMatrix();
  }

  /** Evaluates a matrix at one source time with ample memory. */
  public static QueueResult evaluate(
      CorrelationMatrix matrix, DistillationData data, int source, List<Integer> separations) {
    return evaluate(matrix, data, source, separations, BUDGET);
  }

  /** Evaluates a matrix on several files, planned once: they differ in their numbers only. */
  public static List<double[]> evaluateAll(
      CorrelationMatrix matrix, List<Path> files, int source, List<Integer> separations) {
    List<double[]> values = new ArrayList<>();
    ExecutionQueue queue = null;
    try (Device device = Backends.select("cpu", 0).open(DeviceOptions.defaults());
        QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(BUDGET))) {
      for (Path file : files) {
        try (DistillationData data = DistillationData.open(List.of(file))) {
          int n = data.header().eigenvectors();
          if (queue == null) {
            queue = queue(matrix, data, source, separations, PlanSettings.defaults(), n);
          }
          values.add(
              executor
                  .run(executor.prepare(queue, n), data, ExecutionControl.NONE)
                  .correlator(0, matrix.operators().size(), separations.size()));
        }
      }
    }
    return values;
  }

  private static ExecutionQueue queue(
      CorrelationMatrix matrix,
      DistillationData data,
      int source,
      List<Integer> separations,
      PlanSettings planning,
      int queuedFor) {
    return TimeBinding.bind(
        Reducer.reduce(
            WickContraction.contract(List.of(matrix)),
            planning.reducerOptions(DataTraits.of(data, data.labels(), true))),
        BoundTimes.of(data.header().temporalExtent(), source, separations),
        planning.queueOptions(Long.MAX_VALUE, queuedFor),
        QueueCost::of);
  }

  /** Evaluates a matrix at one source time within a budget. */
  public static QueueResult evaluate(
      CorrelationMatrix matrix,
      DistillationData data,
      int source,
      List<Integer> separations,
      long budgetBytes) {
    return evaluate(
        matrix,
        data,
        source,
        separations,
        budgetBytes,
        PlanSettings.defaults(),
        DeviceOptions.defaults());
  }

  /** Evaluates a matrix at one source time, planned in a given way. */
  public static QueueResult evaluate(
      CorrelationMatrix matrix,
      DistillationData data,
      int source,
      List<Integer> separations,
      long budgetBytes,
      PlanSettings planning) {
    return evaluate(
        matrix, data, source, separations, budgetBytes, planning, DeviceOptions.defaults());
  }

  /** Evaluates a matrix at one source time on a device that is opened in a given way. */
  static QueueResult evaluate(
      CorrelationMatrix matrix,
      DistillationData data,
      int source,
      List<Integer> separations,
      long budgetBytes,
      PlanSettings planning,
      DeviceOptions options) {
    int n = data.header().eigenvectors();
    return evaluate(matrix, data, source, separations, budgetBytes, planning, options, n);
  }

  /**
   * Evaluates a matrix at one source time, in the order for another number of eigenvectors.
   *
   * @param queuedFor the number
   */
  static QueueResult evaluate(
      CorrelationMatrix matrix,
      DistillationData data,
      int source,
      List<Integer> separations,
      long budgetBytes,
      PlanSettings planning,
      DeviceOptions options,
      int queuedFor) {
    ExecutionQueue queue = queue(matrix, data, source, separations, planning, queuedFor);
    try (Device device = Backends.select("cpu", 0).open(options);
        QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(budgetBytes))) {
      data.check(queue.inputs());
      return executor.run(
          executor.prepare(queue, data.header().eigenvectors()), data, ExecutionControl.NONE);
    }
  }
}
