package org.starlingqcd.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.cpu.CpuBackend;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Momentum;
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
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;
import org.starlingqcd.memhc.MemHCOptions;

/**
 * A definition on synthetic data from the file to the correlators, beside the dgemm of the same
 * BLAS, taken in turn: flops that the plan counts per second, with all the memory and with a part
 * of the peak. Medians; rates by processor time leave out what other programs took.
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
  private final Dgemm dgemm;

  private BaryonRates(
      DistillationData data, ExecutionQueue queue, int threads, int rounds, Dgemm dgemm) {
    this.data = data;
    this.queue = queue;
    this.threads = threads;
    this.rounds = rounds;
    this.dgemm = dgemm;
  }

  /** Prints one row for each budget, a share of the peak. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    CorrelationMatrix matrix = new DefinitionLoader().load(arguments[0]).toCorrelationMatrix();
    int eigenvectors = Integer.parseInt(arguments[1]);
    int threads = Integer.parseInt(arguments[2]);
    int rounds = Integer.parseInt(arguments[3]);
    double[] shares =
        Arrays.stream(arguments[4].split(",", -1)).mapToDouble(Double::parseDouble).toArray();
    Path folder = Files.createTempDirectory("baryon-rates");
    try {
      Path file = write(matrix, eigenvectors, folder);
      ExecutionQueue queue =
          TimeBinding.bind(
              Reducer.reduce(WickContraction.contract(List.of(matrix))),
              BoundTimes.of(EXTENT, 0, SEPARATIONS),
              QueueOptions.standard().withBudget(Long.MAX_VALUE, eigenvectors),
              QueueCost::of);
      try (DistillationData data = DistillationData.open(List.of(file));
          Dgemm dgemm = new Dgemm(threads)) {
        data.check(queue.inputs());
        BaryonRates rates = new BaryonRates(data, queue, threads, rounds, dgemm);
        rates.report(arguments[0], shares, System.out);
      }
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  private static Path write(CorrelationMatrix matrix, int eigenvectors, Path folder) {
    TreeSet<Momentum> momenta = new TreeSet<>();
    matrix.operators().stream()
        .flatMap(operator -> operator.terms().stream())
        .flatMap(term -> term.factors().stream())
        .forEach(factor -> momenta.add(factor.momentum()));
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
            true,
            0,
            1);
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
      double[] seconds = new double[rounds];
      double[] reference = new double[rounds];
      double[] ratios = new double[rounds];
      double[] processor = new double[rounds];
      double flops = 0;
      try (Device device = new CpuBackend().open(new DeviceOptions(0, threads, budget, false));
          QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(budget))) {
        PreparedQueue prepared = executor.prepare(queue, data.header().eigenvectors());
        flops = prepared.work().flops();
        // The first round warms up the compiler and the caches and does not count.
        for (int round = -1; round < rounds; round++) {
          long cpu0 = RateSample.processorNanos();
          long start = System.nanoTime();
          double gemms = dgemm.run();
          long middle = System.nanoTime();
          long cpu1 = RateSample.processorNanos();
          executor.run(prepared, data, ExecutionControl.NONE);
          long end = System.nanoTime();
          long cpu2 = RateSample.processorNanos();
          if (round >= 0) {
            seconds[round] = 1e-9 * (end - middle);
            reference[round] = gemms / (middle - start);
            ratios[round] = flops / (end - middle) / reference[round];
            processor[round] = flops / (cpu2 - cpu1) / (gemms / (cpu1 - cpu0));
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
          Ratios.median(seconds),
          1e-9 * flops / Ratios.median(seconds),
          Ratios.median(reference),
          Ratios.median(ratios),
          Ratios.median(processor));
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
