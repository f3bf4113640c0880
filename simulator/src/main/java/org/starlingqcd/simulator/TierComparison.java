package org.starlingqcd.simulator;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.CacheStatistics;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.cache.TimeModel;
import org.starlingqcd.memhc.replay.Replay;

/**
 * A trace in two tiers of memory, with several sizes of the fast one, tierings and policies.
 *
 * @param trace the trace
 * @param peakBytes bytes of fast memory that hold everything
 * @param combinations what each combination counted
 */
public record TierComparison(AccessTrace trace, long peakBytes, List<Combination> combinations) {
  private static final long AMPLE = Long.MAX_VALUE / 4;

  /**
   * One combination and what it counted.
   *
   * @param fastBytes size of the fast memory
   * @param seconds the time by the model; null without one
   */
  public record Combination(
      long fastBytes,
      Tiering tiering,
      String policy,
      Replay.Tiers counts,
      @Nullable Double seconds) {
    private Map<String, Object> describe() {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("fast_bytes", fastBytes);
      map.put("tiering", tiering.label());
      map.put("policy", policy);
      map.put("outcomes", counts.cache().shares());
      map.put("bytes_to_fast", counts.cache().bytesToDevice());
      map.put("bytes_to_slow", counts.cache().bytesToHost());
      map.put("in_place_bytes", counts.inPlaceBytes());
      map.put("slow_bytes", counts.slowBytes());
      map.put("peak_fast_bytes", counts.peakFastBytes());
      map.put("seconds", seconds);
      return map;
    }
  }

  /**
   * Runs a trace with every combination.
   *
   * @param sizes sizes of the fast memory, amounts or shares of the peak
   * @param policies names of eviction policies
   * @param seed seed of random evictions
   * @param timeModel the model of time, or null
   */
  public static TierComparison of(
      AccessTrace trace,
      List<MemorySize> sizes,
      List<Tiering> tierings,
      List<String> policies,
      long seed,
      @Nullable TimeModel timeModel) {
    long peak = Replay.inTiers(trace, AMPLE, Tiering.STATIC, "fifo", seed).peakFastBytes();
    List<Combination> counted = new ArrayList<>();
    for (MemorySize size : sizes) {
      long bytes = Math.max(1, size.of(peak));
      for (Tiering tiering : tierings) {
        for (String policy : policies) {
          Replay.Tiers counts = Replay.inTiers(trace, bytes, tiering, policy, seed);
          Double seconds = timeModel == null ? null : counts.seconds(timeModel, trace.flops());
          counted.add(new Combination(bytes, tiering, policy, counts, seconds));
        }
      }
    }
    return new TierComparison(trace, peak, counted);
  }

  /** The JSON object of {@code starling replay --tiering … --json}. */
  public Map<String, Object> describe() {
    Map<String, Object> map = ReplayComparison.describe(trace);
    map.put("peak_bytes", peakBytes);
    map.put("combinations", combinations.stream().map(Combination::describe).toList());
    return map;
  }

  /** A line for each combination, with the outcomes as shares of the bytes looked up. */
  public void print(PrintWriter out) {
    out.printf(
        Locale.US,
        "%d elements, %d queues, %d contractions, peak %s%n%n",
        trace.elements(),
        trace.queues().size(),
        trace.queues().stream().mapToLong(AccessQueue::steps).sum(),
        MemorySize.text(peakBytes));
    boolean seconds = combinations.stream().anyMatch(one -> one.seconds() != null);
    out.printf("%-12s %-8s %-18s", "fast memory", "tiering", "policy");
    for (Outcome outcome : Outcome.values()) {
      out.printf(" %8s", outcome.label());
    }
    out.printf(" %12s %12s %12s%s%n", "to fast", "to slow", "in place", seconds ? "  seconds" : "");
    for (Combination one : combinations) {
      CacheStatistics cache = one.counts().cache();
      out.printf(
          "%-12s %-8s %-18s",
          MemorySize.text(one.fastBytes()), one.tiering().label(), one.policy());
      cache.shares().values().forEach(share -> out.printf(Locale.US, " %7.2f%%", 100 * share));
      out.printf(
          " %12s %12s %12s",
          MemorySize.text(cache.bytesToDevice()),
          MemorySize.text(cache.bytesToHost()),
          MemorySize.text(one.counts().inPlaceBytes()));
      if (one.seconds() != null) {
        out.printf(Locale.US, " %9.4g", one.seconds());
      }
      out.println();
    }
  }
}
