package org.starlingqcd.analysis.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.ResultAverage;
import org.starlingqcd.analysis.SelectionSettings;
import org.starlingqcd.analysis.Table;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code starling average}: averages results that are equal by symmetry. */
@Command(
    description = {
      "Averages results of two-point functions that are equal by symmetry into one result: rows of an"
          + " irrep, directions of a momentum (definitions with orientation), parity partners of a"
          + " baryon at rest at reflected times.",
      "Refuses results that do not belong together, and says by how much members differ."
    })
public final class AverageCommand extends ResultCommand {
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
      names = "--comparisons",
      paramLabel = "FILE",
      description = "Write the differences of members to this HDF5 file.")
  private @Nullable Path comparisons;

  @Mixin private ResultAverage.Settings options = new ResultAverage.Settings();

  @Mixin private SelectionSettings selection = new SelectionSettings();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    rejectIf(
        !out.toString().matches("(.*[/\\\\])?[A-Za-z0-9_-]+\\.h5"),
        "--out must end with a name of letters, digits, _ and - and .h5, not " + out);
    ResultAverage.Report report =
        ResultAverage.write(files, selection.checked(), options, out, overwrite);
    if (comparisons != null) {
      report.comparisons().write(comparisons);
    }
    if (json) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("result", report.file().toString());
      map.put("average_of", report.members());
      map.put("folded", options.fold);
      map.put("units", report.units());
      map.put("comparisons", report.comparisons().json());
      out().println(Json.text(map));
    } else {
      out()
          .printf(
              Locale.US,
              "%s: %d units, average of %s%s%n%s",
              report.file(),
              report.units(),
              String.join(", ", report.members()),
              options.fold ? ", t folded with T - t" : "",
              Table.text(List.of(report.comparisons())));
    }
    out().flush();
    report.doubtful().forEach(this::warn);
    return ErrorReport.SUCCESS;
  }
}
