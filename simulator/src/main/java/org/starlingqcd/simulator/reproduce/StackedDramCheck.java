package org.starlingqcd.simulator.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.CacheStatistics;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.cache.TimeModel;
import org.starlingqcd.memhc.replay.Replay;
import org.starlingqcd.simulator.workload.Workloads;

/**
 * Runtime-guided stacked DRAM: the outcomes of look-ups with 16 GiB of fast memory and 64 tasks in
 * flight. Cholesky and SMI are a half and a quarter as wide as in the paper, with fast memory, and
 * for SMI tasks in flight, smaller to scale. The paper's runtime evicts in the order of a hash map,
 * which {@code random} stands for.
 */
public final class StackedDramCheck implements PaperCheck {
  private static final long GIB = 1L << 30;
  private static final long SEED = 1;
  private static final String RANDOM = "random";
  private static final String FIRST = "first-unused";
  private static final double PERCENT = 100;

  /** A code of the paper with data that tasks use again. */
  private record Code(String name, String workload, long fastBytes, double fixed, double guided) {}

  private static final List<Code> CODES =
      List.of(
          new Code("QR", "qr:n=120,tile=724", 16 * GIB, 28.3, 60.1),
          new Code("DGEMM", "dgemm:n=48", 16 * GIB, 29.4, 84.8),
          new Code("Cholesky", "cholesky:n=96,tile=512", 4 * GIB, 43.5, 83.0),
          new Code("SMI", "smi:n=48,tile=512,window=16", GIB, 43.8, 68.6));

  @Override
  public String name() {
    return "stacked-dram";
  }

  @Override
  public String title() {
    return "Alvarez et al., Runtime-Guided Management of Stacked DRAM Memories in Task Parallel"
        + " Programs (ICS 2018)";
  }

  @Override
  public List<PaperRow> rows() {
    List<PaperRow> rows = new ArrayList<>();
    addTasks(rows);
    for (Code code : CODES) {
      AccessTrace trace = Workloads.make(code.workload(), SEED, true);
      Map<Outcome, Double> fixed = shares(trace, code.fastBytes(), Tiering.STATIC, RANDOM);
      Map<Outcome, Double> guided = shares(trace, code.fastBytes(), Tiering.GUIDED, RANDOM);
      rows.add(
          PaperRow.predicted(
              code.name() + ", static placement, hits (%)",
              "28 to 48",
              code.fixed(),
              share(fixed, Outcome.HIT),
              1));
      rows.add(
          PaperRow.predicted(
              code.name() + ", runtime, hits (%)",
              "59 to 85",
              code.guided(),
              share(guided, Outcome.HIT),
              3));
      rows.add(
          PaperRow.atMost(
              code.name() + ", runtime, bypassed (%)", "none", share(guided, Outcome.BYPASS), 0.5));
    }
    addTriad(rows);
    addSmall(rows, "Cholesky", "cholesky:n=32", 3.1);
    addSmall(rows, "DGEMM", "dgemm:n=16", 6.1);
    rows.add(
        PaperRow.notPossible(
            "LU, Gauss, RedBlack: 79% used in place", "79 %", "the task graphs are not published"));
    rows.add(
        PaperRow.notPossible(
            "times of Figures 4 and 7", "+14 to -44 %", "needs a machine with two memories"));
    return rows;
  }

  private static void addTasks(List<PaperRow> rows) {
    addTasks(rows, "cholesky:n=32", 5984);
    addTasks(rows, "smi:n=32", 17_952);
    addTasks(rows, "dgemm:n=16", 4352);
    addTasks(rows, "dgemm:n=48", 112_896);
    addTasks(rows, "qr:n=64", 93_536);
    addTasks(rows, "stream:n=256", 10_496);
  }

  private static void addTasks(List<PaperRow> rows, String workload, long paper) {
    long tasks =
        Workloads.make(workload, SEED, true).queues().stream()
            .mapToLong(queue -> queue.steps())
            .sum();
    rows.add(PaperRow.exact("tasks of " + workload, paper, tasks));
  }

  /**
   * Triad: 256 blocks of 40 MiB in each array, every one used once a loop. The tracker sees the
   * tasks of one loop, because a loop is a parallel region of its own.
   */
  private static void addTriad(List<PaperRow> rows) {
    AccessTrace trace = Workloads.make("triad:n=256,tile=2290", SEED, true);
    Map<Outcome, Double> fixed = shares(trace, 16 * GIB, Tiering.STATIC, RANDOM);
    Map<Outcome, Double> guided = shares(trace, 16 * GIB, Tiering.GUIDED, RANDOM);
    Map<Outcome, Double> expected =
        Map.of(Outcome.HIT, 47.9, Outcome.FREE, 5.3, Outcome.BYPASS, 46.7);
    for (Outcome outcome : List.of(Outcome.HIT, Outcome.FREE, Outcome.BYPASS)) {
      rows.add(
          PaperRow.predicted(
              "Stream, runtime with tracker, " + outcome.label() + " (%)",
              "as static placement",
              expected.getOrDefault(outcome, 0.0),
              share(guided, outcome),
              0.05));
    }
    rows.add(
        PaperRow.holds(
            "Stream, tracker and static placement",
            "equal",
            String.format(
                Locale.ROOT,
                "%.2f and %.2f %% hits",
                share(guided, Outcome.HIT),
                share(fixed, Outcome.HIT)),
            fixed.equals(guided)));
    // Only slow memory limits: its rate is 1 byte a second, all others are unbounded.
    TimeModel slowOnly =
        new TimeModel(
            1, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, true);
    double ratio =
        Replay.inTiers(trace, 16 * GIB, Tiering.STATIC, FIRST, SEED).seconds(slowOnly, 0)
            / Replay.inTiers(trace, 16 * GIB, Tiering.OFF, FIRST, SEED).seconds(slowOnly, 0);
    rows.add(
        PaperRow.predicted(
            "Stream, time of static placement : runtime without tracker",
            "up to 37 % slower",
            0.635,
            ratio,
            0.025));
  }

  private static void addSmall(List<PaperRow> rows, String name, String workload, double paper) {
    AccessTrace trace = Workloads.make(workload, SEED, true);
    Map<Outcome, Double> guided = shares(trace, 16 * GIB, Tiering.GUIDED, RANDOM);
    double missed = PERCENT - share(guided, Outcome.HIT);
    rows.add(PaperRow.predicted(name + ", small input, misses (%)", "few", paper, missed, 0.05));
    rows.add(
        PaperRow.predicted(
            name + ", small input, misses that find room (%)",
            "all",
            missed,
            share(guided, Outcome.FREE),
            0));
  }

  private static double share(Map<Outcome, Double> shares, Outcome outcome) {
    return PERCENT * shares.getOrDefault(outcome, 0.0);
  }

  private static Map<Outcome, Double> shares(
      AccessTrace trace, long fastBytes, Tiering tiering, String policy) {
    CacheStatistics cache = Replay.inTiers(trace, fastBytes, tiering, policy, SEED).cache();
    return Map.of(
        Outcome.HIT, cache.bytes(Outcome.HIT) / (double) cache.lookupBytes(),
        Outcome.FREE, cache.bytes(Outcome.FREE) / (double) cache.lookupBytes(),
        Outcome.REPLACE, cache.bytes(Outcome.REPLACE) / (double) cache.lookupBytes(),
        Outcome.FULL, cache.bytes(Outcome.FULL) / (double) cache.lookupBytes(),
        Outcome.BYPASS, cache.bytes(Outcome.BYPASS) / (double) cache.lookupBytes());
  }
}
