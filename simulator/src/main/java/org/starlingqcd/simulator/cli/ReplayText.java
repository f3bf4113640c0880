package org.starlingqcd.simulator.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
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
    if (bounds == null) {
      out.printf(
          Locale.ROOT,
          "%n%s: too small for a single contraction%n",
          MemorySize.text(capacity.bytes()));
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
    out.printf(
        Locale.ROOT,
        "%-18s %9s %9s %9s %9s %9s %12s %12s %9s %7s%n",
        "policy",
        "hits",
        "misses",
        "clean",
        "dirty",
        "dead",
        "to device",
        "to host",
        "byte hits",
        "gap");
    for (MemoryStatistics policy : capacity.policies()) {
      out.printf(
          Locale.ROOT,
          "%-18s %9d %9d %9d %9d %9d %12s %12s %8.2f%% %7.3f%n",
          policy.policy(),
          policy.hits(),
          policy.misses(),
          policy.cleanEvictions(),
          policy.dirtyEvictions(),
          policy.deadEvictions(),
          MemorySize.text(policy.bytesToDevice()),
          MemorySize.text(policy.bytesToHost()),
          100 * policy.lookupByteHitRatio(),
          capacity.gap(policy));
    }
  }
}
