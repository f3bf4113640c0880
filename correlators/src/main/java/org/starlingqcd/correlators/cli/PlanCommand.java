package org.starlingqcd.correlators.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.run.PlanDetails;
import org.starlingqcd.correlators.run.PlanReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code starling plan}: what a run would do, without data. */
@Command(
    name = "plan",
    description = {
      "Shows what a run would do for one source and one separation, without data.",
      "Several definitions are planned each on its own and all together, as a run does."
    })
public final class PlanCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "DEFINITION",
      arity = "1..*",
      description = "Definitions: files, or names of those that come with the program.")
  private List<String> definitions = List.of();

  @Option(
      names = "--tensor-size",
      paramLabel = "N",
      defaultValue = "128",
      description = "Eigenvectors that flops and bytes are reckoned with. Default: 128.")
  private int tensorSize;

  @Option(
      names = "--dot",
      paramLabel = "FILE",
      description = "Draw the contraction graphs into a file for Graphviz.")
  private @Nullable Path dot;

  @Option(
      names = "--compare",
      description = {
        "Show what each optimization saves, what each order of the contractions needs (at a",
        "quarter of the peak of the given order), and a lower bound for the products."
      })
  private boolean compare;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw one diagram into a file as a picture.")
  private @Nullable Path svg;

  @Option(
      names = "--diagram",
      paramLabel = "K",
      defaultValue = "1",
      description = "The diagram that --svg draws, from 1. Default: 1.")
  private int diagram;

  @Option(names = "--save", paramLabel = "FILE", description = "Keep the plan in a file.")
  private @Nullable Path save;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    if (tensorSize < 1 || tensorSize > 1 << 14) {
      throw new InputException("--tensor-size must be >= 1 && <= 16384: " + tensorSize);
    }
    List<Definition> loaded = new DefinitionLoader().loadAll(definitions);
    PlanReport together = PlanReport.of(loaded, tensorSize);
    List<Map<String, Object>> reports = new ArrayList<>();
    if (loaded.size() > 1) {
      loaded.forEach(one -> reports.add(PlanReport.of(List.of(one), tensorSize).describe()));
    }
    Map<String, Object> all = together.describe();
    PlanDetails details = new PlanDetails(loaded);
    if (compare) {
      all.put("comparison", details.comparison(tensorSize));
    }
    write("--dot", dot, together::dot);
    write("--svg", svg, () -> details.svg(diagram));
    write("--save", save, details::saved);
    PrintWriter out = Console.out(spec);
    if (json) {
      if (!reports.isEmpty()) {
        all.put("separately", reports);
      }
      out.println(Json.text(all));
    } else {
      reports.add(all);
      print(reports, out);
    }
    return ErrorReport.SUCCESS;
  }

  private static void write(String option, @Nullable Path file, Supplier<String> text) {
    if (file != null) {
      try {
        Files.writeString(file, text.get());
      } catch (IOException e) {
        throw new InputException(option + " " + file + ": cannot be written: " + e.getMessage(), e);
      }
    }
  }

  private static void print(List<Map<String, Object>> reports, PrintWriter out) {
    for (Map<String, Object> report : reports) {
      report.forEach(
          (key, value) -> {
            String shown =
                value instanceof Double number
                    ? String.format(Locale.ROOT, "%.4g", number)
                    : "" + value;
            out.printf("%-18s %s%n", key.replace('_', ' '), shown);
          });
      out.println();
    }
  }
}
