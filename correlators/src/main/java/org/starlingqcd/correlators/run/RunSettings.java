package org.starlingqcd.correlators.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.cli.option.DataOptionGroup;
import org.starlingqcd.correlators.cli.option.DefinitionsAmongData;
import org.starlingqcd.correlators.cli.option.HelpSection;
import org.starlingqcd.correlators.cli.option.KnownNames;
import org.starlingqcd.correlators.cli.option.PlanOptionGroup;
import org.starlingqcd.correlators.cli.option.WholeNumber;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.hadron.data.DataRequest;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What a run is to do: everything that a user sets. This is the one declaration of the settings:
 * picocli fills the fields, and a settings file has the names of the options as its keys. Nobody
 * changes the fields once the run has begun.
 */
public final class RunSettings {
  /** The name under which commands mix these options in. */
  public static final String NAME = "run";

  /** The folder of the results unless the user names one. */
  public static final String OUT = "results";

  /** Separates the entries of a settings file's list; no path on a command line has it. */
  private static final String LINE = "\n";

  private static final String SAMPLED = "sampled";
  private static final String ELEMENTALS = "elementals";

  @Parameters(
      paramLabel = "DEFINITION...",
      arity = "0..*",
      split = LINE,
      hideParamSyntax = true,
      completionCandidates = KnownNames.OfDefinitions.class,
      description = "Definition files, or names of definitions that come with the program.")
  public List<String> definitions = List.of();

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
          "Read settings of the run from this YAML file. Options on the command line take"
              + " precedence.")
  @SuppressWarnings("UnusedVariable") // declared for the help; SettingsFile finds its value
  private @Nullable Path settingsFile;

  @Option(
      names = "--configurations",
      paramLabel = "LIST",
      description = "Configurations, such as 1,3,10-20. Default: ${DEFAULT-VALUE}.")
  public NumberSelection configurations = NumberSelection.ALL;

  @Option(
      names = "--sources",
      paramLabel = "LIST",
      description = "Source times, such as 0,4, or all. Default: ${DEFAULT-VALUE}.")
  public NumberSelection sources = NumberSelection.parse("0");

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--sources-at-once",
      paramLabel = "COUNT",
      converter = WholeNumber.FromOne.class,
      description =
          "Compute this many sources of a configuration together. Parts that depend only on the"
              + " sink are then built once for all of them. This takes more memory, and a run that"
              + " is killed loses more work. Default: ${DEFAULT-VALUE}.")
  public int sourcesAtOnce = 1;

  @Option(
      names = "--separations",
      paramLabel = "LIST",
      description = "Separations, such as 0-7. Default: ${DEFAULT-VALUE}, which is 0 to T - 1.")
  public NumberSelection separations = NumberSelection.ALL;

  @Option(
      names = "--insertion-separations",
      paramLabel = "LIST",
      description =
          "Separations of currents from the source in three-point functions, such as 0-7. Default:"
              + " ${DEFAULT-VALUE} for which the data have everything, and likewise for their"
              + " --separations.")
  public NumberSelection insertionSeparations = NumberSelection.ALL;

  @Option(
      names = "--tetraquarks",
      paramLabel = "elementals|sampled",
      description =
          "Take elementals of tetraquarks from the data, or estimate them from sampled positions."
              + " Default: elementals, where the data have some.")
  private @Nullable String tetraquarks;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the results. Default: ${DEFAULT-VALUE}.")
  public Path out = Path.of(OUT);

  @Mixin public DeviceSettings device = new DeviceSettings();

  @Mixin private PlanOptionGroup planning = new PlanOptionGroup();

  @Option(
      names = "--shard",
      paramLabel = "K/N",
      description =
          "Compute only part K of N and write it to a file of its own; `starling merge` joins the"
              + " parts.")
  public @Nullable Shard shard;

  @Option(
      names = "--overwrite",
      fallbackValue = "true",
      description = "Discard existing results, even those of another definition.")
  public boolean overwrite;

  @Option(
      names = "--allow-changed-data",
      fallbackValue = "true",
      description =
          "Go on with a configuration whose data have changed since units of it were computed.")
  boolean allowChangedData;

  @Option(
      names = "--keep-noises",
      fallbackValue = "true",
      description =
          "Keep correlators of each window of noises too, of definitions with noise_subsets.")
  public boolean keepNoises;

  @Option(
      names = "--keep-going",
      fallbackValue = "true",
      description = "Skip configurations whose data are damaged. The next run tries them again.")
  public boolean keepGoing;

  @Option(
      names = "--strict",
      fallbackValue = "true",
      description =
          "Refuse a range of --configurations if data of some of them are missing. Default: compute"
              + " those that are there, and say which are not.")
  boolean strict;

  @Mixin public InputSettings input = new InputSettings();

  /** Settings of a run of some definitions on some data, with the defaults of all others. */
  public static RunSettings of(List<String> definitions, List<String> data, Path out) {
    RunSettings settings = new RunSettings();
    settings.definitions = List.copyOf(definitions);
    settings.data = data.stream().map(Path::of).toList();
    settings.out = out;
    return settings;
  }

  /** These settings for data that options say more about. */
  public RunSettings with(DataOptionGroup options) {
    dataOptions = options;
    return this;
  }

  /**
   * Checks values that picocli takes as they are.
   *
   * @throws InputException when one is wrong, or there is no definition or no data
   */
  public RunSettings checked() {
    DataRequest request = data();
    device.cache();
    input.check();
    planning.settings();
    if (tetraquarks != null && !List.of(ELEMENTALS, SAMPLED).contains(tetraquarks)) {
      throw InputException.of(
          "--tetraquarks: expected elementals or sampled, found '%s'", tetraquarks);
    }
    if (definitions.isEmpty()) {
      throw new InputException(
          "no definitions given; name at least one, such as rho_pipi (`starling definitions` lists"
              + " those that come with the program)");
    }
    if (request.paths().isEmpty()) {
      throw new InputException("no data given; name files, folders or globs with --data");
    }
    return this;
  }

  /** The distillation data. */
  public DataRequest data() {
    return dataOptions.request(data.stream().map(Path::toString).toList());
  }

  /** How the contractions are planned. */
  public PlanSettings planning() {
    return planning.settings();
  }

  /** One unit of the run in a given precision, with its results in another folder. */
  public RunSettings unit(int configuration, int source, Path folder, Precision precision) {
    RunSettings unit = new RunSettings();
    unit.definitions = definitions;
    unit.data = data;
    unit.dataOptions = dataOptions;
    unit.configurations = NumberSelection.of(List.of(configuration));
    unit.sources = NumberSelection.of(List.of(source));
    unit.separations = separations;
    unit.insertionSeparations = insertionSeparations;
    unit.tetraquarks = tetraquarks;
    unit.keepNoises = keepNoises;
    unit.out = folder;
    unit.device = device.in(precision);
    unit.input = input;
    unit.planning = planning;
    return unit;
  }

  /** The settings as they are written in a settings file, in its order. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    DataRequest request = data();
    map.put("definitions", definitions);
    map.put("data", request.paths());
    List<String> labels = new ArrayList<>();
    new TreeMap<>(request.labels()).forEach((old, label) -> labels.add(old + "=" + label));
    put(map, "labels", String.join(",", labels), "");
    put(map, "mapping", request.mapping(), null);
    map.put("configurations", configurations.toString());
    map.put("sources", sources.toString());
    put(map, "sources_at_once", sourcesAtOnce, 1);
    map.put("separations", separations.toString());
    put(map, "insertion_separations", insertionSeparations, NumberSelection.ALL);
    put(map, "tetraquarks", tetraquarks, null);
    map.put("out", out.toString());
    device.describe(map);
    put(map, "shard", shard, null);
    map.put("keep_going", keepGoing);
    put(map, "allow_changed_data", allowChangedData, false);
    put(map, "keep_noises", keepNoises, false);
    put(map, "strict", strict, false);
    input.describe(map);
    map.putAll(planning().describe());
    return map;
  }

  /** Whether positions of tetraquarks are sampled; null for what the data have. */
  @Nullable Boolean sampled() {
    return tetraquarks == null ? null : tetraquarks.equals(SAMPLED);
  }

  /** Adds a setting, unless it has its default. */
  static void put(
      Map<String, Object> map, String key, @Nullable Object value, @Nullable Object unset) {
    if (value != null && !Objects.equals(value, unset)) {
      map.put(key, value instanceof Number || value instanceof Boolean ? value : value.toString());
    }
  }
}
