package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    DataCheck check =
        DataCheck.of(selected(DistillationFiles.discover(dataOptions.request(paths))));
    PrintWriter out = Console.out(spec);
    if (json) {
      out.println(Json.text(check.describe()));
    } else {
      out.print(check.text());
    }
    out.flush();
    if (check.failed() > 0) {
      Console.err(spec)
          .println(
              "starling: "
                  + check.failed()
                  + (check.failed() == 1 ? " test" : " tests")
                  + " failed");
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
          "--configurations "
              + wanted
              + ": the data have "
              + NumberSelection.text(
                  found.stream().map(c -> Math.toIntExact(c.number())).toList()));
    }
    return selected;
  }
}
