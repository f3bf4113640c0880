package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.RunSummary;
import org.starlingqcd.hadron.execute.ExecutionStatistics;
import org.starlingqcd.memhc.cache.MemoryStatistics;

/** The summary of a run for a reader. */
final class SummaryText {
  private SummaryText() {}

  static void print(RunSummary summary, PrintWriter out) {
    summary.results().forEach(result -> out.println("result       " + result));
    out.printf(
        Locale.ROOT,
        "units        %d asked for, %d were finished, %d computed%s%n",
        summary.units(),
        summary.finishedBefore(),
        summary.computed(),
        summary.elsewhere() > 0 ? ", " + summary.elsewhere() + " not finished" : "");
    if (summary.computed() > 0) {
      ExecutionStatistics execution = summary.execution();
      out.printf(
          Locale.ROOT,
          "device       %s: %s%n",
          summary.backend(),
          summary.device() == null ? "" : summary.device().name());
      out.printf(
          Locale.ROOT,
          "contractions %d (%d products, %d traces), %d nodes built%n",
          execution.work().contractions(),
          execution.work().products(),
          execution.work().traces(),
          execution.work().builds());
      out.printf(
          Locale.ROOT,
          "time         %.2f s: preparing %.2f, planning %.2f, contractions %.2f, waiting for data"
              + " %.2f, writing %.2f%n",
          summary.wallSeconds(),
          summary.prepareSeconds(),
          summary.planSeconds(),
          Math.max(0, execution.wallSeconds() - summary.stallSeconds()),
          summary.stallSeconds(),
          summary.writeSeconds());
      out.printf(
          Locale.ROOT,
          "reading      %s in %.2f s, %.0f %% of it hidden behind computing%n",
          MemorySize.text(execution.bytesRead()),
          summary.readSeconds(),
          hidden(summary));
      out.printf(
          Locale.ROOT,
          "speed        %.1f GFLOP/s over all, %.1f GFLOP/s while contracting%n",
          summary.gflops(),
          1e-9
              * execution.work().flops()
              / Math.max(1e-9, execution.wallSeconds() - summary.stallSeconds()));
      print(summary.memory(), out);
    }
    summary
        .failures()
        .forEach((name, reason) -> out.println("left out     " + name + ": " + reason));
  }

  private static double hidden(RunSummary summary) {
    return summary.readSeconds() <= 0
        ? 0
        : 100 * Math.max(0, 1 - summary.stallSeconds() / summary.readSeconds());
  }

  /** The memory statistics, two lines. */
  static void print(MemoryStatistics memory, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "memory       %s: %s of %s at most, %d allocations, %d reuses, %d hits, %d misses%n",
        memory.policy(),
        MemorySize.text(memory.peakDeviceBytes()),
        MemorySize.text(memory.deviceBytes()),
        memory.allocations(),
        memory.poolReuses(),
        memory.hits(),
        memory.misses());
    out.printf(
        Locale.ROOT,
        "             %d evictions (%s), %s to the device, %s to the host%n",
        memory.evictions(),
        MemorySize.text(memory.evictedBytes()),
        MemorySize.text(memory.bytesToDevice()),
        MemorySize.text(memory.bytesToHost()));
  }
}
