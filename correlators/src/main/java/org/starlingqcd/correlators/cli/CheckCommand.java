package org.starlingqcd.correlators.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.TemporaryFolder;
import org.starlingqcd.correlators.cli.option.DataOptionGroup;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.inspection.CurrentCheck;
import org.starlingqcd.correlators.inspection.DataCheck;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunListener;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.hadron.data.DistillationFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code starling check}: tests data for wrong index orders, phases, spin bases and directions of
 * time, or three-point functions against two-point functions.
 */
@Command(
    description = {
      "Tests data for wrong index orders, phases, spin bases and directions of time, most of which"
          + " gamma5-hermiticity and mesons at rest cannot see.",
      "With --three-point it tests three-point functions instead: their connected parts must be"
          + " what two-point functions with changed perambulators give.",
      "The exit status is 2 when a test of data fails, and 1 when three-point functions differ."
    })
public final class CheckCommand implements Callable<Integer> {
  private static final int CONFIGURATIONS = 4;

  @Parameters(
      paramLabel = "DATA",
      arity = "0..*",
      description = "Data of one ensemble: files, folders of them, or globs.")
  private List<String> paths = List.of();

  @Option(
      names = "--data",
      paramLabel = "PATH",
      arity = "1..*",
      hideParamSyntax = true,
      description = "The same as DATA.")
  private List<String> data = List.of();

  @Mixin private DataOptionGroup dataOptions = new DataOptionGroup();

  @Option(
      names = "--configurations",
      paramLabel = "LIST",
      description = "Configurations to use, such as 1,3,10-20 or all (default: the first four).")
  private @Nullable NumberSelection configurations;

  @Option(
      names = "--three-point",
      paramLabel = "DEFINITION",
      description =
          "Test these three-point functions: a definition, which is computed first, or the file of"
              + " a result.")
  private @Nullable String threePoint;

  @Option(
      names = "--sources",
      paramLabel = "LIST",
      description =
          "Source times of three-point functions, such as 0,4. Default: 0, or those of the result.")
  private @Nullable NumberSelection sources;

  @Option(
      names = "--separations",
      paramLabel = "LIST",
      description =
          "Separations of three-point functions. Default: all for which the data have everything,"
              + " or those of the result.")
  private NumberSelection separations = NumberSelection.ALL;

  @Option(
      names = "--insertion-separations",
      paramLabel = "LIST",
      description =
          "Insertion separations of three-point functions to test. Default: all that there are.")
  private NumberSelection insertionSeparations = NumberSelection.ALL;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    List<String> all = Stream.concat(paths.stream(), data.stream()).toList();
    if (all.isEmpty()) {
      throw new InputException("no data given; name files, folders or globs");
    }
    List<DistillationFiles.Configuration> found =
        selected(DistillationFiles.discover(dataOptions.request(all)));
    String name = threePoint;
    DataCheck check = name == null ? DataCheck.of(found) : threePoint(name, all, found);
    output.print(check::describe, check::text);
    if (check.failed() > 0) {
      output.say(
          "starling: %s%s failed"
              .formatted(check.failed(), check.failed() == 1 ? " test" : " tests"));
      return name == null ? ErrorReport.WRONG_INPUT : ErrorReport.FAILED;
    }
    return ErrorReport.SUCCESS;
  }

  private DataCheck threePoint(
      String name, List<String> all, List<DistillationFiles.Configuration> found) {
    if (name.endsWith(".h5")) {
      return compare(Path.of(name), found, sources == null ? NumberSelection.ALL : sources);
    }
    AnyDefinition definition = new DefinitionLoader().loadAny(name);
    if (!(definition instanceof CurrentDefinition)) {
      throw new InputException(
          definition.origin() + ": --three-point needs three-point functions, with insertions");
    }
    try (TemporaryFolder folder = TemporaryFolder.of("starling-check-")) {
      RunSettings settings =
          RunSettings.of(List.of(name), all, folder.path()).with(dataOptions).checked();
      settings.configurations =
          NumberSelection.of(found.stream().map(c -> Math.toIntExact(c.number())).toList());
      settings.sources = sources == null ? settings.sources : sources;
      settings.separations = separations;
      settings.insertionSeparations = insertionSeparations;
      new CorrelatorRun(settings, RunListener.NONE).execute();
      Path result = folder.path().resolve(definition.name() + ".h5");
      return compare(result, found, NumberSelection.ALL);
    }
  }

  private DataCheck compare(
      Path result, List<DistillationFiles.Configuration> found, NumberSelection some) {
    try (ResultReader reader = ResultReader.open(result)) {
      return CurrentCheck.of(reader, found, some, insertionSeparations);
    }
  }

  private List<DistillationFiles.Configuration> selected(
      List<DistillationFiles.Configuration> found) {
    NumberSelection wanted = configurations;
    if (wanted == null) {
      return found.subList(0, Math.min(CONFIGURATIONS, found.size()));
    }
    List<DistillationFiles.Configuration> selected =
        found.stream()
            .filter(configuration -> wanted.contains(Math.toIntExact(configuration.number())))
            .toList();
    if (selected.isEmpty()) {
      throw InputException.of(
          "--configurations %s: the data have %s",
          wanted,
          NumberSelection.text(found.stream().map(c -> Math.toIntExact(c.number())).toList()));
    }
    return selected;
  }
}
