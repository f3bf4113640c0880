package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.cli.option.RunOptionGroup;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.correlators.run.RunSummary;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code starling run}: computes definitions on configurations. */
@Command(
    description = {
      "Computes the correlators of every definition on every configuration and writes one file for each"
          + " definition, OUT/NAME.h5.",
      "A run that was stopped continues when it is started again: only missing units are computed."
    })
public final class RunCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Mixin(name = RunOptionGroup.NAME)
  private RunOptionGroup options = new RunOptionGroup();

  @Option(names = "--json", description = "Print one JSON object instead of the summary.")
  private boolean json;

  @Override
  public Integer call() {
    double start = secondsSinceLaunch();
    RunSettings settings = options.settings();
    ProgressReport progress = new ProgressReport(Console.err(spec));
    CorrelatorRun run = new CorrelatorRun(settings, progress);
    StopSignal.Work work = StopSignal.during(run::cancel);
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
      PrintWriter err = Console.err(spec);
      err.println(
          "starling: stopped; finished units are kept, and the same command continues the run");
      err.flush();
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
    PrintWriter target = Console.out(spec);
    if (json) {
      Map<String, Object> map = summary.describe();
      if (start >= 0) {
        map.put("start_seconds", start);
      }
      target.println(Json.text(map));
    } else {
      target.print(SummaryText.of(summary));
    }
    target.flush();
  }
}
