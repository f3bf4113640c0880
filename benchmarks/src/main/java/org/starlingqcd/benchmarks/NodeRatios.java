package org.starlingqcd.benchmarks;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Prints a Markdown table of node building against the machine: four nodes on one perambulator, 64
 * products of {@code 8·N³} flops as a contraction of two nodes has, and in the same rounds large
 * real products (dgemm), the same products by zgemm, and contractions, each on as many threads.
 * Medians of rates and of the ratios of neighbours. A kernel that takes three real products for a
 * complex one may come to 4/3 of dgemm's rate.
 *
 * <pre>
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" \
 *   org.starlingqcd.benchmarks.NodeRatios EXTENTS THREADS ROUNDS   (64,128,256 1,2 9)
 * </pre>
 */
public final class NodeRatios {
  /** Seconds that one measurement should take about, at 100 GFLOP/s and thread. */
  private static final double SECONDS = 0.15;

  private NodeRatios() {}

  /** Prints one row for each extent, number of threads and kind of products. */
  public static void main(String[] arguments) throws InterruptedException {
    int[] extents = Ratios.numbers(arguments, 0, "64,128,256");
    int[] threads = Ratios.numbers(arguments, 1, "1,2");
    int rounds = Ratios.numbers(arguments, 2, "9")[0];
    PrintStream out = System.out;
    out.println(
        "| N | threads | products | dgemm GFLOP/s | nodes GFLOP/s | of dgemm | of zgemm"
            + " | of contractions |");
    out.println("| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
    for (int count : threads) {
      try (MachineRates machine = new MachineRates(count)) {
        for (int extent : extents) {
          for (boolean exact : new boolean[] {false, true}) {
            out.println(row(machine, extent, count, exact, rounds));
            out.flush();
          }
        }
      }
    }
  }

  private static String row(
      MachineRates machine, int extent, int threads, boolean exact, int rounds)
      throws InterruptedException {
    double[] dgemm = new double[rounds];
    double[] rate = new double[rounds];
    double[] ofDgemm = new double[rounds];
    double[] ofZgemm = new double[rounds];
    double[] ofContractions = new double[rounds];
    int entries = CpuNodes.CONTRACTIONS_OF_A_THREAD * threads;
    try (KernelRate nodes = new KernelRate(KernelRate.Work.NODES, extent, threads, exact, SECONDS);
        KernelRate contractions =
            new KernelRate(KernelRate.Work.CONTRACTIONS, extent, threads, exact, SECONDS);
        Zgemm zgemm = new Zgemm(extent, entries, threads, SECONDS)) {
      // The first round warms up the compiler and the caches and does not count.
      for (int round = -1; round < rounds; round++) {
        double real = machine.flopsPerSecond();
        double built = nodes.measure().flopsPerSecond();
        double complex = zgemm.measure().flopsPerSecond();
        double contracted = contractions.measure().flopsPerSecond();
        if (round >= 0) {
          dgemm[round] = real;
          rate[round] = built;
          ofDgemm[round] = built / real;
          ofZgemm[round] = built / complex;
          ofContractions[round] = built / contracted;
        }
      }
    }
    return String.format(
        Locale.ROOT,
        "| %d | %d | %s | %.0f | %.0f | %.0f %% | %.2f | %.2f |",
        extent,
        threads,
        exact ? Ratios.CONVENTIONAL : Ratios.THREE,
        1e-9 * Ratios.median(dgemm),
        1e-9 * Ratios.median(rate),
        100 * Ratios.median(ofDgemm),
        Ratios.median(ofZgemm),
        Ratios.median(ofContractions));
  }
}
