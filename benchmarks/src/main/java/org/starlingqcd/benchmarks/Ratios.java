package org.starlingqcd.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;

/**
 * Starling's contractions against the same BLAS's zgemm, taken in turn so that whatever else the
 * machine does slows both; medians of the times and of the ratios of neighbours. The ratio of
 * processor times leaves out what other programs took; it is the one to look at on a machine that
 * is not quiet.
 *
 * <pre>
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" \
 *   org.starlingqcd.benchmarks.Ratios EXTENTS THREADS ROUNDS     (128,256,384 1,2 9)
 * </pre>
 */
public final class Ratios {
  /** Seconds that one measurement should take about, at 100 GFLOP/s and thread. */
  private static final double SECONDS = 0.25;

  private Ratios() {}

  /** Prints one row for each extent, number of threads and kind of products. */
  public static void main(String[] arguments) throws InterruptedException {
    int[] extents = numbers(arguments, 0, "128,256,384");
    int[] threads = numbers(arguments, 1, "1,2");
    int rounds = numbers(arguments, 2, "9")[0];
    PrintStream out = System.out;
    out.println(
        "| N | threads | products | zgemm GFLOP/s | Starling GFLOP/s | ratio of times"
            + " | ratio of processor times |");
    out.println("| ---: | ---: | --- | ---: | ---: | ---: | ---: |");
    for (int extent : extents) {
      for (int count : threads) {
        for (boolean exact : new boolean[] {false, true}) {
          out.println(row(extent, count, exact, rounds));
          out.flush();
        }
      }
    }
  }

  private static int[] numbers(String[] arguments, int index, String standard) {
    String text = arguments.length > index ? arguments[index] : standard;
    return Arrays.stream(text.split(",", -1)).mapToInt(Integer::parseInt).toArray();
  }

  private static String row(int extent, int threads, boolean exact, int rounds)
      throws InterruptedException {
    double flops = 8.0 * 64 * extent * extent * extent;
    int contractions = 2 * threads;
    int repeats = (int) Math.max(1, Math.round(SECONDS * 1e11 * threads / (flops * contractions)));
    double[] reference = new double[rounds];
    double[] kernel = new double[rounds];
    double[] ratios = new double[rounds];
    double[] processor = new double[rounds];
    try (Zgemm zgemm = new Zgemm(extent, contractions, threads);
        CpuNodes nodes = new CpuNodes(threads, exact)) {
      Device device = nodes.device();
      ContractionBatch batch = nodes.vectorPair(extent, contractions);
      // The first round warms up the compiler and the caches and does not count.
      for (int round = -1; round < rounds; round++) {
        long startProcessor = processorTime();
        long start = System.nanoTime();
        for (int k = 0; k < repeats; k++) {
          zgemm.run();
        }
        long middle = System.nanoTime();
        long middleProcessor = processorTime();
        for (int k = 0; k < repeats; k++) {
          device.contract(batch, device.computeStream());
        }
        nodes.synchronize();
        long end = System.nanoTime();
        if (round >= 0) {
          reference[round] = (middle - start) * 1e-9;
          kernel[round] = (end - middle) * 1e-9;
          ratios[round] = reference[round] / kernel[round];
          processor[round] =
              (double) (middleProcessor - startProcessor) / (processorTime() - middleProcessor);
        }
      }
    }
    double all = flops * contractions * repeats * 1e-9;
    return String.format(
        Locale.ROOT,
        "| %d | %d | %s | %.0f | %.0f | %.2f | %.2f |",
        extent,
        threads,
        exact ? "conventional" : "three",
        all / median(reference),
        all / median(kernel),
        median(ratios),
        median(processor));
  }

  /** Nanoseconds that the threads of this process have run. */
  private static long processorTime() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
