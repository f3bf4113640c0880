package org.starlingqcd.correlators.cli;

import java.io.File;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.correlators.run.RunSummary;
import org.starlingqcd.hadron.execute.ExecutionStatistics;
import org.starlingqcd.hadron.execute.QueueWork;
import org.starlingqcd.hadron.input.BlockCounts;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code starling run}: computes definitions on configurations. */
@Command(
    description = {
      "Computes the correlators of every definition on every configuration and writes one file for"
          + " each definition, OUT/NAME.h5.",
      "A run that was stopped continues when it is started again: only missing units are computed."
    })
public final class RunCommand implements Callable<Integer> {
  @Mixin(name = RunSettings.NAME)
  private RunSettings options = new RunSettings();

  @Mixin private Output output = new Output();

  @Option(
      names = "--dry-run",
      description =
          "Compute nothing; show what the run takes, as `plan` does for the same definitions and"
              + " data.")
  private boolean dryRun;

  /**
   * Has the libraries of a run loaded while its command line is set up, which takes as long. Where
   * results are, perhaps nothing is left to compute.
   */
  static void loadAhead(String... args) {
    if (args.length == 0 || !args[0].equals("run")) {
      return;
    }
    String out = RunSettings.OUT;
    for (int k = 1; k < args.length; k++) {
      if (args[k].startsWith("--out=")) {
        out = args[k].substring("--out=".length());
      } else if (args[k - 1].equals("--out")) {
        out = args[k];
      }
    }
    if (!new File(out).exists()) {
      Thread thread = new Thread(Backends::loadAhead, "libraries");
      thread.setDaemon(true);
      thread.start();
    }
  }

  @Override
  public Integer call() {
    double start = secondsSinceLaunch();
    RunSettings settings = options.checked();
    if (dryRun) {
      return PlanCommand.dryRun(settings, output);
    }
    ProgressReport progress =
        new ProgressReport(output::say, InstantSource.system(), ZoneId::systemDefault);
    CorrelatorRun run = new CorrelatorRun(settings, progress);
    StopSignal.Work work = StopSignal.during(run::cancel, run::isComputing);
    try {
      return execute(run, progress, start);
    } finally {
      work.end();
    }
  }

  private int execute(CorrelatorRun run, ProgressReport progress, double start) {
    try {
      RunSummary summary = run.execute();
      progress.close();
      print(summary, start);
      return summary.failures().isEmpty() ? ErrorReport.SUCCESS : ErrorReport.FAILED;
    } catch (CancellationException e) {
      progress.close();
      output.say(
          "starling: stopped; finished units are kept, and the same command continues the run");
      return ErrorReport.FAILED;
    } finally {
      progress.close();
    }
  }

  /** Seconds since the launcher was started; NaN without the launcher. */
  private static double secondsSinceLaunch() {
    try {
      // Seconds since 1970 as the shell writes them, with the locale's decimal separator.
      String launched = System.getProperty("starling.launched", "").replace(',', '.');
      return launched.isEmpty()
          ? Double.NaN
          : 1e-3 * System.currentTimeMillis() - Double.parseDouble(launched);
    } catch (NumberFormatException anotherShell) {
      return Double.NaN;
    }
  }

  private void print(RunSummary summary, double start) {
    Map<String, Object> map = summary.describe();
    if (start >= 0) {
      map.put("start_seconds", start);
    }
    output.print(() -> map, () -> SummaryText.of(summary));
  }

  /** The summary that {@code starling run} prints. */
  static final class SummaryText {
    private static final int COLUMN = 13;

    private static final double SHOWN_SECONDS = 0.1;

    private SummaryText() {}

    static String of(RunSummary summary) {
      Listing text = new Listing(COLUMN);
      summary.results().forEach(result -> text.line("result", result));
      text.line(
          "units",
          "%d requested, %d finished before, %d computed%s",
          summary.units(),
          summary.finishedBefore(),
          summary.computed(),
          summary.elsewhere() > 0 ? ", " + summary.elsewhere() + " not finished" : "");
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
            "%s: %s units, %.2f s%s",
            device.getOrDefault("numbers", device.get("number")),
            device.get("units"),
            ((Number) device.getOrDefault("execution_seconds", 0)).doubleValue(),
            device.containsKey("lost") ? ", lost: " + device.get("lost") : "");
      }
      text.line(
          "contractions",
          "%d (%d products, %d traces), %d nodes built",
          work.contractions(),
          work.products(),
          work.traces(),
          work.builds());
      text.line(
          "time",
          "%.2f s: preparing %.2f, %splanning %.2f, contractions %.2f, waiting for data %.2f,"
              + " writing %.2f",
          summary.wallSeconds(),
          summary.prepareSeconds(),
          // Shown only if it was a matter of seconds: after the first run it is a look into a
          // file.
          summary.calibrationSeconds() < SHOWN_SECONDS
              ? ""
              : String.format(Locale.US, "measuring kernels %.2f, ", summary.calibrationSeconds()),
          summary.planSeconds(),
          Math.max(0, contracting),
          summary.stallSeconds(),
          summary.writeSeconds());
      double hidden =
          summary.readSeconds() <= 0
              ? 0
              : 100 * Math.max(0, 1 - summary.stallSeconds() / summary.readSeconds());
      text.line(
          "reading",
          "%s in %.2f s, %.0f %% of it hidden behind computing",
          MemorySize.text(execution.bytesRead()),
          summary.readSeconds(),
          hidden);
      BlockCounts blocks = summary.blocks();
      if (blocks != null) {
        text.line(
            "block cache",
            "%d blocks from files, %d from the cache",
            blocks.fromFiles(),
            blocks.fromCache());
      }
      text.line(
          "speed",
          "%.1f GFLOP/s over all, %.1f GFLOP/s while contracting",
          summary.gflops(),
          1e-9 * work.flops() / Math.max(1e-9, contracting));
    }

    private static void addMemory(MemoryStatistics memory, Listing text) {
      text.line(
          "memory",
          "%s: %s of %s at most, %d allocations, %d reuses, %d hits, %d misses",
          memory.policy(),
          MemorySize.text(memory.peakDeviceBytes()),
          MemorySize.text(memory.deviceBytes()),
          memory.allocations(),
          memory.poolReuses(),
          memory.hits(),
          memory.misses());
      text.line(
          "",
          "%d evictions (%s), %s to the device, %s to the host",
          memory.evictions(),
          MemorySize.text(memory.evictedBytes()),
          MemorySize.text(memory.bytesToDevice()),
          MemorySize.text(memory.bytesToHost()));
    }
  }
}
