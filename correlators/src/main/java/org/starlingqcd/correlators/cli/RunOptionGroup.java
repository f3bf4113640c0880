package org.starlingqcd.correlators.cli;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.run.SettingName;
import org.starlingqcd.correlators.run.SettingsFile;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that say what a run is to do, for the commands that run one or have one run. */
final class RunOptionGroup {
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
      names = "--sources-at-once",
      paramLabel = "COUNT",
      description =
          "Sources of a configuration that are computed together: what lives on the sink alone is"
              + " made once for all of them, with more memory, and more is lost when a run is"
              + " killed. Default: 1.")
  private @Nullable String sourcesAtOnce;

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

  @Mixin private PlanOptionGroup planning = new PlanOptionGroup();

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

  /** The settings file, overridden by what the command line says. */
  Map<SettingName, List<String>> values() {
    Map<SettingName, List<String>> values = new EnumMap<>(SettingName.class);
    if (settingsFile != null) {
      values.putAll(SettingsFile.read(settingsFile));
    }
    put(values, SettingName.DEFINITIONS, definitions);
    put(values, SettingName.DATA, data);
    put(values, SettingName.CONFIGURATIONS, configurations);
    put(values, SettingName.SOURCES, sources);
    put(values, SettingName.SOURCES_AT_ONCE, sourcesAtOnce);
    put(values, SettingName.SEPARATIONS, separations);
    put(values, SettingName.OUT, out);
    device.putInto(values);
    planning.putInto(values);
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
