package org.starlingqcd.simulator.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.simulator.ReplayComparison;
import org.starlingqcd.simulator.TrafficBounds;

/** The tables of {@code starling replay}. */
final class ReplayText {
  private ReplayText() {}

  /** Prints a table for each order and capacity. */
  static void print(ReplayComparison comparison, PrintWriter out) {
    AccessTrace trace = comparison.trace();
    out.printf(
        Locale.ROOT,
        "%d elements, %d queues, %d contractions%n",
        trace.elements(),
        trace.queues().size(),
        trace.queues().stream().mapToLong(queue -> queue.steps()).sum());
    for (ReplayComparison.Order order : comparison.orders()) {
      out.printf(
          Locale.ROOT,
          "%norder %s: peak %s, smallest budget %s%n",
          order.name(),
          MemorySize.text(order.peakBytes()),
          MemorySize.text(order.smallestBudgetBytes()));
      order.capacities().forEach(capacity -> print(capacity, out));
    }
  }

  private static void print(ReplayComparison.Capacity capacity, PrintWriter out) {
    TrafficBounds bounds = capacity.bounds();
    if (!capacity.fits()) {
      out.printf(
          Locale.ROOT,
          "%n%s: too small for a single contraction%n",
          MemorySize.text(capacity.bytes()));
      return;
    }
    printBounds(capacity, bounds, out);
    List<ReplayComparison.Combination> all = capacity.combinations();
    boolean choices =
        all.stream()
            .map(ReplayComparison.Combination::options)
            .anyMatch(
                o ->
                    o.lines() > 0
                        || o.organization().ways() > 0
                        || o.writePolicy() != WritePolicy.BACK);
    boolean seconds = all.stream().anyMatch(one -> one.seconds() != null);
    out.printf("%-18s", "policy");
    if (choices) {
      out.printf(" %12s %7s %7s", "organization", "lines", "write");
    }
    out.printf(
        Locale.ROOT,
        " %9s %9s %9s %9s %9s %12s %12s %9s %9s",
        "hits",
        "misses",
        "clean",
        "dirty",
        "dead",
        "to device",
        "to host",
        "looked up",
        "byte hits");
    out.printf("%s%s%n", bounds == null ? "" : "     gap", seconds ? "      seconds" : "");
    for (ReplayComparison.Combination one : all) {
      MemHCOptions options = one.options();
      MemoryStatistics policy = one.counts();
      out.printf("%-18s", policy.policy());
      if (choices) {
        out.printf(
            " %12s %7s %7s",
            options.organization().label(),
            options.lines() == 0 ? "-" : options.lines(),
            options.writePolicy().label());
      }
      out.printf(
          Locale.ROOT,
          " %9d %9d %9d %9d %9d %12s %12s %8.2f%% %8.2f%%",
          policy.hits(),
          policy.misses(),
          policy.cleanEvictions(),
          policy.dirtyEvictions(),
          policy.deadEvictions(),
          MemorySize.text(policy.bytesToDevice()),
          MemorySize.text(policy.bytesToHost()),
          100 * policy.lookupByteHitRatio(),
          100 * policy.cache().byteHitRatio());
      if (bounds != null) {
        out.printf(Locale.ROOT, " %7.3f", capacity.gap(policy));
      }
      if (one.seconds() != null) {
        out.printf(Locale.ROOT, " %12.6g", one.seconds());
      }
      out.println();
    }
  }

  private static void printBounds(
      ReplayComparison.Capacity capacity, @Nullable TrafficBounds bounds, PrintWriter out) {
    if (bounds == null) {
      out.printf(
          "%n%s%n",
          capacity.isUnbounded() ? "bound by lines alone" : MemorySize.text(capacity.bytes()));
      return;
    }
    out.printf(
        Locale.ROOT,
        "%n%s: traffic at least %s (compulsory %s, PFOO %s)%n",
        MemorySize.text(capacity.bytes()),
        MemorySize.text(bounds.trafficBytes()),
        MemorySize.text(bounds.compulsoryBytes()),
        MemorySize.text(bounds.pfooBytes()));
    bounds
        .beladyLoads()
        .ifPresent(loads -> out.printf(Locale.ROOT, "at least %d loads (Belady)%n", loads));
  }
}
