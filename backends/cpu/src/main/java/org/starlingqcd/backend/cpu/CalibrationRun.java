package org.starlingqcd.backend.cpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/**
 * A measurement of the kernels on one thread, in rounds that take every candidate in turn so that a
 * busy neighbour slows all of them; the fastest round counts. Takes about a second.
 *
 * <p>Beside the candidates it times BLAS itself, for comparison: the same products by zgemm, and
 * one fused product of all spins by three dgemms, without the packing that it would need.
 */
final class CalibrationRun {
  /**
   * Another choice has to be this much faster than the standard one, beyond a neighbour's noise.
   */
  private static final double MARGIN = 1.1;

  private static final int ROUNDS = 5;
  private static final int SPINS = 4;
  private static final List<Integer> EXTENTS = List.of(32, 64, 128, 256, 384);
  private static final List<Integer> TILES = List.of(0, 64, 100);

  private final Calibration calibration;
  private final List<String> table;

  private CalibrationRun(Calibration calibration, List<String> table) {
    this.calibration = calibration;
    this.table = List.copyOf(table);
  }

  Calibration calibration() {
    return calibration;
  }

  /** What was measured, in lines of a table: GFLOP/s, counting 8N³ for a complex product. */
  List<String> table() {
    return table;
  }

  static CalibrationRun measure(OpenBlas blas) {
    KernelChoice standard = Calibration.standard(blas.core());
    List<KernelChoice> candidates = new ArrayList<>();
    candidates.add(standard);
    for (int tile : TILES) {
      for (boolean three : new boolean[] {true, false}) {
        KernelChoice candidate = new KernelChoice(tile, three);
        if (!candidate.equals(standard)) {
          candidates.add(candidate);
        }
      }
    }
    Map<Integer, KernelChoice> best = new TreeMap<>();
    List<String> table = new ArrayList<>();
    StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%5s", "N"));
    for (KernelChoice candidate : candidates) {
      head.append(String.format(Locale.ROOT, "  %19s", candidate.format()));
    }
    table.add(head.append("    zgemm    fused  chosen").toString());
    for (int extent : EXTENTS) {
      double[] rates = rates(blas, candidates, extent);
      int chosen = 0;
      for (int c = 1; c < candidates.size(); c++) {
        if (rates[c] > rates[chosen] * (chosen == 0 ? MARGIN : 1)) {
          chosen = c;
        }
      }
      best.put(extent, candidates.get(chosen));
      StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%5d", extent));
      for (int c = 0; c < candidates.size(); c++) {
        line.append(String.format(Locale.ROOT, "  %19.1f", rates[c]));
      }
      for (int r = candidates.size(); r < rates.length; r++) {
        line.append(String.format(Locale.ROOT, "  %7.1f", rates[r]));
      }
      table.add(line.append("  ").append(candidates.get(chosen).format()).toString());
    }
    return new CalibrationRun(new Calibration(best, "calibrated"), table);
  }

  /** Rates of the candidates, then of zgemm and of the fused product. */
  private static double[] rates(OpenBlas blas, List<KernelChoice> candidates, int extent) {
    int products = SPINS * 2;
    double flops = 8.0 * extent * extent * extent * products;
    // Small extents repeat, so that a measurement takes a millisecond at least.
    int repeats = (int) Math.max(1, 1e8 / flops);
    double[] seconds = new double[candidates.size() + 2];
    Arrays.fill(seconds, Double.MAX_VALUE);
    List<Runnable> runs = new ArrayList<>();
    List<AutoCloseable> open = new ArrayList<>();
    try {
      for (KernelChoice candidate : candidates) {
        Candidate run = new Candidate(blas, candidate, extent, repeats);
        runs.add(run);
        open.add(run);
      }
      Reference reference = new Reference(extent, products, repeats);
      open.add(reference);
      runs.add(reference::zgemm);
      runs.add(reference::fused);
      for (int round = 0; round < ROUNDS; round++) {
        for (int r = 0; r < runs.size(); r++) {
          long start = System.nanoTime();
          runs.get(r).run();
          seconds[r] = Math.min(seconds[r], (System.nanoTime() - start) * 1e-9);
        }
      }
    } finally {
      for (AutoCloseable resource : open) {
        closeQuietly(resource);
      }
    }
    double[] rates = new double[seconds.length];
    for (int r = 0; r < rates.length; r++) {
      rates[r] = flops * repeats / seconds[r] * 1e-9;
    }
    return rates;
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception defect) {
      throw new IllegalStateException("calibration left something behind: " + defect, defect);
    }
  }

  /** Nodes of two by two spin components on a device that runs one choice. */
  private static final class Candidate implements Runnable, AutoCloseable {
    private final Device device;
    private final List<DeviceMemory> memory = new ArrayList<>();
    private final ContractionBatch batch;
    private final int repeats;

    Candidate(OpenBlas blas, KernelChoice choice, int extent, int repeats) {
      this.repeats = repeats;
      TensorShape shape = new TensorShape(SPINS, 2, extent);
      device =
          new CpuDevice(
              new DeviceOptions(0, 1, 3 * shape.bytes(), false),
              blas,
              Calibration.always(choice, "candidate"));
      for (int m = 0; m < 3; m++) {
        memory.add(device.allocate(shape.bytes()));
        device.fillRandom(memory.get(m), shape, m, device.computeStream());
      }
      batch = new ContractionBatch(extent, extent, extent);
      batch.add(memory.get(0), memory.get(1), memory.get(2), mapping());
    }

    private static BatchSpinMapping mapping() {
      int[] left = {0, 1, 0, 1, 2, 3, 2, 3};
      int[] right = {0, 2, 1, 3, 0, 2, 1, 3};
      int[] destination = {0, 0, 1, 1, 2, 2, 3, 3};
      double[] factors = new double[16];
      for (int b = 0; b < 8; b++) {
        factors[2 * b] = 1;
      }
      return new BatchSpinMapping(SPINS, SPINS, SPINS, left, right, destination, factors);
    }

    @Override
    public void run() {
      for (int k = 0; k < repeats; k++) {
        device.contract(batch, device.computeStream());
      }
      device.synchronize(device.computeStream());
    }

    @Override
    public void close() {
      device.synchronize(device.computeStream());
      memory.forEach(device::free);
      device.close();
    }
  }

  /** BLAS by itself on interleaved and on large real matrices. */
  private static final class Reference implements AutoCloseable {
    private final int extent;
    private final int products;
    private final int repeats;
    private final HostMemory numbers;
    private final Blas blas = new Blas();
    private final DoublePointer one = new DoublePointer(1, 0);

    Reference(int extent, int products, int repeats) {
      this.extent = extent;
      this.products = products;
      this.repeats = repeats;
      numbers = HostMemory.allocate(3L * SPINS * 16 * extent * extent);
      numbers.clear();
    }

    void zgemm() {
      long element = 16L * extent * extent;
      Address a = new Address();
      Address b = new Address();
      Address c = new Address();
      int notTransposed = openblas_nolapack.CblasNoTrans;
      for (int k = 0; k < repeats * products; k++) {
        openblas_nolapack.cblas_zgemm(
            openblas_nolapack.CblasRowMajor,
            notTransposed,
            notTransposed,
            extent,
            extent,
            extent,
            one,
            a.at(numbers.address() + k % SPINS * element),
            extent,
            b.at(numbers.address() + (SPINS + k % SPINS) * element),
            extent,
            one,
            c.at(numbers.address() + (2 * SPINS + k % SPINS) * element),
            extent);
      }
    }

    void fused() {
      int n = 2 * extent;
      long matrix = 8L * n * n;
      for (int k = 0; k < 3 * repeats; k++) {
        blas.gemm(
            n,
            n,
            n,
            1,
            numbers.address(),
            n,
            numbers.address() + matrix,
            n,
            0,
            numbers.address() + 2 * matrix,
            n);
      }
    }

    @Override
    public void close() {
      numbers.close();
      one.deallocate();
    }
  }
}
