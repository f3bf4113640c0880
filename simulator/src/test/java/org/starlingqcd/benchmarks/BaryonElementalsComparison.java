package org.starlingqcd.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.starlingqcd.arrays.ArrayBlas;
import org.starlingqcd.arrays.ArrayCache;
import org.starlingqcd.arrays.CoherenceProtocol;
import org.starlingqcd.arrays.HostArray;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.elementals.ElementalsRequest;
import org.starlingqcd.elementals.ElementalsRun;
import org.starlingqcd.elementals.vectors.Eigenvectors;
import org.starlingqcd.elementals.vectors.VectorHeader;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.memhc.MemHCOptions;

/**
 * Baryon elementals against the time of their matrix products at the rate of {@code dgemm}, in
 * alternating rounds, by the clock and by processor time of the whole process, which says more on a
 * machine that others use. Vectors are in memory; making the arrays, laying out vectors and writing
 * the file count. Arguments: L, N, momentum-squared, threads, rounds, time slices; {@code 16 64 0 1
 * 9 4} by default. The file goes to the folder for temporary files.
 */
public final class BaryonElementalsComparison {
  private static final int MATRIX = 1536;
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private BaryonElementalsComparison() {}

  /** Runs the comparison. */
  public static void main(String[] arguments) throws IOException {
    int[] given = {16, 64, 0, 1, 9, 4};
    for (int k = 0; k < arguments.length; k++) {
      given[k] = Integer.parseInt(arguments[k]);
    }
    int rounds = given[4];
    double[] elementals = new double[rounds];
    double[] gemm = new double[rounds];
    double[] ratios = new double[rounds];
    double[] processorRatios = new double[rounds];
    long flops = 0;
    Path folder = Files.createTempDirectory("baryons");
    try (Device device =
            Backends.select("cpu", 0).open(new DeviceOptions(0, given[3], 4L << 30, false));
        ArrayCache cache =
            ArrayCache.open(
                device, MemHCOptions.ofBudget(1L << 30), CoherenceProtocol.WRITE_BACK)) {
      ArrayBlas blas = new ArrayBlas(cache);
      HostArray a = random(cache);
      HostArray b = random(cache);
      HostArray c = random(cache);
      ElementalsRequest request = new ElementalsRequest(Momentum.ball(given[2]), List.of(), true);
      for (int round = -2; round < rounds; round++) {
        Eigenvectors vectors = new RandomVectors(given[0], given[1], given[5]);
        long used = PROCESS.getProcessCpuTime();
        long start = System.nanoTime();
        ElementalsRun.Outcome outcome =
            new ElementalsRun(
                    device, MemHCOptions.ofBudget(2L << 30), CoherenceProtocol.WRITE_BACK, false)
                .run(
                    vectors,
                    request,
                    folder.resolve("b" + round + ".h5"),
                    "",
                    1L << 30,
                    (done, all) -> {});
        double seconds = 1e-9 * (System.nanoTime() - start);
        double processor = 1e-9 * (PROCESS.getProcessCpuTime() - used);
        flops = outcome.flops();
        used = PROCESS.getProcessCpuTime();
        start = System.nanoTime();
        int repeats = 4;
        for (int k = 0; k < repeats; k++) {
          blas.dgemm(
              Form.PLAIN,
              Form.PLAIN,
              MATRIX,
              MATRIX,
              MATRIX,
              1,
              a,
              0,
              MATRIX,
              b,
              0,
              MATRIX,
              0,
              c,
              0,
              MATRIX);
        }
        cache.synchronize();
        double share = flops / (repeats * 2.0 * MATRIX * MATRIX * MATRIX);
        double atRate = 1e-9 * (System.nanoTime() - start) * share;
        double processorAtRate = 1e-9 * (PROCESS.getProcessCpuTime() - used) * share;
        Files.delete(folder.resolve("b" + round + ".h5"));
        if (round >= 0) {
          elementals[round] = seconds;
          gemm[round] = atRate;
          ratios[round] = seconds / atRate;
          processorRatios[round] = processor / processorAtRate;
        }
      }
    }
    Files.delete(folder);
    System.out.printf(
        Locale.ROOT,
        "elementals %.3f s, their %.2f GFLOP at dgemm's rate %.3f s, ratio %.2f, of processor time"
            + " %.2f (medians of %d)%n",
        median(elementals),
        1e-9 * flops,
        median(gemm),
        median(ratios),
        median(processorRatios),
        rounds);
  }

  private static HostArray random(ArrayCache cache) {
    HostArray array = cache.array("matrix", NumberKind.REAL, (long) MATRIX * MATRIX);
    array.put(0, new Random(1).doubles((long) MATRIX * MATRIX).toArray(), MATRIX * MATRIX);
    return array;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** Random vectors that are there already, the same for all time slices. */
  private static final class RandomVectors implements Eigenvectors {
    private final VectorHeader header;
    private final double[] numbers;

    RandomVectors(int l, int n, int times) {
      header = new VectorHeader("random", 1, l, times, n);
      numbers = new Random(2).doubles(6L * header.volume() * n).toArray();
    }

    @Override
    public VectorHeader header() {
      return header;
    }

    @Override
    public void read(int time, int first, int count, double[] target) {
      int size = 6 * header.volume();
      System.arraycopy(numbers, first * size, target, 0, count * size);
    }

    @Override
    public String name() {
      return "random vectors";
    }

    @Override
    public void close() {}
  }
}
