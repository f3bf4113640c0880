package org.starlingqcd.simulator.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.memhc.cache.CacheStatistics;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.simulator.TierComparison;

/** The table of {@code starling replay --tiering}. */
final class TierText {
  private TierText() {}

  /** Prints a line for each combination, with the outcomes as shares of the bytes looked up. */
  static void print(TierComparison comparison, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%d elements, %d queues, %d contractions, peak %s%n%n",
        comparison.trace().elements(),
        comparison.trace().queues().size(),
        comparison.trace().queues().stream().mapToLong(queue -> queue.steps()).sum(),
        MemorySize.text(comparison.peakBytes()));
    boolean seconds = comparison.combinations().stream().anyMatch(one -> one.seconds() != null);
    out.printf("%-12s %-8s %-18s", "fast memory", "tiering", "policy");
    for (Outcome outcome : Outcome.values()) {
      out.printf(" %8s", outcome.label());
    }
    out.printf(" %12s %12s %12s%s%n", "to fast", "to slow", "in place", seconds ? "  seconds" : "");
    for (TierComparison.Combination one : comparison.combinations()) {
      CacheStatistics cache = one.counts().cache();
      out.printf(
          "%-12s %-8s %-18s",
          MemorySize.text(one.fastBytes()), one.tiering().label(), one.policy());
      cache.shares().values().forEach(share -> out.printf(Locale.ROOT, " %7.2f%%", 100 * share));
      out.printf(
          " %12s %12s %12s",
          MemorySize.text(cache.bytesToDevice()),
          MemorySize.text(cache.bytesToHost()),
          MemorySize.text(one.counts().inPlaceBytes()));
      if (one.seconds() != null) {
        out.printf(Locale.ROOT, " %9.4g", one.seconds());
      }
      out.println();
    }
  }
}
