package org.starlingqcd.simulator.reproduce;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.CacheStatistics;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.TimeModel;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.memhc.replay.Replay;
import org.starlingqcd.simulator.workload.TreeWorkload;

/**
 * SoftCache: byte hit ratios of trees of 100 and 1,000 taxa, means of three seeds, through MemHC
 * with the lines, write policies and late locks of the paper.
 */
public final class SoftCacheCheck implements PaperCheck {
  private static final int[] SEEDS = {1, 2, 3};
  private static final int MOVES = 200;
  private static final int RADIUS = 5;
  private static final int PATTERNS = 1000;
  private static final int FEW = 100;
  private static final int MANY = 1000;
  private static final WritePolicy THROUGH = WritePolicy.THROUGH;
  private static final WritePolicy BACK = WritePolicy.BACK;

  /** More memory than any trace takes: only lines bound the cache. */
  private static final long AMPLE = Long.MAX_VALUE / 4;

  private final Map<Integer, List<AccessTrace>> traces = new HashMap<>();

  @Override
  public String name() {
    return "softcache";
  }

  @Override
  public String title() {
    return "Wijnja, Optimizing data movement for accelerator cards using a software cache";
  }

  @Override
  public List<PaperRow> rows() {
    List<PaperRow> rows = new ArrayList<>();
    double through = percent(FEW, "full", 32, "lru", THROUGH);
    double back = percent(FEW, "full", 32, "lru", BACK);
    rows.add(PaperRow.near("best byte hit ratio, 32 lines, write-through (%)", 52.25, through, 4));
    rows.add(PaperRow.near("best byte hit ratio, 32 lines, write-back (%)", 88.96, back, 1));
    rows.add(
        PaperRow.atMost("ceiling of write-through (%)", "about 2/3", 100 * ceiling(), 200 / 3.0));
    for (WritePolicy write : WritePolicy.values()) {
      double lru = percent(FEW, "full", 32, "lru", write);
      double fifo = percent(FEW, "full", 32, "fifo", write);
      double random = percent(FEW, "full", 32, "random", write);
      rows.add(
          PaperRow.holds(
              "policies, 32 lines, " + named(write),
              "LRU > FIFO > random",
              String.format(Locale.ROOT, "%.2f > %.2f > %.2f", lru, fifo, random),
              lru > fifo && fifo > random));
      double sets = percent(FEW, "3-way", 32, "lru", write);
      double direct = percent(FEW, "direct", 32, "lru", write);
      rows.add(
          PaperRow.holds(
              "organizations, 32 lines, " + named(write),
              "full > 3-way > direct",
              String.format(Locale.ROOT, "%.2f > %.2f > %.2f", lru, sets, direct),
              lru > sets && sets > direct));
      rows.add(
          PaperRow.atMost(
              "3-way below full, 32 lines, " + named(write) + " (points)",
              "less than 1",
              lru - sets,
              2));
      rows.add(
          PaperRow.atLeast(
              "direct below full, 32 lines, " + named(write) + " (points)",
              "poor",
              lru - direct,
              1.5));
    }
    rows.add(
        PaperRow.near(
            "FIFO, write-through, 1000 taxa, 32 lines (%)",
            49.03, percent(MANY, "full", 32, "fifo", THROUGH), 1.5));
    rows.add(
        PaperRow.near(
            "FIFO, write-through, 1000 taxa, 64 lines (%)",
            50.70, percent(MANY, "full", 64, "fifo", THROUGH), 1.5));
    for (WritePolicy write : WritePolicy.values()) {
      double lost =
          percent(MANY, "full", 8, "fifo", write) - percent(MANY, "full", 4, "fifo", write);
      rows.add(
          PaperRow.atLeast(
              "from 8 to 4 lines, FIFO, 1000 taxa, " + named(write) + " loses (points)",
              "10 to 20",
              lost,
              7));
    }
    addSpeedups(rows);
    return rows;
  }

  /**
   * The paper prints by how much communication time falls with each write policy, and how much
   * faster the accelerator then is. One share of communication in the time without a cache has to
   * explain both speed-ups of an accelerator.
   */
  private static void addSpeedups(List<PaperRow> rows) {
    addSpeedup(rows, "GPU", 0.52, 0.47, 1.3, 0.79, 1.7);
    addSpeedup(rows, "FPGA", 0.61, 0.48, 1.5, 0.82, 2.0);
    addSpeedup(rows, "cloud FPGA", 0.81, 0.63, 2.1, 0.88, 3.5);
  }

  private static void addSpeedup(
      List<PaperRow> rows,
      String where,
      double copying,
      double savedThrough,
      double through,
      double savedBack,
      double back) {
    rows.add(
        PaperRow.near(
            "speed-up, " + where + ", write-through",
            through,
            speedup(copying, savedThrough),
            0.1));
    rows.add(
        PaperRow.near(
            "speed-up, " + where + ", write-back", back, speedup(copying, savedBack), 0.1));
  }

  /** Without overlap, with a share of the time without a cache spent on copies. */
  private static double speedup(double copying, double saved) {
    TimeModel model = new TimeModel(1, 1, 1, 1, false);
    double kernels = 1 - copying;
    return model.seconds(0, 0, copying, kernels)
        / model.seconds(0, 0, copying * (1 - saved), kernels);
  }

  private static String named(WritePolicy write) {
    return "write-" + write.label();
  }

  private double percent(
      int taxa, String organization, int lines, String policy, WritePolicy write) {
    double sum = 0;
    for (AccessTrace trace : traces(taxa)) {
      sum += run(trace, organization, lines, policy, write).byteHitRatio();
    }
    return 100 * sum / SEEDS.length;
  }

  /** The ratio if every input of a call were there: results still go to the host. */
  private double ceiling() {
    double most = 0;
    for (AccessTrace trace : traces(FEW)) {
      CacheStatistics all = run(trace, "full", 2 * FEW, "lru", THROUGH);
      long results = all.bytesToHost();
      most = Math.max(most, 1 - results / (double) all.uncachedBytes());
    }
    return most;
  }

  private List<AccessTrace> traces(int taxa) {
    return traces.computeIfAbsent(
        taxa,
        n -> {
          List<AccessTrace> drawn = new ArrayList<>();
          for (int seed : SEEDS) {
            drawn.add(TreeWorkload.draw(n, MOVES, RADIUS, PATTERNS, seed));
          }
          return drawn;
        });
  }

  private static CacheStatistics run(
      AccessTrace trace, String organization, int lines, String policy, WritePolicy write) {
    CacheStatistics counted =
        Replay.run(
                trace,
                MemHCOptions.ofBudget(AMPLE)
                    .withPrefetch(0)
                    .withLateLocks(true)
                    .withPolicy(policy)
                    .withWritePolicy(write)
                    .withOrganization(Organization.parse(organization), lines))
            .cache();
    if (counted.bytes(Outcome.FULL) > 0) {
      throw new IllegalStateException("a call found all lines locked: lines=" + lines);
    }
    return counted;
  }
}
