package org.starlingqcd.simulator.reproduce;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
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
 *
 * <p>The paper prints by how much communication time falls with each write policy, and how much
 * faster the accelerator then is. One share of communication in the time without a cache has to
 * explain both speed-ups of an accelerator.
 */
final class SoftCacheCheck extends PaperCheck {
  private static final int SEEDS = 3;

  /** More memory than any trace takes: only lines bound the cache. */
  private static final long AMPLE = Long.MAX_VALUE / 4;

  private final Map<String, List<AccessTrace>> traces = new HashMap<>();

  @Override
  Object measure(String what, String[] arguments) {
    return switch (what) {
      case "hits" -> percent(arguments);
      case "ceiling" -> ceiling();
      case "order" -> order(arguments);
      case "loses" ->
          hits("1000 full 8 fifo " + arguments[0]) - hits("1000 full 4 fifo " + arguments[0]);
      case "below" ->
          hits("100 full 32 lru " + arguments[1])
              - hits("100 " + arguments[0] + " 32 lru " + arguments[1]);
      case "speedup" -> speedup(Double.parseDouble(arguments[0]), Double.parseDouble(arguments[1]));
      default -> throw unknown(what);
    };
  }

  private double hits(String cache) {
    return (double) measured("hits " + cache);
  }

  /** Whether three caches hit less and less often. */
  private PaperRow.Statement order(String... arguments) {
    boolean policies = arguments[0].equals("policies");
    double[] hits = new double[3];
    for (int k = 0; k < hits.length; k++) {
      String cache =
          policies
              ? "full 32 " + List.of("lru", "fifo", "random").get(k)
              : List.of("full", "3-way", "direct").get(k) + " 32 lru";
      hits[k] = hits("100 " + cache + " " + arguments[1]);
    }
    return new PaperRow.Statement(
        String.format(Locale.US, "%.2f > %.2f > %.2f", hits[0], hits[1], hits[2]),
        hits[0] > hits[1] && hits[1] > hits[2]);
  }

  /** Without overlap, with a share of the time without a cache spent on copies. */
  private static double speedup(double copying, double saved) {
    TimeModel model = new TimeModel(1, 1, 1, 1, false);
    double kernels = 1 - copying;
    return model.seconds(0, 0, copying, kernels)
        / model.seconds(0, 0, copying * (1 - saved), kernels);
  }

  /** Mean byte hit ratio: taxa, organization, lines, policy, write policy. */
  private double percent(String... cache) {
    double sum = 0;
    for (AccessTrace trace : traces(cache[0])) {
      int lines = Integer.parseInt(cache[2]);
      sum += run(trace, cache[1], lines, cache[3], WritePolicy.parse(cache[4])).byteHitRatio();
    }
    return 100 * sum / SEEDS;
  }

  /** The ratio in percent if every input of a call were there: results still go to the host. */
  private double ceiling() {
    double most = 0;
    for (AccessTrace trace : traces("100")) {
      CacheStatistics all = run(trace, "full", 2 * 100, "lru", WritePolicy.THROUGH);
      most = Math.max(most, 1 - all.bytesToHost() / (double) all.uncachedBytes());
    }
    return 100 * most;
  }

  private List<AccessTrace> traces(String taxa) {
    return traces.computeIfAbsent(
        taxa,
        n ->
            LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> TreeWorkload.draw(Integer.parseInt(n), 200, 5, 1000, seed))
                .toList());
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
