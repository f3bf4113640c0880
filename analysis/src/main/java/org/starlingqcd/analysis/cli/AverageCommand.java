package org.starlingqcd.analysis.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.ResultAverage;
import org.starlingqcd.correlators.cli.Console;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code starling average}: averages results that are equal by symmetry. */
@Command(
    description = {
      "Averages results of two-point functions that are equal by symmetry into one result: rows of an"
          + " irrep, directions of a momentum (definitions with orientation), parity partners of a"
          + " baryon at rest at reflected times.",
      "Refuses results that do not belong together, and says by how much members differ."
    })
public final class AverageCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RESULT", arity = "1..*", description = "Result files of one ensemble.")
  private List<Path> files = List.of();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      description = "The result to write, such as results/rho.h5; it is named like the file.")
  private Path out = Path.of("");

  @Option(names = "--overwrite", description = "Replace an existing file.")
  private boolean overwrite;

  @Option(
      names = "--fold",
      description =
          "Also average t with T - t, with the sign that the operators have; mesons only.")
  private boolean fold;

  @Option(
      names = "--periodic",
      description =
          "Quarks are periodic in time, for parity partners (default: they are antiperiodic).")
  private boolean periodic;

  @Mixin private SelectionOptionGroup selection = new SelectionOptionGroup();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (!out.toString().matches("(.*[/\\\\])?[A-Za-z0-9_-]+\\.h5")) {
      throw new ParameterException(
          Objects.requireNonNull(spec, "picocli sets it").commandLine(),
          "--out must end with a name of letters, digits, _ and - and .h5, not " + out);
    }
    ResultAverage.Report report =
        ResultAverage.write(
            files,
            selection.selection(),
            new ResultAverage.Options(fold, !periodic),
            out,
            overwrite);
    if (json) {
      Console.out(spec)
          .println(
              Json.text(
                  Map.of(
                      "result", report.file().toString(),
                      "average_of", report.members(),
                      "folded", report.folded(),
                      "units", report.units(),
                      "comparisons",
                          report.comparisons().stream().map(AverageCommand::describe).toList())));
    } else {
      Console.out(spec)
          .printf(
              Locale.ROOT,
              "%s: %d units, average of %s%s%n",
              report.file(),
              report.units(),
              String.join(", ", report.members()),
              report.folded() ? ", t folded with T - t" : "");
      for (ResultAverage.Comparison one : report.comparisons()) {
        Console.out(spec)
            .printf(
                Locale.ROOT,
                "  %s, %s: differs from the others by chi2/dof = %.1f/%d, p = %.2g%n",
                one.member(),
                one.operator(),
                one.chiSquared(),
                one.degrees(),
                one.probability());
      }
    }
    Console.out(spec).flush();
    for (ResultAverage.Comparison one : report.doubtful()) {
      Console.err(spec)
          .printf(
              Locale.ROOT,
              "starling: warning: %s, operator %s: differs from the others by more than its errors"
                  + " allow: chi2/dof = %.1f/%d, p = %.2g%n",
              one.member(),
              one.operator(),
              one.chiSquared(),
              one.degrees(),
              one.probability());
    }
    return ErrorReport.SUCCESS;
  }

  private static Map<String, Object> describe(ResultAverage.Comparison one) {
    return Map.of(
        "member", one.member(),
        "operator", one.operator(),
        "chi_squared", one.chiSquared(),
        "degrees_of_freedom", one.degrees(),
        "p", one.probability());
  }
}
