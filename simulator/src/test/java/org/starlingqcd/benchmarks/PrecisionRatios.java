package org.starlingqcd.benchmarks;

import java.io.PrintStream;
import java.util.Locale;
import org.starlingqcd.backend.Precision;

/**
 * Rates of contractions in double and in single precision, on one thread, in rounds that alternate.
 * Arguments: numbers of eigenvectors, rounds.
 */
public final class PrecisionRatios {
  private static final double SECONDS = 0.2;

  private PrecisionRatios() {}

  /** Prints one row for each number of eigenvectors. */
  public static void main(String[] arguments) throws InterruptedException {
    int[] extents = Ratios.numbers(arguments, 0, "64,128,256");
    int rounds = Ratios.numbers(arguments, 1, "15")[0];
    PrintStream out = System.out;
    out.println(
        "| N | double GFLOP/s | single GFLOP/s | ratio of times | ratio of processor times |");
    out.println("| ---: | ---: | ---: | ---: | ---: |");
    for (int extent : extents) {
      out.println(row(extent, rounds));
      out.flush();
    }
  }

  private static String row(int extent, int rounds) throws InterruptedException {
    Medians medians = new Medians();
    try (KernelRate exact = rate(extent, Precision.DOUBLE);
        KernelRate rounded = rate(extent, Precision.SINGLE)) {
      // The first round warms up the compiler and the caches and does not count.
      for (int round = -1; round < rounds; round++) {
        RateSample inDouble = exact.measure();
        RateSample inSingle = rounded.measure();
        if (round >= 0) {
          medians.add("double", inDouble.flopsPerProcessorSecond());
          medians.add("single", inSingle.flopsPerProcessorSecond());
          medians.add("times", inSingle.flopsPerSecond() / inDouble.flopsPerSecond());
          medians.add(
              "processor times",
              inSingle.flopsPerProcessorSecond() / inDouble.flopsPerProcessorSecond());
        }
      }
    }
    return String.format(
        Locale.ROOT,
        "| %d | %.0f | %.0f | %.2f | %.2f |",
        extent,
        1e-9 * medians.of("double"),
        1e-9 * medians.of("single"),
        medians.of("times"),
        medians.of("processor times"));
  }

  private static KernelRate rate(int extent, Precision precision) {
    return new KernelRate(KernelRate.Work.CONTRACTIONS, extent, 1, false, precision, SECONDS);
  }
}
