package org.starlingqcd.benchmarks;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Starling's contractions and its building of nodes against the same BLAS's zgemm, taken in turn so
 * that whatever else the machine does slows both; medians of the times and of the ratios of
 * neighbours. The ratio of processor times leaves out what other programs took; it is the one to
 * look at on a machine that is not quiet.
 *
 * <pre>
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" \
 *   org.starlingqcd.benchmarks.Ratios EXTENTS THREADS ROUNDS WORK PRODUCTS
 *                                     (128,256,384 1,2 9 contractions,nodes three,conventional)
 * </pre>
 *
 * <p>{@code STARLING_CPU_KERNEL} chooses the kernel, as everywhere.
 */
public final class Ratios {
  /** Seconds that one measurement should take about, at 100 GFLOP/s and thread. */
  private static final double SECONDS = 0.25;

  static final String THREE = "three";
  static final String CONVENTIONAL = "conventional";

  private Ratios() {}

  /** Prints one row for each extent, number of threads and kind of products. */
  public static void main(String[] arguments) throws InterruptedException {
    int[] extents = numbers(arguments, 0, "128,256,384");
    int[] threads = numbers(arguments, 1, "1,2");
    int rounds = numbers(arguments, 2, "9")[0];
    List<KernelRate.Work> works =
        words(arguments, 3, "contractions,nodes").stream()
            .map(work -> KernelRate.Work.valueOf(work.toUpperCase(Locale.ROOT)))
            .toList();
    List<String> products = words(arguments, 4, THREE + "," + CONVENTIONAL);
    PrintStream out = System.out;
    out.println(
        "| N | threads | work | products | zgemm GFLOP/s | Starling GFLOP/s | ratio of times"
            + " | ratio of processor times |");
    out.println("| ---: | ---: | --- | --- | ---: | ---: | ---: | ---: |");
    for (int extent : extents) {
      for (int count : threads) {
        for (KernelRate.Work work : works) {
          for (String product : products) {
            out.println(row(work, extent, count, product, rounds));
            out.flush();
          }
        }
      }
    }
  }

  static int[] numbers(String[] arguments, int index, String standard) {
    String text = arguments.length > index ? arguments[index] : standard;
    return Arrays.stream(text.split(",", -1)).mapToInt(Integer::parseInt).toArray();
  }

  private static List<String> words(String[] arguments, int index, String standard) {
    return List.of((arguments.length > index ? arguments[index] : standard).split(",", -1));
  }

  private static String row(
      KernelRate.Work work, int extent, int threads, String products, int rounds)
      throws InterruptedException {
    double[] reference = new double[rounds];
    double[] rate = new double[rounds];
    double[] ratios = new double[rounds];
    double[] processor = new double[rounds];
    boolean exact = products.equals(CONVENTIONAL);
    int contractions = CpuNodes.CONTRACTIONS_OF_A_THREAD * threads;
    try (KernelRate kernel = new KernelRate(work, extent, threads, exact, SECONDS);
        Zgemm zgemm = new Zgemm(extent, contractions, threads, SECONDS)) {
      // The first round warms up the compiler and the caches and does not count.
      for (int round = -1; round < rounds; round++) {
        RateSample conventional = zgemm.measure();
        RateSample own = kernel.measure();
        if (round >= 0) {
          reference[round] = conventional.flopsPerSecond();
          rate[round] = own.flopsPerSecond();
          ratios[round] = rate[round] / reference[round];
          processor[round] = own.flopsPerProcessorSecond() / conventional.flopsPerProcessorSecond();
        }
      }
    }
    return String.format(
        Locale.ROOT,
        "| %d | %d | %s | %s | %.0f | %.0f | %.2f | %.2f |",
        extent,
        threads,
        work.name().toLowerCase(Locale.ROOT),
        products,
        1e-9 * median(reference),
        1e-9 * median(rate),
        median(ratios),
        median(processor));
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
