package org.starlingqcd.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * Compares the rates of contractions with their aims, a line each that begins with PASS or FAIL.
 * Everything that is compared alternates in the same rounds; a line shows the median of the ratios
 * of neighbours by wall time, so it means something on a quiet machine only. {@code
 * benchmarks/contractions.sh} starts it.
 *
 * <pre>
 * ContractionAims STARLING ROUNDS all|AVX2
 * </pre>
 *
 * <p>Whole contractions are those of {@code starling bench --vector-size 8 --repeated-rate 1}, one
 * iteration in a process of its own. Numbers of eigenvectors that are odd, single precision and
 * AVX2 are measured on vector pairs in this process.
 */
public final class ContractionAims {
  private static final double SECONDS = 0.25;

  private final String starling;
  private final int rounds;

  private ContractionAims(String starling, int rounds) {
    this.starling = starling;
    this.rounds = rounds;
  }

  /** Measures and prints. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    ContractionAims aims = new ContractionAims(arguments[0], Integer.parseInt(arguments[1]));
    if (arguments[2].equals("AVX2")) {
      VectorLoops.limitInstructions(1);
      for (int extent : new int[] {64, 128, 256, 384}) {
        aims.againstZgemm(extent, 1.3);
      }
      return;
    }
    for (int threads : new int[] {1, 2}) {
      aims.whole(64, threads, 0);
      aims.whole(128, threads, 1.9);
      aims.whole(256, threads, 1.75);
      aims.whole(384, threads, 1.75);
    }
    for (int extent : new int[] {49, 51, 57, 63, 65, 127, 255}) {
      aims.odd(extent);
    }
    for (int extent : new int[] {64, 128, 256}) {
      aims.single(extent);
    }
  }

  /** A share of the limit of three products, and on one thread a ratio to zgemm. */
  private void whole(int extent, int threads, double timesZgemm)
      throws IOException, InterruptedException {
    Medians medians = new Medians();
    int contractions = CpuNodes.CONTRACTIONS_OF_A_THREAD * threads;
    try (MachineRates machine = new MachineRates(threads);
        Zgemm zgemm = new Zgemm(extent, contractions, threads, SECONDS)) {
      zgemm.measure();
      for (int round = 0; round < rounds; round++) {
        double limit = 4.0 / 3 * machine.registers().flopsPerSecond();
        double conventional = zgemm.measure().flopsPerSecond();
        double own = bench(extent, threads);
        medians.add("limit", own / limit);
        medians.add("zgemm", own / conventional);
        medians.add("own", own);
      }
    }
    String what =
        String.format(
            Locale.ROOT,
            "N = %d, %d threads, %.0f GFLOP/s",
            extent,
            threads,
            1e-9 * medians.of("own"));
    line(
        what + ": share of 4/3 of the rate of registers",
        medians.of("limit"),
        threads == 1 ? 0.8 : 0.75);
    if (threads == 1 && timesZgemm > 0) {
      line(what + ": times zgemm", medians.of("zgemm"), timesZgemm);
    }
  }

  /** Flops per second of {@code starling bench}. */
  private double bench(int extent, int threads) throws IOException, InterruptedException {
    // The first vector's inputs are new memory: fewer vectors would measure that.
    int vectors = (int) Math.max(10, Math.min(100, 100 * Math.pow(128.0 / extent, 3)));
    Path out = Files.createTempFile("starling-bench", ".json");
    try {
      List<String> command =
          List.of(
              starling,
              "bench",
              "--tensor-size",
              "" + extent,
              "--vector-size",
              "8",
              "--repeated-rate",
              "1",
              "--threads",
              "" + threads,
              "--backend",
              "cpu",
              "--vectors",
              "" + vectors,
              "--iterations",
              "1",
              "--json");
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(out.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(String.join(" ", command) + ": status " + status);
      }
      return 1e9 * new ObjectMapper().readTree(out.toFile()).get("gflops").asDouble();
    } finally {
      Files.delete(out);
    }
  }

  /** What an odd number of eigenvectors loses against the mean of its neighbours. */
  private void odd(int extent) throws InterruptedException {
    Medians medians = new Medians();
    try (KernelRate below = rate(extent - 1, Precision.DOUBLE);
        KernelRate own = rate(extent, Precision.DOUBLE);
        KernelRate above = rate(extent + 1, Precision.DOUBLE)) {
      for (int round = -1; round < rounds; round++) {
        double neighbours =
            (below.measure().flopsPerSecond() + above.measure().flopsPerSecond()) / 2;
        double share = own.measure().flopsPerSecond() / neighbours;
        if (round >= 0) {
          medians.add("share", share);
        }
      }
    }
    line(
        "N = " + extent + ": rate over the mean rate of its neighbours", medians.of("share"), 0.95);
  }

  private void single(int extent) throws InterruptedException {
    Medians medians = new Medians();
    try (KernelRate inDouble = rate(extent, Precision.DOUBLE);
        KernelRate inSingle = rate(extent, Precision.SINGLE)) {
      for (int round = -1; round < rounds; round++) {
        double before = inDouble.measure().flopsPerSecond();
        double ratio = inSingle.measure().flopsPerSecond() / before;
        if (round >= 0) {
          medians.add("ratio", ratio);
        }
      }
    }
    line("N = " + extent + ": single precision over double", medians.of("ratio"), 1.8);
  }

  private void againstZgemm(int extent, double aim) throws InterruptedException {
    Medians medians = new Medians();
    try (KernelRate own = rate(extent, Precision.DOUBLE);
        Zgemm zgemm = new Zgemm(extent, CpuNodes.CONTRACTIONS_OF_A_THREAD, 1, SECONDS)) {
      for (int round = -1; round < rounds; round++) {
        double conventional = zgemm.measure().flopsPerSecond();
        double ratio = own.measure().flopsPerSecond() / conventional;
        if (round >= 0) {
          medians.add("ratio", ratio);
        }
      }
    }
    line("N = " + extent + ", AVX2, 1 thread: times zgemm", medians.of("ratio"), aim);
  }

  private static KernelRate rate(int extent, Precision precision) {
    return new KernelRate(KernelRate.Work.CONTRACTIONS, extent, 1, false, precision, SECONDS);
  }

  private static void line(String what, double value, double aim) {
    System.out.printf(
        Locale.ROOT, "%s %s %.3f, aim %.2f%n", value >= aim ? "PASS" : "FAIL", what, value, aim);
  }
}
