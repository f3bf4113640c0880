package org.starlingqcd.benchmarks;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.cpu.CpuBackend;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.TetraquarkFactor;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.execute.ExecutionControl;
import org.starlingqcd.hadron.execute.PreparedQueue;
import org.starlingqcd.hadron.execute.QueueCost;
import org.starlingqcd.hadron.execute.QueueExecutor;
import org.starlingqcd.hadron.synthetic.SyntheticCurrents;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.simulator.check.TemporaryFolder;

/**
 * Compares the computation of a definition, from files of synthetic data to correlators, with dgemm
 * of the same BLAS: the flops that the plan counts per second, for several memory budgets. The two
 * alternate; the table shows medians. Ratios of processor times exclude what other programs took.
 *
 * <pre>
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" \
 *   org.starlingqcd.benchmarks.BaryonRates nucleon 64 2 5 1,0.25    (definition, N, threads, rounds, budgets)
 * </pre>
 */
public final class BaryonRates {
  private static final int EXTENT = 4;
  private static final List<Integer> SEPARATIONS = List.of(1, 2, 3);

  private final DistillationData data;
  private final ExecutionQueue queue;
  private final int threads;
  private final int rounds;
  private final MachineRates machine;

  private BaryonRates(
      DistillationData data, ExecutionQueue queue, int threads, int rounds, MachineRates machine) {
    this.data = data;
    this.queue = queue;
    this.threads = threads;
    this.rounds = rounds;
    this.machine = machine;
  }

  /** Prints one row for each budget, a share of the peak. */
  public static void main(String[] arguments) throws InterruptedException {
    CorrelationMatrix matrix = new DefinitionLoader().load(arguments[0]).toCorrelationMatrix();
    int eigenvectors = Integer.parseInt(arguments[1]);
    int threads = Integer.parseInt(arguments[2]);
    int rounds = Integer.parseInt(arguments[3]);
    double[] shares =
        Arrays.stream(arguments[4].split(",", -1)).mapToDouble(Double::parseDouble).toArray();
    try (TemporaryFolder folder = new TemporaryFolder()) {
      Path file = write(matrix, eigenvectors, folder.resolve("data"));
      ExecutionQueue queue =
          TimeBinding.bind(
              Reducer.reduce(WickContraction.contract(List.of(matrix))),
              BoundTimes.of(EXTENT, 0, SEPARATIONS),
              QueueOptions.standard().withBudget(Long.MAX_VALUE, eigenvectors),
              QueueCost::of);
      try (DistillationData data = DistillationData.open(List.of(file));
          MachineRates machine = new MachineRates(threads)) {
        data.check(queue.inputs());
        BaryonRates rates = new BaryonRates(data, queue, threads, rounds, machine);
        rates.report(arguments[0], shares, System.out);
      }
    }
  }

  private static Path write(CorrelationMatrix matrix, int eigenvectors, Path folder) {
    TreeSet<Momentum> momenta = new TreeSet<>();
    TreeSet<PairColour> colours = new TreeSet<>();
    matrix.operators().stream()
        .flatMap(operator -> operator.terms().stream())
        .flatMap(term -> term.factors().stream())
        .forEach(
            factor -> {
              momenta.add(factor.momentum());
              if (factor instanceof TetraquarkFactor tetraquark) {
                colours.add(tetraquark.colour());
              }
            });
    SyntheticEnsemble ensemble =
        new SyntheticEnsemble(
            "rates",
            4,
            EXTENT,
            eigenvectors,
            List.copyOf(new TreeSet<>(matrix.quarkLabels().values())),
            List.of(),
            List.copyOf(momenta),
            List.of(),
            colours.isEmpty(),
            0,
            1,
            List.copyOf(colours),
            SyntheticCurrents.NONE,
            List.of(),
            false,
            List.of());
    return SyntheticData.write(ensemble, 1, folder, bytes -> {});
  }

  private void report(String name, double[] shares, PrintStream out) throws InterruptedException {
    out.println(
        "| definition | N | threads | budget, MiB | of the peak | seconds | GFLOP/s | dgemm, GFLOP/s"
            + " | ratio of times | ratio of processor times |");
    out.println("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    long peak = peak();
    for (double share : shares) {
      long budget = (long) (share * peak);
      Medians medians = new Medians();
      double flops;
      try (Device device = new CpuBackend().open(new DeviceOptions(0, threads, budget, false));
          QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(budget))) {
        PreparedQueue prepared = executor.prepare(queue, data.header().eigenvectors());
        flops = prepared.work().flops();
        // The first round warms up the compiler and the caches and does not count.
        for (int round = -1; round < rounds; round++) {
          RateSample gemms = machine.dgemm(768, 12);
          RateSample own =
              RateSample.of(flops, 1, () -> executor.run(prepared, data, ExecutionControl.NONE));
          if (round >= 0) {
            medians.add("seconds", own.wallSeconds());
            medians.add("dgemm", gemms.flopsPerSecond());
            medians.add("times", own.flopsPerSecond() / gemms.flopsPerSecond());
            medians.add(
                "processor", own.flopsPerProcessorSecond() / gemms.flopsPerProcessorSecond());
          }
        }
      }
      out.printf(
          Locale.ROOT,
          "| %s | %d | %d | %.1f | %.2f | %.3f | %.0f | %.0f | %.2f | %.2f |%n",
          name,
          data.header().eigenvectors(),
          threads,
          budget / 1048576.0,
          share,
          medians.of("seconds"),
          1e-9 * flops / medians.of("seconds"),
          1e-9 * medians.of("dgemm"),
          medians.of("times"),
          medians.of("processor"));
      out.flush();
    }
  }

  private long peak() {
    try (Device device = new CpuBackend().open(new DeviceOptions(0, threads, 0, false));
        QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(1L << 50))) {
      return executor.prepare(queue, data.header().eigenvectors()).peakBytes();
    }
  }
}
