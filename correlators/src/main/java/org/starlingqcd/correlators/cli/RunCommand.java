package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.correlators.run.RunSummary;
import org.starlingqcd.correlators.run.SettingName;
import org.starlingqcd.correlators.run.SettingsFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code starling run}: computes definitions on configurations. */
@Command(
    name = "run",
    description = {
      "Computes every definition on every configuration found and writes one file per definition,"
          + " OUT/NAME.h5.",
      "Stopped half-way and started again, it computes only what is missing."
    })
public final class RunCommand implements Callable<Integer> {
  /** How long a signal waits for the run to end: more than one vector takes on any device. */
  private static final long STOP_SECONDS = 60;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "DEFINITION",
      arity = "0..*",
      description = "Definitions: files, or names of those that come with the program.")
  private @Nullable List<String> definitions;

  @Option(
      names = "--data",
      paramLabel = "PATH",
      arity = "1..*",
      description = "Distillation data: files, folders, globs.")
  private @Nullable List<String> data;

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description = "Settings of the run (YAML); what the command line says counts more.")
  private @Nullable Path settingsFile;

  @Option(
      names = "--configurations",
      paramLabel = "LIST",
      description = "Configurations, as 1,3,10-20. Default: all.")
  private @Nullable String configurations;

  @Option(
      names = "--sources",
      paramLabel = "LIST",
      description = "Source times, as 0,4 or all. Default: 0.")
  private @Nullable String sources;

  @Option(
      names = "--separations",
      paramLabel = "LIST",
      description = "Separations, as 0-7. Default: all, 0 to T - 1.")
  private @Nullable String separations;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the results. Default: results.")
  private @Nullable String out;

  @Mixin private DeviceOptionGroup device = new DeviceOptionGroup();

  @Option(
      names = "--shard",
      paramLabel = "K/N",
      description = "Do part K of N only, into files of its own; see `starling merge`.")
  private @Nullable String shard;

  @Option(
      names = "--overwrite",
      description = "Throw away results that are there, whatever they are of.")
  private boolean overwrite;

  @Option(
      names = "--keep-going",
      description = "Skip configurations whose data are bad; they are tried again next time.")
  private boolean keepGoing;

  @Option(
      names = "--read-ahead",
      paramLabel = "SIZE",
      description = "Host memory for data read ahead. Default: an eighth of what is free.")
  private @Nullable String readAhead;

  @Option(names = "--json", description = "Print one JSON object instead of the summary.")
  private boolean json;

  @Override
  public Integer call() {
    RunSettings settings = RunSettings.of(values());
    PrintWriter err = Console.err(spec);
    ProgressReport progress = new ProgressReport(err);
    CorrelatorRun run = new CorrelatorRun(settings, progress);
    CountDownLatch ended = new CountDownLatch(1);
    Thread hook = new Thread(() -> stop(run, ended), "stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      RunSummary summary = run.execute();
      progress.close();
      print(summary);
      return summary.failures().isEmpty() ? ErrorReport.SUCCESS : ErrorReport.FAILED;
    } catch (CancellationException e) {
      progress.close();
      err.println(
          "starling: stopped; finished units are kept, and the same command continues from there");
      err.flush();
      return ErrorReport.FAILED;
    } finally {
      progress.close();
      ended.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // A signal is ending the program: the hook is what waits for the line above.
      }
    }
  }

  private static void stop(CorrelatorRun run, CountDownLatch ended) {
    run.cancel();
    try {
      ended.await(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void print(RunSummary summary) {
    PrintWriter target = Console.out(spec);
    if (json) {
      target.println(Json.text(summary.describe()));
    } else {
      SummaryText.print(summary, target);
    }
    target.flush();
  }

  /** The settings file, overridden by what the command line says. */
  private Map<SettingName, List<String>> values() {
    Map<SettingName, List<String>> values = new EnumMap<>(SettingName.class);
    if (settingsFile != null) {
      values.putAll(SettingsFile.read(settingsFile));
    }
    put(values, SettingName.DEFINITIONS, definitions);
    put(values, SettingName.DATA, data);
    put(values, SettingName.CONFIGURATIONS, configurations);
    put(values, SettingName.SOURCES, sources);
    put(values, SettingName.SEPARATIONS, separations);
    put(values, SettingName.OUT, out);
    device.putInto(values);
    put(values, SettingName.SHARD, shard);
    put(values, SettingName.OVERWRITE, overwrite ? "true" : null);
    put(values, SettingName.KEEP_GOING, keepGoing ? "true" : null);
    put(values, SettingName.READ_AHEAD, readAhead);
    return values;
  }

  static void put(Map<SettingName, List<String>> values, SettingName name, @Nullable String value) {
    put(values, name, value == null ? null : List.of(value));
  }

  private static void put(
      Map<SettingName, List<String>> values, SettingName name, @Nullable List<String> value) {
    if (value != null) {
      values.put(name, value);
    }
  }
}
