package org.starlingqcd.correlators.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.cli.option.DataOptionGroup;
import org.starlingqcd.correlators.inspection.DataCheck;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.data.DistillationFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code starling check}: tests data for wrong index orders, phases, spin bases and directions of
 * time.
 */
@Command(
    description = {
      "Tests data for wrong index orders, phases, spin bases and directions of time, most of which"
          + " gamma5-hermiticity and mesons at rest cannot see.",
      "The exit status is 2 when a test fails."
    })
public final class CheckCommand implements Callable<Integer> {
  private static final int CONFIGURATIONS = 4;

  @Parameters(
      paramLabel = "DATA",
      arity = "1..*",
      description = "Data of one ensemble: files, folders of them, or globs.")
  private List<String> paths = List.of();

  @Mixin private DataOptionGroup dataOptions = new DataOptionGroup();

  @Option(
      names = "--configurations",
      paramLabel = "LIST",
      description = "Configurations to use, such as 1,3,10-20 or all (default: the first four).")
  private @Nullable NumberSelection configurations;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    DataCheck check =
        DataCheck.of(selected(DistillationFiles.discover(dataOptions.request(paths))));
    output.print(check::describe, check::text);
    if (check.failed() > 0) {
      output.say(
          "starling: %s%s failed"
              .formatted(check.failed(), check.failed() == 1 ? " test" : " tests"));
      return ErrorReport.WRONG_INPUT;
    }
    return ErrorReport.SUCCESS;
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
      throw new InputException(
          String.format(
              "--configurations %s: the data have %s",
              wanted,
              NumberSelection.text(found.stream().map(c -> Math.toIntExact(c.number())).toList())));
    }
    return selected;
  }
}
