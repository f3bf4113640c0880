package org.starlingqcd.correlators.cli;

import java.util.Locale;
import java.util.Map;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.RunSummary;
import org.starlingqcd.hadron.execute.ExecutionStatistics;
import org.starlingqcd.hadron.execute.QueueWork;
import org.starlingqcd.hadron.input.BlockCounts;
import org.starlingqcd.memhc.cache.MemoryStatistics;

/** The summary that {@code starling run} prints. */
final class SummaryText {
  private static final int COLUMN = 13;

  private static final double SHOWN_SECONDS = 0.5;

  private SummaryText() {}

  static String of(RunSummary summary) {
    Listing text = new Listing(COLUMN);
    summary.results().forEach(result -> text.line("result", result));
    text.line(
        "units",
        String.format(
            Locale.ROOT,
            "%d requested, %d finished before, %d computed%s",
            summary.units(),
            summary.finishedBefore(),
            summary.computed(),
            summary.elsewhere() > 0 ? ", " + summary.elsewhere() + " not finished" : ""));
    if (summary.computed() > 0) {
      addWork(summary, text);
      addMemory(summary.memory(), text);
    }
    summary.failures().forEach((name, reason) -> text.line("left out", name + ": " + reason));
    return text.toString();
  }

  private static void addWork(RunSummary summary, Listing text) {
    ExecutionStatistics execution = summary.execution();
    QueueWork work = execution.work();
    double contracting = execution.wallSeconds() - summary.stallSeconds();
    text.line(
        "device",
        summary.backend()
            + ": "
            + (summary.device() == null ? "" : summary.device().name())
            + (summary.precision() == Precision.DOUBLE ? "" : ", single precision"));
    for (Map<String, Object> device : summary.devices()) {
      text.line(
          "",
          String.format(
              Locale.ROOT,
              "%s: %s units, %.2f s%s",
              device.getOrDefault("numbers", device.get("number")),
              device.get("units"),
              ((Number) device.getOrDefault("execution_seconds", 0)).doubleValue(),
              device.containsKey("lost") ? ", lost: " + device.get("lost") : ""));
    }
    text.line(
        "contractions",
        String.format(
            Locale.ROOT,
            "%d (%d products, %d traces), %d nodes built",
            work.contractions(),
            work.products(),
            work.traces(),
            work.builds()));
    text.line(
        "time",
        String.format(
            Locale.ROOT,
            "%.2f s: preparing %.2f, %splanning %.2f, contractions %.2f, waiting for data %.2f,"
                + " writing %.2f",
            summary.wallSeconds(),
            summary.prepareSeconds(),
            // Shown only if it was a matter of seconds: after the first run it is a look into a
            // file.
            summary.calibrationSeconds() < SHOWN_SECONDS
                ? ""
                : String.format(
                    Locale.ROOT, "measuring kernels %.2f, ", summary.calibrationSeconds()),
            summary.planSeconds(),
            Math.max(0, contracting),
            summary.stallSeconds(),
            summary.writeSeconds()));
    double hidden =
        summary.readSeconds() <= 0
            ? 0
            : 100 * Math.max(0, 1 - summary.stallSeconds() / summary.readSeconds());
    text.line(
        "reading",
        String.format(
            Locale.ROOT,
            "%s in %.2f s, %.0f %% of it hidden behind computing",
            MemorySize.text(execution.bytesRead()),
            summary.readSeconds(),
            hidden));
    BlockCounts blocks = summary.blocks();
    if (blocks != null) {
      text.line(
          "block cache",
          String.format(
              Locale.ROOT,
              "%d blocks from files, %d from the cache",
              blocks.fromFiles(),
              blocks.fromCache()));
    }
    text.line(
        "speed",
        String.format(
            Locale.ROOT,
            "%.1f GFLOP/s over all, %.1f GFLOP/s while contracting",
            summary.gflops(),
            1e-9 * work.flops() / Math.max(1e-9, contracting)));
  }

  private static void addMemory(MemoryStatistics memory, Listing text) {
    text.line(
        "memory",
        String.format(
            Locale.ROOT,
            "%s: %s of %s at most, %d allocations, %d reuses, %d hits, %d misses",
            memory.policy(),
            MemorySize.text(memory.peakDeviceBytes()),
            MemorySize.text(memory.deviceBytes()),
            memory.allocations(),
            memory.poolReuses(),
            memory.hits(),
            memory.misses()));
    text.line(
        "",
        String.format(
            Locale.ROOT,
            "%d evictions (%s), %s to the device, %s to the host",
            memory.evictions(),
            MemorySize.text(memory.evictedBytes()),
            MemorySize.text(memory.bytesToDevice()),
            MemorySize.text(memory.bytesToHost())));
  }
}
