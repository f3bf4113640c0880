package org.starlingqcd.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * Compares traces with the limits of the machine in a Markdown table. Traces of all pairs of two
 * lists of nodes, larger than any cache, alternate with a plain sum, with multiply-adds in
 * registers and with dgemm on as many threads. The limit is the larger of two times: reading every
 * node once at the bandwidth of the sum, and {@code 8·N²·16} flops a pair at the rate of the
 * registers. All times are processor times, so that other programs count little.
 *
 * <pre>
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" \
 *   org.starlingqcd.benchmarks.TraceRatios EXTENTS THREADS LISTS ROUNDS PRECISIONS
 *                                          (64,128,256 1,2 1,8,20,64 5 double,single)
 * </pre>
 *
 * <p>A sixth argument {@code AVX2} limits our own loops and the rate of registers to AVX2.
 */
public final class TraceRatios {
  /** Bytes of all nodes of a measurement: several times what caches hold. */
  private static final long BYTES = 320L << 20;

  private static final int SPINS = 16;

  /** Traces in one measurement: processor times are multiples of 10 ms. */
  private static final int REPEATS = 8;

  private TraceRatios() {}

  /** Prints one row for each extent, number of threads and length of the lists. */
  public static void main(String[] arguments) throws InterruptedException {
    int[] extents = Ratios.numbers(arguments, 0, "64,128,256,384");
    int[] threads = Ratios.numbers(arguments, 1, "1,2");
    int[] lists = Ratios.numbers(arguments, 2, "1,8,20,64");
    int rounds = Ratios.numbers(arguments, 3, "5")[0];
    List<Precision> precisions =
        Ratios.words(arguments, 4, "double").stream()
            .map(name -> Precision.valueOf(name.toUpperCase(Locale.ROOT)))
            .toList();
    if (Ratios.words(arguments, 5, "").contains("AVX2")) {
      VectorLoops.limitInstructions(1);
    }
    PrintStream out = System.out;
    out.println(
        "| N | threads | lists | precision | sum GB/s | registers GFLOP/s | dgemm GFLOP/s"
            + " | read GB/s | GFLOP/s | limit | of the limit | of dgemm |");
    out.println("| ---: | ---: | ---: | --- |" + " ---: |".repeat(5) + " --- | ---: | ---: |");
    for (int count : threads) {
      try (MachineRates machine = new MachineRates(count)) {
        for (int extent : extents) {
          for (int length : lists) {
            for (Precision precision : precisions) {
              out.println(row(machine, extent, count, length, precision, rounds));
              out.flush();
            }
          }
        }
      }
    }
  }

  private static String row(
      MachineRates machine, int extent, int threads, int length, Precision precision, int rounds)
      throws InterruptedException {
    TensorShape shape = TensorShape.mesonNode(extent).in(precision);
    long blockBytes = 2L * length * shape.bytes();
    int count = (int) Math.max(1, BYTES / blockBytes);
    double bytes = (double) count * blockBytes;
    double flops = 8.0 * extent * extent * SPINS * length * length * count;
    Medians medians = new Medians();
    try (CpuNodes nodes = new CpuNodes(threads, false, precision)) {
      Device device = nodes.device();
      List<TraceBlock> blocks = blocks(nodes, shape, length, count);
      try (HostMemory results = device.allocateHost(16L * length * length * count)) {
        // The first rounds warm up the compiler and do not count.
        for (int round = -2; round < rounds; round++) {
          double sum = threads * Double.BYTES * machine.sum().flopsPerProcessorSecond();
          double registers = threads * machine.registers().flopsPerProcessorSecond();
          double dgemm = threads * machine.dgemm(512, 64).flopsPerProcessorSecond();
          RateSample traces =
              RateSample.of(
                  flops,
                  REPEATS,
                  () -> {
                    device.trace(blocks, results, device.computeStream());
                    nodes.synchronize();
                  });
          double taken = traces.processorSeconds() / threads / REPEATS;
          if (round >= 0) {
            medians.add("bandwidth", sum);
            medians.add("registers", registers);
            medians.add("dgemm", dgemm);
            medians.add("seconds", taken);
            medians.add("of limit", Math.max(bytes / sum, flops / registers) / taken);
            medians.add("of dgemm", flops / dgemm / taken);
          }
        }
      }
    }
    double median = medians.of("seconds");
    boolean reads = bytes / medians.of("bandwidth") > flops / medians.of("registers");
    return String.format(
        Locale.ROOT,
        "| %d | %d | %d × %d | %s | %.1f | %.0f | %.0f | %.1f | %.0f | %s | %.0f %% | %.0f %% |",
        extent,
        threads,
        length,
        length,
        precision,
        medians.of("bandwidth") * 1e-9,
        medians.of("registers") * 1e-9,
        medians.of("dgemm") * 1e-9,
        bytes / median * 1e-9,
        flops / median * 1e-9,
        reads ? "memory" : "multiply-adds",
        100 * medians.of("of limit"),
        100 * medians.of("of dgemm"));
  }

  private static List<TraceBlock> blocks(CpuNodes nodes, TensorShape shape, int length, int count) {
    List<TraceBlock> blocks = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      List<DeviceMemory> lefts = nodes.random(shape, length);
      List<DeviceMemory> rights = nodes.random(shape, length);
      blocks.add(
          new TraceBlock(
              lefts, rights, CpuNodes.trace(), shape.extent(), (long) k * length * length));
    }
    nodes.synchronize();
    return blocks;
  }
}
