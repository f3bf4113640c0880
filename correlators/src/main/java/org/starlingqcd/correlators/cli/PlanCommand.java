package org.starlingqcd.correlators.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.plan.DataTraits;
import org.starlingqcd.correlators.plan.PlanComparison;
import org.starlingqcd.correlators.plan.PlanReport;
import org.starlingqcd.correlators.plan.PlanSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
      names = "--device-memory",
      paramLabel = "SIZE",
      description = {
        "Show what the contractions would do with so much device memory, as 4GiB, or 25%% of what",
        "they need at most: which are cut into slices, evictions and traffic."
      })
  private @Nullable MemorySize deviceMemory;

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
      names = "--save",
      paramLabel = "FILE",
      description = "Keep the plan in a file, for --plan of `plan` and `run`.")
  private @Nullable Path save;

  @Mixin private PlanOptionGroup planning = new PlanOptionGroup();

  @Option(
      names = "--without-gamma5",
      paramLabel = "LIST",
      description = {
        "Perambulator labels whose data have no gamma5-hermiticity; a run knows that from its data,",
        "and a plan saved for it has to."
      })
  private @Nullable String withoutGamma5;

  @Option(
      names = "--mixed-components",
      description = {
        "Plan for data whose spin basis mixes the two components of a baryon; a run knows that from",
        "its data, and a plan saved for it has to."
      })
  private boolean mixedComponents;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    if (tensorSize < 1 || tensorSize > 1 << 14) {
      throw new InputException("--tensor-size must be >= 1 && <= 16384: " + tensorSize);
    }
    List<Definition> loaded = new DefinitionLoader().loadAll(definitions);
    PlanSettings settings = planning.settings();
    DataTraits data =
        new DataTraits(
            withoutGamma5 == null ? Set.of() : new TreeSet<>(List.of(withoutGamma5.split(",", -1))),
            mixedComponents);
    PlanReport together = PlanReport.of(loaded, tensorSize, settings, data);
    List<Map<String, Object>> reports = new ArrayList<>();
    if (loaded.size() > 1 && settings.file() == null) {
      for (Definition one : loaded) {
        DataTraits its = data.noticedBy(one);
        reports.add(PlanReport.of(List.of(one), tensorSize, settings, its).describe());
      }
    }
    Map<String, Object> all = together.describe();
    if (deviceMemory != null) {
      all.put("memory", together.memory(deviceMemory));
    }
    if (compare) {
      all.put("comparison", new PlanComparison(together).describe());
    }
    write("--dot", dot, together::dot);
    write("--save", save, together::saved);
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
      report.forEach((key, value) -> print("", key, value, out));
      out.println();
    }
  }

  /** One line for each value; those of a map stand beneath its key. */
  private static void print(String indent, String key, Object value, PrintWriter out) {
    String name = indent + key.replace('_', ' ');
    if (value instanceof Map<?, ?> map) {
      out.println(name);
      map.forEach((inner, its) -> print(indent + "  ", String.valueOf(inner), its, out));
      return;
    }
    String shown =
        value instanceof Double number ? String.format(Locale.ROOT, "%.4g", number) : "" + value;
    out.printf("%-34s %s%n", name, shown);
  }
}
