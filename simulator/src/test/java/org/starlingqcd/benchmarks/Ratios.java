package org.starlingqcd.benchmarks;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * Compares contractions and the building of nodes with the rate of large real products (dgemm) and
 * with the same products by zgemm of the same BLAS. All are measured in turn, so that other load on
 * the machine slows all of them; the table shows medians of rates and of the ratios of neighbours.
 * The ratio of processor times excludes what other programs took: use it on a machine that is not
 * quiet. A kernel that computes a complex product with three real ones can reach 4/3 of the rate of
 * multiply-adds in registers, and with one level of Strassen's scheme 8/7 of that. The rate of
 * registers, and the share of it, are by processor time.
 *
 * <pre>
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" \
 *   org.starlingqcd.benchmarks.Ratios EXTENTS THREADS ROUNDS WORK PRODUCTS
 *                                     (128,256,384 1,2 9 contractions,nodes three,conventional)
 * </pre>
 *
 * <p>A sixth argument {@code AVX2} limits our own loops and the rate of registers to AVX2; {@code
 * OPENBLAS_CORETYPE=HASWELL} or {@code ZEN} does so for OpenBLAS.
 *
 * <p>{@code STARLING_CPU_KERNEL} chooses the kernel, as everywhere.
 */
public final class Ratios {
  /** Approximate duration of one measurement in seconds, at 100 GFLOP/s and thread. */
  private static final double SECONDS = 0.25;

  private static final String CONVENTIONAL = "conventional";

  private Ratios() {}

  /** Prints one row for each extent, number of threads, work and kind of products. */
  public static void main(String[] arguments) throws InterruptedException {
    int[] extents = numbers(arguments, 0, "128,256,384");
    int[] threads = numbers(arguments, 1, "1,2");
    int rounds = numbers(arguments, 2, "9")[0];
    List<KernelRate.Work> works =
        words(arguments, 3, "contractions,nodes").stream()
            .map(work -> KernelRate.Work.valueOf(work.toUpperCase(Locale.ROOT)))
            .toList();
    List<String> products = words(arguments, 4, "three," + CONVENTIONAL);
    if (words(arguments, 5, "").contains("AVX2")) {
      VectorLoops.limitInstructions(1);
    }
    PrintStream out = System.out;
    out.println(
        "| N | threads | work | products | registers GFLOP/s | dgemm GFLOP/s | zgemm GFLOP/s"
            + " | Starling GFLOP/s | of registers | of dgemm | ratio of times"
            + " | ratio of processor times |");
    out.println("| ---: | ---: | --- | --- |" + " ---: |".repeat(8));
    for (int count : threads) {
      try (MachineRates machine = new MachineRates(count)) {
        for (int extent : extents) {
          for (KernelRate.Work work : works) {
            for (String product : products) {
              out.println(row(machine, work, extent, count, product, rounds));
              out.flush();
            }
          }
        }
      }
    }
  }

  static int[] numbers(String[] arguments, int index, String standard) {
    return words(arguments, index, standard).stream().mapToInt(Integer::parseInt).toArray();
  }

  static List<String> words(String[] arguments, int index, String standard) {
    return Arrays.asList((arguments.length > index ? arguments[index] : standard).split(",", -1));
  }

  private static String row(
      MachineRates machine,
      KernelRate.Work work,
      int extent,
      int threads,
      String products,
      int rounds)
      throws InterruptedException {
    Medians medians = new Medians();
    boolean exact = products.equals(CONVENTIONAL);
    int contractions = CpuNodes.CONTRACTIONS_OF_A_THREAD * threads;
    try (KernelRate kernel = new KernelRate(work, extent, threads, exact, SECONDS);
        Zgemm zgemm = new Zgemm(extent, contractions, threads, SECONDS)) {
      // The first round warms up the compiler and the caches and does not count.
      for (int round = -1; round < rounds; round++) {
        RateSample limit = machine.registers();
        RateSample real = machine.dgemm(512, 16);
        RateSample conventional = zgemm.measure();
        RateSample own = kernel.measure();
        if (round >= 0) {
          medians.add("registers", limit.flopsPerProcessorSecond() * threads);
          medians.add(
              "of registers", own.flopsPerProcessorSecond() / limit.flopsPerProcessorSecond());
          medians.add("dgemm", real.flopsPerSecond());
          medians.add("zgemm", conventional.flopsPerSecond());
          medians.add("own", own.flopsPerSecond());
          medians.add("of dgemm", own.flopsPerSecond() / real.flopsPerSecond());
          medians.add("times", own.flopsPerSecond() / conventional.flopsPerSecond());
          medians.add(
              "processor times",
              own.flopsPerProcessorSecond() / conventional.flopsPerProcessorSecond());
        }
      }
    }
    return String.format(
        Locale.ROOT,
        "| %d | %d | %s | %s | %.0f | %.0f | %.0f | %.0f | %.0f %% | %.0f %% | %.2f | %.2f |",
        extent,
        threads,
        work.name().toLowerCase(Locale.ROOT),
        products,
        1e-9 * medians.of("registers"),
        1e-9 * medians.of("dgemm"),
        1e-9 * medians.of("zgemm"),
        1e-9 * medians.of("own"),
        100 * medians.of("of registers"),
        100 * medians.of("of dgemm"),
        medians.of("times"),
        medians.of("processor times"));
  }
}
