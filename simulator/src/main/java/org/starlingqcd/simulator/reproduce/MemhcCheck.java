package org.starlingqcd.simulator.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.replay.DryDevice;
import org.starlingqcd.memhc.replay.NoData;
import org.starlingqcd.memhc.replay.Replay;
import org.starlingqcd.simulator.VectorWorkload;
import org.starlingqcd.simulator.VectorWorkload.Distribution;
import org.starlingqcd.simulator.WorkloadRun;

/**
 * MemHC (doi:10.1145/3506705): Tables 1 to 3, the example of Figure 6, what each optimization of
 * Figure 8 saves, the ratios of Figure 11 and the memory column of Table 4.
 */
public final class MemhcCheck implements PaperCheck {
  private static final int DRAWS = 40;

  /** The paper averages ten draws; its LRU counts and ours are means over different ones. */
  private static final double LRU_SHARE = 0.2;

  private static final double LRU_LEAST = 3;
  private static final TensorShape NODE = TensorShape.mesonNode(8);

  /**
   * A row of Tables 1 to 3: vector size, repeated rate, oversubscription; evictions of LRU with
   * uniform and with normally distributed draws; counts of Pre-Protected LRU.
   */
  private record TableRow(
      int table,
      int vector,
      double rate,
      double over,
      double uniform,
      double gaussian,
      int allocate,
      int evictions,
      int hit,
      int miss) {}

  /** Table 2 prints 120 evictions for uniform LRU at 100 %, where its other columns give 84. */
  private static final List<TableRow> TABLES =
      List.of(
          new TableRow(1, 8, 0.5, 0.5, 8, 6, 24, 4, 19, 29),
          new TableRow(1, 16, 0.5, 0.5, 12, 12, 44, 8, 39, 57),
          new TableRow(1, 32, 0.5, 0.5, 22, 20, 84, 16, 79, 113),
          new TableRow(2, 64, 0.5, 0.5, 46, 40, 164, 32, 159, 225),
          new TableRow(2, 64, 0.5, 1, 84, 82, 196, 64, 255, 321),
          new TableRow(2, 64, 0.5, 1.5, 120, 112, 228, 96, 351, 417),
          new TableRow(3, 64, 0.125, 0.5, 64, 62, 188, 56, 135, 249),
          new TableRow(3, 64, 0.25, 0.5, 60, 58, 180, 48, 143, 241),
          new TableRow(3, 64, 0.75, 0.5, 20, 18, 148, 16, 175, 209));

  private static final List<String> OTHERS = List.of("random", "mru", "lru", "car", "clock-pro");

  @Override
  public String name() {
    return "memhc";
  }

  @Override
  public String title() {
    return "Wang, Peng, Ren, Chen & Edwards, MemHC, doi:10.1145/3506705";
  }

  @Override
  public List<PaperRow> rows() {
    List<PaperRow> rows = new ArrayList<>();
    TABLES.forEach(row -> addTable(rows, row));
    addFigure6(rows);
    addFigure8(rows);
    addFigure11(rows);
    addTable4(rows);
    rows.add(
        PaperRow.notPossible(
            "GFLOP/s of Tables 1 to 3 and 5, Figures 7 to 11",
            "P100, V100, MI50, MI100",
            "needs these GPUs"));
    return rows;
  }

  private static void addTable(List<PaperRow> rows, TableRow row) {
    String where =
        String.format(
            Locale.ROOT,
            "Table %d, V %d, O %.0f %%, R %s, ",
            row.table,
            row.vector,
            100 * row.over,
            row.rate);
    MemoryStatistics counted =
        count("pre-protected-lru", row.vector, row.rate, row.over, Distribution.UNIFORM, 1);
    String policy = where + "Pre-Protected LRU: ";
    rows.add(PaperRow.exact(policy + "Allocate", row.allocate, counted.allocations()));
    rows.add(PaperRow.exact(policy + "Evictions", row.evictions, counted.evictions()));
    rows.add(PaperRow.exact(policy + "Hit", row.hit, counted.hits()));
    rows.add(PaperRow.exact(policy + "Miss", row.miss, counted.misses()));
    for (Distribution distribution : Distribution.values()) {
      double paper = distribution == Distribution.UNIFORM ? row.uniform : row.gaussian;
      double ours =
          mean("lru", row.vector, row.rate, row.over, distribution, MemoryStatistics::evictions);
      rows.add(
          PaperRow.near(
              where + "LRU " + distribution.name().toLowerCase(Locale.ROOT) + ": Evictions",
              paper,
              ours,
              Math.max(LRU_SHARE * paper, LRU_LEAST)));
    }
  }

  /** Inputs A to F; a memory of four. */
  private static void addFigure6(List<PaperRow> rows) {
    rows.add(PaperRow.exact("Figure 6 (a), LRU: evictions", 4, figure6("lru", 0, 1).evictions()));
    MemoryStatistics again = figure6("pre-protected-lru", 0, 1);
    rows.add(PaperRow.exact("Figure 6 (b), Pre-Protected LRU: evictions", 2, again.evictions()));
    rows.add(PaperRow.exact("Figure 6 (b), Pre-Protected LRU: hits", 2, again.hits()));
    MemoryStatistics last = figure6("pre-protected-lru", 2, 3);
    rows.add(PaperRow.exact("Figure 6 (c), Pre-Protected LRU: evictions", 2, last.evictions()));
  }

  private static MemoryStatistics figure6(String policy, int... repeated) {
    AccessQueue.Builder queue = AccessQueue.builder();
    for (int element = 0; element < 4; element++) {
      queue.step(new int[] {element}, new int[0]);
    }
    queue.endVector();
    for (int element : new int[] {4, 5, repeated[0], repeated[1]}) {
      queue.step(new int[] {element}, new int[0]);
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

  /** Counts of 20 vectors of 16 contractions at N = 64 that repeat half of their inputs. */
  private static void addFigure8(List<PaperRow> rows) {
    MemoryStatistics naive = breakdown(false, false, false);
    MemoryStatistics packed = breakdown(false, true, false);
    MemoryStatistics synced = breakdown(false, true, true);
    MemoryStatistics optimal = breakdown(true, true, true);
    rows.add(
        PaperRow.exact(
            "Figure 8, Data Reorg: allocations saved, a factor (spins of a meson)",
            16,
            Math.round((naive.allocations() - 3) / (double) (packed.allocations() - 3))));
    rows.add(
        PaperRow.exact(
            "Figure 8, Data Reorg + Sync: bytes of intermediates to the host",
            0,
            synced.bytesToHost()));
    rows.add(
        PaperRow.holds(
            "Figure 8, each optimization saves",
            "Naive > Data Reorg > + Sync > Optimal",
            String.format(
                Locale.ROOT,
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
                && synced.trafficBytes() > optimal.trafficBytes()));
    // 16 inputs and the shared one, then 8 new inputs in each of 19 vectors; everything fits.
    rows.add(
        PaperRow.exact(
            "Figure 8, Optimal: nodes to the device (each once)",
            1 + 16 + 19 * 8,
            optimal.bytesToDevice() / NODE.bytes()));
    rows.add(PaperRow.notPossible("Figure 8, speed-up of Optimal over Naive", 2.6, "needs a P100"));
  }

  private static MemoryStatistics breakdown(boolean reuse, boolean packing, boolean gpuOnly) {
    VectorWorkload workload = new VectorWorkload(20, 16, 0.5, Distribution.UNIFORM, 1);
    WorkloadRun run = new WorkloadRun(workload, NODE);
    MemHCOptions options =
        MemHCOptions.ofBudget(run.budgetBytes(2 * 20 * 16))
            .withOptimizations(reuse, packing, gpuOnly);
    try (Device device = new DryDevice()) {
      return run.run(device, options, reuse, NoData.INSTANCE, WorkloadRun.NO_KERNELS);
    }
  }

  /** Evictions of Pre-Protected LRU in units of those of the others, geometric mean. */
  private static void addFigure11(List<PaperRow> rows) {
    double[] uniform = {77.2, 71.6, 82.1};
    double[] gaussian = {79.7, 78.1, 81.6};
    double[] rates = {1.5, 2, 2.5};
    for (Distribution distribution : Distribution.values()) {
      for (int k = 0; k < rates.length; k++) {
        double own =
            mean("pre-protected-lru", 64, 0.5, rates[k], distribution, MemoryStatistics::evictions);
        double logs = 0;
        boolean fewest = true;
        for (String other : OTHERS) {
          double evictions =
              mean(other, 64, 0.5, rates[k], distribution, MemoryStatistics::evictions);
          logs += Math.log(own / evictions);
          fewest &= own < evictions;
        }
        String where =
            String.format(
                Locale.ROOT,
                "Figure 11, %s, O %.0f %%: ",
                distribution.name().toLowerCase(Locale.ROOT),
                100 * rates[k]);
        rows.add(
            PaperRow.near(
                where + "evictions of Pre-Protected LRU (% of the others)",
                (distribution == Distribution.UNIFORM ? uniform : gaussian)[k],
                100 * Math.exp(logs / OTHERS.size()),
                10));
        rows.add(
            PaperRow.holds(
                where + "Pre-Protected LRU evicts least", "yes", fewest ? "yes" : "no", fewest));
      }
    }
  }

  private static void addTable4(List<PaperRow> rows) {
    addMemory(rows, "a1_rhopi", 106, 128, 0.44);
    addMemory(rows, "f0d2", 2173, 256, 36.28);
    addMemory(rows, "f0d4", 2173, 256, 36.32);
  }

  /** The memory of as many nodes as the paper names, 1 % for rounding. */
  private static void addMemory(
      List<PaperRow> rows, String function, int nodes, int extent, double gigabytes) {
    rows.add(
        PaperRow.near(
            "Table 4, " + function + ": memory of " + nodes + " nodes (GB)",
            gigabytes,
            1e-9 * nodes * TensorShape.mesonNode(extent).bytes(),
            Math.max(0.005, 0.01 * gigabytes)));
  }

  private static double mean(
      String policy,
      int vector,
      double rate,
      double over,
      Distribution distribution,
      ToLongFunction<MemoryStatistics> counter) {
    double sum = 0;
    for (int seed = 1; seed <= DRAWS; seed++) {
      sum += counter.applyAsLong(count(policy, vector, rate, over, distribution, seed));
    }
    return sum / DRAWS;
  }

  private static MemoryStatistics count(
      String policy, int vector, double rate, double over, Distribution distribution, long seed) {
    VectorWorkload workload =
        new VectorWorkload(WorkloadRun.vectorsFor(over), vector, rate, distribution, seed);
    WorkloadRun run = new WorkloadRun(workload, NODE);
    return run.count(
        MemHCOptions.ofBudget(run.budgetBytes(2 * vector)).withPolicy(policy).withSeed(seed));
  }
}
