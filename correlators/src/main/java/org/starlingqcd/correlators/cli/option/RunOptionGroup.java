package org.starlingqcd.correlators.cli.option;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.correlators.run.Shard;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The options that describe a run. They are the one declaration of its settings: {@link
 * SettingsFile} derives the keys of a settings file from them.
 */
public final class RunOptionGroup {
  /** The name under which commands mix these options in. */
  public static final String NAME = "run";

  /** Separates the entries of a settings file's list; no path on a command line has it. */
  private static final String LINE = "\n";

  @Parameters(
      paramLabel = "DEFINITION...",
      arity = "0..*",
      split = LINE,
      hideParamSyntax = true,
      completionCandidates = KnownNames.OfDefinitions.class,
      description = "Definition files, or names of definitions that come with the program.")
  private List<String> definitions = List.of();

  @Option(
      names = "--data",
      paramLabel = "PATH...",
      arity = "1..*",
      split = LINE,
      hideParamSyntax = true,
      preprocessor = DefinitionsAmongData.class,
      description =
          "Files, folders or globs of distillation data, of Starling or of other programs.")
  private List<Path> data = List.of();

  @Mixin private DataOptionGroup dataOptions = new DataOptionGroup();

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description =
          "Read settings of the run from this YAML file. Options on the command line take precedence.")
  @SuppressWarnings("UnusedVariable") // declared for the help; SettingsFile finds its value
  private @Nullable Path settingsFile;

  @Option(
      names = "--configurations",
      paramLabel = "LIST",
      description = "Configurations, such as 1,3,10-20. Default: ${DEFAULT-VALUE}.")
  private NumberSelection configurations = NumberSelection.ALL;

  @Option(
      names = "--sources",
      paramLabel = "LIST",
      description = "Source times, such as 0,4, or all. Default: ${DEFAULT-VALUE}.")
  private NumberSelection sources = NumberSelection.parse("0");

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--sources-at-once",
      paramLabel = "COUNT",
      converter = WholeNumber.FromOne.class,
      description =
          "Compute this many sources of a configuration together. Parts that depend only on the sink"
              + " are then built once for all of them. This takes more memory, and a run that is"
              + " killed loses more work. Default: ${DEFAULT-VALUE}.")
  private int sourcesAtOnce = 1;

  @Option(
      names = "--separations",
      paramLabel = "LIST",
      description = "Separations, such as 0-7. Default: ${DEFAULT-VALUE}, which is 0 to T - 1.")
  private NumberSelection separations = NumberSelection.ALL;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the results. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("results");

  @Mixin private DeviceOptionGroup device = new DeviceOptionGroup();

  @Mixin private PlanOptionGroup planning = new PlanOptionGroup();

  @Option(
      names = "--shard",
      paramLabel = "K/N",
      description =
          "Compute only part K of N and write it to a file of its own; `starling merge` joins the"
              + " parts.")
  private @Nullable Shard shard;

  @Option(
      names = "--overwrite",
      fallbackValue = "true",
      description = "Discard existing results, even those of another definition.")
  private boolean overwrite;

  @Option(
      names = "--keep-going",
      fallbackValue = "true",
      description = "Skip configurations whose data are damaged. The next run tries them again.")
  private boolean keepGoing;

  @Mixin private InputOptionGroup input = new InputOptionGroup();

  /** The settings that were given, and the defaults of the others. */
  public RunSettings settings() {
    return new RunSettings(
        definitions,
        dataOptions.request(data.stream().map(Path::toString).toList()),
        configurations,
        sources,
        sourcesAtOnce,
        separations,
        out,
        device.settings(),
        shard,
        overwrite,
        keepGoing,
        input.settings(),
        planning.settings());
  }
}
