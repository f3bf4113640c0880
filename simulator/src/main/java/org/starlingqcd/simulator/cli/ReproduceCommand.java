package org.starlingqcd.simulator.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Output;
import org.starlingqcd.simulator.reproduce.PaperCheck;
import org.starlingqcd.simulator.reproduce.PaperRow;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code starling reproduce}: the numbers of a paper beside those of this program. */
@Command(
    description = {
      "Runs the workload of a paper through this program and prints the paper's numbers beside ours,"
          + " in less than a minute and without a GPU.",
      "Each row says whose figure it is: the paper prints it (paper), our own calculation gives it"
          + " (model), or a parameter is chosen by it (inferred). Rows differ where that is known;"
          + " times are measured and have no condition.",
      "The exit status is 1 when a row fails."
    })
final class ReproduceCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "PAPER",
      description = "memhc, softcache, semcache, stacked-dram or bag.")
  private String paper = "";

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    if (!PaperCheck.names().contains(paper)) {
      throw new InputException(
          "no paper is called '"
              + paper
              + "'; there are: "
              + String.join(", ", PaperCheck.names()));
    }
    List<PaperRow> rows;
    try (PaperCheck check = PaperCheck.of(paper)) {
      rows = check.rows();
      List<PaperRow> found = rows;
      output.write(
          () -> Map.of("rows", found.stream().map(PaperRow::describe).toList()),
          out -> print(check.title(), found, out));
    }
    boolean failed = rows.stream().anyMatch(row -> row.verdict() == PaperRow.Verdict.FAIL);
    return failed ? ErrorReport.FAILED : ErrorReport.SUCCESS;
  }

  private static void print(String title, List<PaperRow> rows, PrintWriter out) {
    out.printf("%s%n%n", title);
    int width = rows.stream().mapToInt(row -> row.quantity().length()).max().orElse(0);
    String format = "%-" + width + "s  %-8s  %-22s  %-22s  %-13s  %s%n";
    out.printf(format, "quantity", "whose", "figure", "ours", "allowed", "verdict");
    for (PaperRow row : rows) {
      out.printf(
          format,
          row.quantity(),
          row.whose().label(),
          text(row.figure()),
          text(row.ours()),
          row.allowed(),
          row.verdict().label() + (row.reason().isEmpty() ? "" : ": " + row.reason()));
    }
    out.println();
    for (PaperRow.Whose whose : PaperRow.Whose.values()) {
      List<String> counts = new ArrayList<>();
      for (PaperRow.Verdict verdict : PaperRow.Verdict.values()) {
        long count =
            rows.stream().filter(row -> row.whose() == whose && row.verdict() == verdict).count();
        counts.add(verdict.label() + " " + count);
      }
      out.printf("%-8s  %s%n", whose.label(), String.join(", ", counts));
    }
  }

  private static String text(@Nullable Object value) {
    if (value instanceof Double number) {
      return number == Math.rint(number)
          ? String.format(Locale.US, "%.0f", number)
          : String.format(Locale.US, "%.2f", number);
    }
    return value == null ? "-" : value.toString();
  }
}
