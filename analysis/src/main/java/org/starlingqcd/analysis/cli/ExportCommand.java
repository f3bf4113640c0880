package org.starlingqcd.analysis.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.CurrentData;
import org.starlingqcd.analysis.RealPhases;
import org.starlingqcd.analysis.SelectionSettings;
import org.starlingqcd.analysis.exchange.Exporter;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.result.ResultReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code starling export}: writes results in the formats of analysis programs. */
@Command(
    description = {
      "Writes results in the format of another program: one file for each correlation matrix, every"
          + " configuration averaged over its sources.",
      "Files of one definition are parts of one correlation matrix. The numbers of three-point functions"
          + " are written as they are."
    })
public final class ExportCommand extends ResultCommand {
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

  @Mixin private SelectionSettings selection = new SelectionSettings();

  @Override
  public Integer call() {
    if (files.stream().anyMatch(CurrentData::isOne)) {
      for (CurrentData data : CurrentData.load(files, selection.checked(), List.of())) {
        write(Exporter.Export.of(data), false);
      }
      return ErrorReport.SUCCESS;
    }
    List<CorrelatorData> all = CorrelatorData.load(files, selection.checked());
    Map<String, String> definitions = new LinkedHashMap<>();
    for (Path file : files) {
      try (ResultReader reader = ResultReader.open(file)) {
        definitions.putIfAbsent(reader.header().name(), reader.header().definition());
      }
    }
    for (CorrelatorData read : all) {
      CorrelatorData data = complex ? read : RealPhases.multiply(read);
      String definition = definitions.getOrDefault(data.name(), "");
      write(Exporter.Export.of(data, definition), data.hasOnePointFunctions());
      tell(read);
    }
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
      out().println(read.name() + ": multiplied by i: " + String.join(", ", turned));
    }
  }

  private void write(Exporter.Export export, boolean onePoint) {
    out().println("wrote " + Exporter.write(out, format, export));
    int count = export.correlators().get(0).configurations().size();
    if (format == Exporter.Format.PYERRORS && count < SHORTEST_CHAIN) {
      warn(
          "%s: pyerrors refuses chains of fewer than %s configurations, and there are %s"
              .formatted(export.name(), SHORTEST_CHAIN, count));
    } else if (format == Exporter.Format.SIGMOND && onePoint) {
      warn(
          export.name()
              + ": one-point functions are not written for sigmond, so it cannot subtract the"
              + " vacuum");
    }
  }
}
