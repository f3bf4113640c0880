package org.starlingqcd.analysis.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.CorrelatorLoader;
import org.starlingqcd.analysis.CurrentData;
import org.starlingqcd.analysis.CurrentResult;
import org.starlingqcd.analysis.RealPhases;
import org.starlingqcd.analysis.exchange.Exporter;
import org.starlingqcd.correlators.cli.Console;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.result.ResultReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code starling export}: writes results in the formats of analysis programs. */
@Command(
    description = {
      "Writes results in the format of another program: one file for each correlation matrix, every"
          + " configuration averaged over its sources.",
      "Files of one definition are parts of one correlation matrix. The numbers of three-point functions"
          + " are written as they are."
    })
public final class ExportCommand implements Callable<Integer> {
  /** pyerrors refuses shorter chains. */
  private static final int SHORTEST_CHAIN = 5;

  @Parameters(paramLabel = "RESULT", arity = "1..*", description = "Result files of one ensemble.")
  private List<Path> files = List.of();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      required = true,
      description = "The format: ${COMPLETION-CANDIDATES}.")
  private Exporter.Format format = Exporter.Format.CSV;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder to write to (default: the working directory).")
  private Path out = Path.of("");

  @Option(
      names = "--complex",
      description =
          "Write the numbers as they are. Without it operators are multiplied by i where that makes the"
              + " whole matrix real on average.")
  private boolean complex;

  @Mixin private SelectionOptionGroup selection = new SelectionOptionGroup();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (files.stream().anyMatch(CurrentResult::isOne)) {
      for (CurrentData data : CurrentResult.load(files, selection.selection(), List.of())) {
        Console.out(spec).println("wrote " + Exporter.write(out, format, Exporter.Export.of(data)));
        warn(data.name(), data.configurations().size(), false);
      }
      Console.out(spec).flush();
      return ErrorReport.SUCCESS;
    }
    List<CorrelatorData> all = CorrelatorLoader.load(files, selection.selection());
    Map<String, String> definitions = new LinkedHashMap<>();
    for (Path file : files) {
      try (ResultReader reader = ResultReader.open(file)) {
        definitions.putIfAbsent(reader.header().name(), reader.header().definition());
      }
    }
    for (CorrelatorData read : all) {
      CorrelatorData data = complex ? read : RealPhases.multiply(read);
      Exporter.Export export = Exporter.Export.of(data, definitions.getOrDefault(data.name(), ""));
      Path written = Exporter.write(out, format, export);
      Console.out(spec).println("wrote " + written);
      tell(read);
      warn(data.name(), data.configurations().size(), data.hasOnePointFunctions());
    }
    Console.out(spec).flush();
    return ErrorReport.SUCCESS;
  }

  /** Says which operators are no longer those of the result. */
  private void tell(CorrelatorData read) {
    List<String> turned = new ArrayList<>();
    for (int i = 0; i < read.size(); i++) {
      if (read.conjugation().get(i) == -1) {
        turned.add(read.operators().get(i));
      }
    }
    // A factor that all operators have cancels in the matrix.
    boolean seen = turned.size() < read.size() || read.hasOnePointFunctions();
    if (!complex && seen && !turned.isEmpty()) {
      Console.out(spec).println(read.name() + ": multiplied by i: " + String.join(", ", turned));
    }
  }

  private void warn(String name, int count, boolean onePoint) {
    String warning = "";
    if (format == Exporter.Format.PYERRORS && count < SHORTEST_CHAIN) {
      warning =
          "pyerrors refuses chains of fewer than %s configurations, and there are %s"
              .formatted(SHORTEST_CHAIN, count);
    } else if (format == Exporter.Format.SIGMOND && onePoint) {
      warning = "one-point functions are not written for sigmond, so it cannot subtract the vacuum";
    }
    if (!warning.isEmpty()) {
      Console.err(spec).println("starling: warning: " + name + ": " + warning);
    }
  }
}
