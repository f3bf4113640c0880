package org.starlingqcd.backend.cpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.cpu.blas.KernelChoice;
import org.starlingqcd.backend.cpu.blas.OpenBlas;
import org.starlingqcd.backend.cpu.blas.VectorLoops;
import org.starlingqcd.backend.precision.Precision;

/**
 * A measurement of the kernels: contractions of two meson nodes on one thread, including the
 * conversions of inputs and destination, as in a run. Each round measures every candidate in turn,
 * so that other load on the machine slows all of them, and the fastest round counts. The rates of
 * the chosen kernels, and of traces, are measured once more in both precisions. It takes about five
 * seconds.
 */
final class CalibrationRun {
  /** Factor by which another choice must be faster than the standard one, to exceed the noise. */
  private static final double MARGIN = 1.02;

  /**
   * Candidates that are slower than the fastest by this factor after the first rounds are dropped.
   */
  private static final double HOPELESS = 1.2;

  /** Rounds with all candidates; in the first one memory is new. */
  private static final int WARM_UP_ROUNDS = 2;

  /** Least time for which a candidate is measured in a round. */
  private static final double SAMPLE_SECONDS = 0.01;

  private static final BatchSpinMapping MAPPING = BatchSpinMapping.mesonProduct();

  private static final SpinTraceMapping TRACE =
      SpinTraceMapping.mesonTrace(
          new int[] {0, 1, 2, 3},
          new int[] {1, 1, 1, 1},
          new int[] {0, 1, 2, 3},
          new int[] {1, 1, 1, 1});

  private static final String HEAD = "GFLOP/s, one thread";
  private static final int ROUNDS = 4;
  private static final List<Integer> EXTENTS = List.of(32, 64, 128, 256);
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

  /**
   * The measurements as lines of a table, in GFLOP/s with 8N³ flops for a complex product. Each
   * line is a kernel, each column an extent; a star marks the chosen kernel.
   */
  List<String> table() {
    return table;
  }

  /** The standard choice, then the others. */
  private static List<KernelChoice> candidates(KernelChoice standard) {
    List<KernelChoice> candidates = new ArrayList<>();
    for (boolean three : new boolean[] {true, false}) {
      for (int tile : TILES) {
        candidates.add(new KernelChoice(tile, three));
      }
      if (VectorLoops.isAvailable()) {
        candidates.add(KernelChoice.packed(three));
      }
    }
    if (VectorLoops.isAvailable()) {
      candidates.add(KernelChoice.strassen());
    }
    candidates.add(KernelChoice.zgemm());
    candidates.remove(standard);
    candidates.add(0, standard);
    return candidates;
  }

  static CalibrationRun measure(OpenBlas blas) {
    List<KernelChoice> candidates = candidates(Calibration.standard(blas.core()));
    Map<Integer, KernelChoice> best = new TreeMap<>();
    List<StringBuilder> table = new ArrayList<>();
    table.add(new StringBuilder(String.format(Locale.ROOT, "%-20s", HEAD)));
    for (KernelChoice candidate : candidates) {
      table.add(new StringBuilder(String.format(Locale.ROOT, "%-20s", candidate.format())));
    }
    // At small extents the first measurement would time the just-in-time compiler.
    rates(blas, candidates, EXTENTS.get(0));
    for (int extent : EXTENTS) {
      double[] rates = rates(blas, candidates, extent);
      int chosen = 0;
      for (int c = 1; c < rates.length; c++) {
        if (rates[c] > rates[chosen] * (chosen == 0 ? MARGIN : 1)) {
          chosen = c;
        }
      }
      best.put(extent, candidates.get(chosen));
      table.get(0).append(String.format(Locale.ROOT, "  N=%-4d", extent));
      for (int c = 0; c < rates.length; c++) {
        table
            .get(c + 1)
            .append(String.format(Locale.ROOT, "  %5.1f%s", rates[c], c == chosen ? "*" : " "));
      }
    }
    List<String> lines = new ArrayList<>();
    table.forEach(line -> lines.add(line.toString().stripTrailing()));
    return new CalibrationRun(new Calibration(best, rates(blas, best), "calibrated"), lines);
  }

  /** The rates of the chosen kernels on one thread. */
  private static Map<Precision, NavigableMap<Integer, MeasuredRates.Rates>> rates(
      OpenBlas blas, Map<Integer, KernelChoice> chosen) {
    Map<Precision, NavigableMap<Integer, MeasuredRates.Rates>> rates =
        new EnumMap<>(Precision.class);
    for (Precision precision : Precision.values()) {
      NavigableMap<Integer, MeasuredRates.Rates> byExtent = new TreeMap<>();
      chosen.forEach(
          (extent, choice) -> {
            try (Candidate candidate = new Candidate(blas, choice, extent, precision)) {
              double contraction = Double.MAX_VALUE;
              double traces = Double.MAX_VALUE;
              for (int round = 0; round < ROUNDS; round++) {
                contraction = Math.min(contraction, candidate.run(SAMPLE_SECONDS));
                traces = Math.min(traces, candidate.traces(SAMPLE_SECONDS));
              }
              byExtent.put(
                  extent,
                  new MeasuredRates.Rates(
                      flops(extent) / contraction, candidate.traceFlops() / traces));
            }
          });
      rates.put(precision, byExtent);
    }
    return rates;
  }

  /** Flops of a contraction of two meson nodes. */
  private static double flops(int extent) {
    return 8.0 * extent * extent * extent * MAPPING.size();
  }

  private static double[] rates(OpenBlas blas, List<KernelChoice> candidates, int extent) {
    double[] seconds = new double[candidates.size()];
    Arrays.fill(seconds, Double.MAX_VALUE);
    List<Candidate> open = new ArrayList<>();
    try {
      for (KernelChoice candidate : candidates) {
        open.add(new Candidate(blas, candidate, extent, Precision.DOUBLE));
      }
      double fastest = Double.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) {
        double bound = round < WARM_UP_ROUNDS ? Double.MAX_VALUE : HOPELESS * fastest;
        for (int c = 0; c < seconds.length; c++) {
          if (seconds[c] <= bound) {
            seconds[c] = Math.min(seconds[c], open.get(c).run(SAMPLE_SECONDS));
            fastest = Math.min(fastest, seconds[c]);
          }
        }
      }
    } finally {
      open.forEach(Candidate::close);
    }
    return Arrays.stream(seconds).map(s -> flops(extent) / s * 1e-9).toArray();
  }

  /** Two nodes, their product and their traces on a device that uses one choice. */
  private static final class Candidate implements AutoCloseable {
    private final Device device;
    private final List<DeviceMemory> memory = new ArrayList<>();
    private final HostMemory results;
    private final ContractionBatch batch;
    private final TraceBlock block;

    Candidate(OpenBlas blas, KernelChoice choice, int extent, Precision precision) {
      TensorShape shape = TensorShape.mesonNode(extent).in(precision);
      device =
          new CpuDevice(
              new DeviceOptions(0, 1, 3 * shape.bytes(), false).in(precision),
              blas,
              Calibration.always(choice, "candidate"));
      for (int m = 0; m < 3; m++) {
        memory.add(device.allocate(shape.bytes()));
      }
      for (int input = 0; input < 2; input++) {
        device.fillRandom(memory.get(input), shape, input, device.computeStream());
      }
      batch = new ContractionBatch(extent, extent, extent);
      batch.add(memory.get(0), memory.get(1), memory.get(2), MAPPING);
      List<DeviceMemory> nodes = memory.subList(0, 2);
      block = new TraceBlock(nodes, nodes, TRACE, extent, 0);
      results = device.allocateHost(2L * Double.BYTES * nodes.size() * nodes.size());
    }

    /**
     * Runs one or more contractions for at least this many seconds and returns the time of the
     * fastest.
     */
    double run(double atLeast) {
      return fastest(atLeast, () -> device.contract(batch, device.computeStream()));
    }

    /** The same for the traces of every node with every node. */
    double traces(double atLeast) {
      return fastest(atLeast, () -> device.trace(List.of(block), results, device.computeStream()));
    }

    /** Flops of {@link #traces}. */
    double traceFlops() {
      return 8.0
          * block.extent()
          * block.extent()
          * TRACE.size()
          * block.lefts().size()
          * block.rights().size();
    }

    private double fastest(double atLeast, Runnable work) {
      double fastest = Double.MAX_VALUE;
      long begin = System.nanoTime();
      do {
        long start = System.nanoTime();
        work.run();
        device.synchronize(device.computeStream());
        fastest = Math.min(fastest, (System.nanoTime() - start) * 1e-9);
      } while ((System.nanoTime() - begin) * 1e-9 < atLeast);
      return fastest;
    }

    @Override
    public void close() {
      device.synchronize(device.computeStream());
      results.close();
      memory.forEach(device::free);
      device.close();
    }
  }
}
