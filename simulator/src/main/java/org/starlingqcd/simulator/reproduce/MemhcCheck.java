package org.starlingqcd.simulator.reproduce;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.replay.DryDevice;
import org.starlingqcd.memhc.replay.NoData;
import org.starlingqcd.memhc.replay.Replay;
import org.starlingqcd.simulator.SyntheticContraction;
import org.starlingqcd.simulator.VectorWorkload;
import org.starlingqcd.simulator.VectorWorkload.Distribution;
import org.starlingqcd.simulator.WorkloadRun;

/**
 * MemHC (doi:10.1145/3506705): Tables 1 to 3, the example of Figure 6, what each optimization of
 * Figure 8 saves, the ratios of Figure 11 and the memory column of Table 4.
 *
 * <p>The paper averages ten draws. Its LRU counts and ours are means over different ones, so they
 * may differ by two standard errors.
 */
final class MemhcCheck extends PaperCheck {
  private static final int DRAWS = 40;
  private static final int PAPER_DRAWS = 10;
  private static final SyntheticContraction MESONS = SyntheticContraction.mesons(8);
  private static final TensorShape NODE = MESONS.node();
  private static final String OWN = "pre-protected-lru";
  private static final List<String> OTHERS = List.of("random", "mru", "lru", "car", "clock-pro");

  @Override
  Object measure(String what, String[] arguments) {
    return switch (what) {
      case "count" -> counter(arguments[3], count(OWN, arguments, Distribution.UNIFORM, 1));
      case "mean" -> mean(evictions(arguments));
      case "evictions" -> drawn(arguments);
      case "spread" -> spread(evictions(arguments));
      case "figure6" ->
          counter(
              arguments[3],
              figure6(
                  arguments[0], Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2])));
      case "figure8" -> figure8(arguments[0]);
      case "figure11" -> figure11(arguments[0], arguments[1], arguments[2]);
      case "gigabytes" -> {
        TensorShape node = TensorShape.mesonNode(Integer.parseInt(arguments[1]));
        yield 1e-9 * Integer.parseInt(arguments[0]) * node.bytes();
      }
      default -> throw unknown(what);
    };
  }

  private static long counter(String name, MemoryStatistics counted) {
    return switch (name) {
      case "allocate" -> counted.allocations();
      case "evictions" -> counted.evictions();
      case "hit" -> counted.hits();
      default -> counted.misses();
    };
  }

  /** Inputs A to F; a memory of four. */
  private static MemoryStatistics figure6(String policy, int... repeated) {
    AccessQueue.Builder queue = AccessQueue.builder();
    for (int element : new int[] {0, 1, 2, 3, 4, 5, repeated[0], repeated[1]}) {
      queue.step(new int[] {element}, new int[0]);
      if (element == 3) {
        queue.endVector();
      }
    }
    boolean[] input = {true, true, true, true, true, true};
    AccessTrace trace =
        new AccessTrace(List.of(NODE), new int[6], input, List.of(queue.endVector().build()));
    return Replay.run(
        trace,
        MemHCOptions.ofBudget(4 * NODE.bytes())
            .withPolicy(policy)
            .withLiveness(false)
            .withPrefetch(0));
  }

  /** Counts of 20 vectors of 16 contractions that repeat half of their inputs. */
  private static Object figure8(String what) {
    MemoryStatistics naive = breakdown(false, false, false);
    MemoryStatistics packed = breakdown(false, true, false);
    MemoryStatistics synced = breakdown(false, true, true);
    MemoryStatistics optimal = breakdown(true, true, true);
    return switch (what) {
      case "packing" -> Math.round((naive.allocations() - 3) / (double) (packed.allocations() - 3));
      case "synced" -> synced.bytesToHost();
      case "optimal" -> optimal.bytesToDevice() / NODE.bytes();
      default ->
          new PaperRow.Statement(
              String.format(
                  Locale.US,
                  "allocations %d > %d = %d > %d; bytes moved %d = %d > %d > %d",
                  naive.allocations(),
                  packed.allocations(),
                  synced.allocations(),
                  optimal.allocations(),
                  naive.trafficBytes(),
                  packed.trafficBytes(),
                  synced.trafficBytes(),
                  optimal.trafficBytes()),
              naive.allocations() > packed.allocations()
                  && synced.allocations() > optimal.allocations()
                  && packed.trafficBytes() > synced.trafficBytes()
                  && synced.trafficBytes() > optimal.trafficBytes());
    };
  }

  private static MemoryStatistics breakdown(boolean reuse, boolean packing, boolean gpuOnly) {
    VectorWorkload workload = new VectorWorkload(20, 16, 0.5, Distribution.UNIFORM, 1);
    WorkloadRun run = new WorkloadRun(workload, MESONS);
    MemHCOptions options =
        MemHCOptions.ofBudget(run.budgetBytes(2 * 20 * 16))
            .withOptimizations(reuse, packing, gpuOnly);
    try (Device device = new DryDevice()) {
      return run.run(device, options, reuse, NoData.INSTANCE);
    }
  }

  /**
   * Evictions of Pre-Protected LRU in percent of those of the others, geometric mean, or whether
   * they are the fewest.
   */
  private Object figure11(String distribution, String over, String what) {
    double own = meanOf(OWN, distribution, over);
    double logs = 0;
    boolean fewest = true;
    for (String other : OTHERS) {
      double evictions = meanOf(other, distribution, over);
      logs += Math.log(own / evictions);
      fewest &= own < evictions;
    }
    return what.equals("fewest")
        ? PaperRow.Statement.of(fewest)
        : (Object) (100 * Math.exp(logs / OTHERS.size()));
  }

  private double meanOf(String policy, String distribution, String over) {
    return (double) measured("mean " + policy + " 64 0.5 " + over + " " + distribution);
  }

  /** Evictions of all draws: policy, vector size, repeated rate, oversubscription, distribution. */
  private double[] evictions(String... draws) {
    return (double[]) measured("evictions " + String.join(" ", draws));
  }

  private static double[] drawn(String... draws) {
    Distribution distribution = Distribution.valueOf(draws[4].toUpperCase(Locale.ROOT));
    String[] workload = Arrays.copyOfRange(draws, 1, 4);
    return IntStream.rangeClosed(1, DRAWS)
        .mapToDouble(seed -> count(draws[0], workload, distribution, seed).evictions())
        .toArray();
  }

  private static double mean(double[] numbers) {
    return Arrays.stream(numbers).average().orElseThrow();
  }

  /** Two standard errors of the difference between our mean and one of the paper's draws. */
  private static double spread(double[] numbers) {
    double mean = mean(numbers);
    double squares = Arrays.stream(numbers).map(n -> (n - mean) * (n - mean)).sum();
    return 2 * Math.sqrt(squares / (DRAWS - 1) * (1.0 / DRAWS + 1.0 / PAPER_DRAWS));
  }

  /** Counts of a workload: vector size, repeated rate, oversubscription. */
  private static MemoryStatistics count(
      String policy, String[] workload, Distribution distribution, long seed) {
    int vector = Integer.parseInt(workload[0]);
    int vectors = WorkloadRun.vectorsFor(Double.parseDouble(workload[2]));
    double rate = Double.parseDouble(workload[1]);
    WorkloadRun run =
        new WorkloadRun(new VectorWorkload(vectors, vector, rate, distribution, seed), MESONS);
    return run.count(
        MemHCOptions.ofBudget(run.budgetBytes(2 * vector)).withPolicy(policy).withSeed(seed));
  }
}
