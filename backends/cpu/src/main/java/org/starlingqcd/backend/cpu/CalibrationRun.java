package org.starlingqcd.backend.cpu;

import static org.starlingqcd.backend.cpu.blas.KernelChoice.Form.ZGEMM;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.cpu.KernelContest.Load;
import org.starlingqcd.backend.cpu.blas.KernelChoice;
import org.starlingqcd.backend.cpu.blas.OpenBlas;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * A measurement of the kernels: contractions of meson nodes as runs launch them, including the
 * conversions of inputs and destination. Times are processor time, so that other programs disturb
 * them little. {@link KernelContest} chooses from the times. The rates of the chosen kernels, and
 * of traces, are measured once more in both precisions. It takes about five seconds on a machine
 * that does nothing else.
 */
final class CalibrationRun {
  /** Least time for which a candidate is measured in a round. */
  private static final double SAMPLE_SECONDS = 0.01;

  private static final BatchSpinMapping MAPPING = BatchSpinMapping.mesonProduct();

  private static final SpinTraceMapping TRACE =
      SpinTraceMapping.mesonTrace(
          new int[] {0, 1, 2, 3},
          new int[] {1, 1, 1, 1},
          new int[] {0, 1, 2, 3},
          new int[] {1, 1, 1, 1});

  /** Rounds in which rates are measured; the fastest counts. */
  private static final int RATE_ROUNDS = 4;

  private static final List<Integer> EXTENTS = List.of(32, 64, 128, 256);
  private static final List<Integer> TILES = List.of(0, 64, 100);

  /** Largest extent at which four real products may win, since little else is saved by three. */
  private static final int MOST_FOR_FOUR = 64;

  /** Contractions of a vector pair on one thread and on all threads. */
  private static final int ON_ONE = 4;

  private static final int ON_ALL = 8;

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
   * The measurements as lines of tables, in GFLOP/s with 8N³ flops for a complex product: for
   * contractions alone and for those that share an input. Each line is a kernel, each column an
   * extent; a star marks the chosen kernel, a bar what was not measured.
   */
  List<String> table() {
    return table;
  }

  /** The kernels to be measured, the preferred one first. */
  private static List<KernelChoice> candidates(KernelChoice preferred) {
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
    candidates.remove(preferred);
    candidates.add(0, preferred);
    return candidates;
  }

  static CalibrationRun measure(OpenBlas blas) {
    int threads = CpuDevice.defaultThreads();
    List<KernelChoice> candidates =
        candidates(
            VectorLoops.isAvailable()
                ? KernelChoice.packed(true)
                : Calibration.standard(blas.core()));
    // The first measurement would time the just-in-time compiler.
    contest(blas, candidates, EXTENTS.get(0), threads);
    Map<Integer, KernelContest> contests = new TreeMap<>();
    Map<Integer, KernelChoice> best = new TreeMap<>();
    for (int extent : EXTENTS) {
      List<KernelChoice> able =
          candidates.stream()
              .filter(c -> c.threeProducts() || c.form() == ZGEMM || extent <= MOST_FOR_FOUR)
              .toList();
      KernelContest contest = contest(blas, able, extent, threads);
      contests.put(extent, contest);
      best.put(extent, contest.chosen());
    }
    List<String> lines = new ArrayList<>();
    for (Load load : loads(threads)) {
      lines.addAll(table(load, threads, candidates, contests));
    }
    return new CalibrationRun(new Calibration(best, rates(blas, best), "calibrated"), lines);
  }

  /** What kernels are measured on: all loads, without those on all threads where there is one. */
  private static List<Load> loads(int threads) {
    return List.of(Load.values()).subList(0, threads > 1 ? 3 : 2);
  }

  private static KernelContest contest(
      OpenBlas blas, List<KernelChoice> candidates, int extent, int threads) {
    try (Nodes nodes = new Nodes(extent, Precision.DOUBLE, ON_ALL)) {
      Map<KernelChoice, Map<Load, Candidate>> open = new HashMap<>();
      try {
        List<Load> finals = loads(threads).subList(1, loads(threads).size());
        // A round takes a second at the largest extent.
        return new KernelContest(
            candidates,
            finals,
            extent < 200 ? 5 : 3,
            (kernel, load) ->
                open.computeIfAbsent(kernel, k -> new EnumMap<>(Load.class))
                    .computeIfAbsent(load, l -> new Candidate(blas, kernel, nodes, l, threads))
                    .seconds(SAMPLE_SECONDS));
      } finally {
        open.values().forEach(loads -> loads.values().forEach(Candidate::close));
      }
    }
  }

  private static List<String> table(
      Load load, int threads, List<KernelChoice> candidates, Map<Integer, KernelContest> contests) {
    List<String> lines = new ArrayList<>();
    String head =
        switch (load) {
          case ALONE -> "GFLOP/s, one thread";
          case SHARED -> ON_ONE + " share an input";
          case SHARED_ON_ALL -> ON_ALL + " on " + threads + " threads";
        };
    StringBuilder first = new StringBuilder(String.format(Locale.ROOT, "%-20s", head));
    contests.keySet().forEach(n -> first.append(String.format(Locale.ROOT, "  N=%-5d", n)));
    lines.add(first.toString().stripTrailing());
    for (KernelChoice candidate : candidates) {
      StringBuilder line =
          new StringBuilder(String.format(Locale.ROOT, "%-20s", candidate.format()));
      boolean any = false;
      for (Map.Entry<Integer, KernelContest> each : contests.entrySet()) {
        Double seconds = each.getValue().seconds(candidate, load);
        any |= seconds != null;
        line.append(
            seconds == null
                ? "       - "
                : String.format(
                    Locale.ROOT,
                    "  %6.1f%s",
                    flops(each.getKey()) / seconds * 1e-9,
                    candidate.equals(each.getValue().chosen()) ? "*" : " "));
      }
      if (any) {
        lines.add(line.toString().stripTrailing());
      }
    }
    return lines.size() > 1 ? lines : List.of();
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
            try (Nodes nodes = new Nodes(extent, precision, 1);
                Candidate candidate = new Candidate(blas, choice, nodes, Load.ALONE, 1)) {
              double contraction = Double.MAX_VALUE;
              double traces = Double.MAX_VALUE;
              for (int round = 0; round < RATE_ROUNDS; round++) {
                contraction = Math.min(contraction, candidate.seconds(SAMPLE_SECONDS));
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

  /** Memory of nodes, which the devices of all candidates use one after the other. */
  private static final class Nodes implements AutoCloseable {
    private final TensorShape shape;
    private final List<HostMemory> memory = new ArrayList<>();

    /** Memory for contractions that share their right input. */
    Nodes(int extent, Precision precision, int contractions) {
      shape = TensorShape.mesonNode(extent).in(precision);
      for (int k = 0; k < 2 * contractions + 1; k++) {
        memory.add(HostMemory.allocateForDevice(shape.bytes()));
      }
    }

    /** The shared right input, then the left inputs and destinations of some contractions. */
    List<DeviceMemory> on(Device device, int contractions) {
      return memory.subList(0, 2 * contractions + 1).stream()
          .map(each -> new HostMemory(each.address(), each.bytes(), address -> {}))
          .map(each -> device.borrow(each, shape))
          .toList();
    }

    @Override
    public void close() {
      memory.forEach(HostMemory::close);
    }
  }

  /** Work on a device that uses one choice. */
  private static final class Candidate implements AutoCloseable {
    private final Device device;
    private final ThreadClock clock;
    private final List<DeviceMemory> memory;
    private final HostMemory results;
    private final ContractionBatch batch;
    private final TraceBlock block;

    Candidate(OpenBlas blas, KernelChoice choice, Nodes nodes, Load load, int threads) {
      TensorShape shape = nodes.shape;
      int extent = shape.extent();
      int contractions =
          switch (load) {
            case ALONE -> 1;
            case SHARED -> ON_ONE;
            case SHARED_ON_ALL -> ON_ALL;
          };
      int team = load == Load.SHARED_ON_ALL ? threads : 1;
      Set<Thread> others = ThreadClock.running();
      device =
          new CpuDevice(
              new DeviceOptions(0, team, 1, false).in(shape.precision()),
              blas,
              Calibration.always(choice, "candidate"));
      clock = new ThreadClock(others, team);
      memory = nodes.on(device, contractions);
      for (int input = 0; input <= contractions; input++) {
        device.fillRandom(memory.get(input), shape, input, device.computeStream());
      }
      batch = new ContractionBatch(extent, extent, extent);
      for (int k = 1; k <= contractions; k++) {
        batch.add(memory.get(k), memory.get(0), memory.get(contractions + k), MAPPING);
      }
      List<DeviceMemory> inputs = memory.subList(0, 2);
      block = new TraceBlock(inputs, inputs, TRACE, extent, 0);
      results = device.allocateHost(2L * Double.BYTES * inputs.size() * inputs.size());
      device.synchronize(device.computeStream());
    }

    /**
     * Runs the contractions once or more often for at least this many seconds and returns the time
     * of one, from the fastest turn.
     */
    double seconds(double atLeast) {
      return fastest(atLeast, () -> device.contract(batch, device.computeStream())) / batch.size();
    }

    /** The time of the traces of every node with every node, likewise. */
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

    /** Processor time of the fastest turn, divided by the number of threads. */
    private double fastest(double atLeast, Runnable work) {
      double fastest = Double.MAX_VALUE;
      long begin = System.nanoTime();
      do {
        long start = clock.nanos();
        work.run();
        device.synchronize(device.computeStream());
        fastest = Math.min(fastest, (clock.nanos() - start) * 1e-9);
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
