package org.starlingqcd.analysis.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.AnalysisSettings;
import org.starlingqcd.analysis.CorrelatorAnalysis;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.LevelTable;
import org.starlingqcd.analysis.SelectionSettings;
import org.starlingqcd.analysis.Table;
import org.starlingqcd.analysis.exchange.Exporter;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code starling levels}: a table of finite-volume energies. */
@Command(
    description = {
      "Fits the energies of results, boosts them to the rest frame and lists them by irrep, momentum"
          + " and level, with the momentum k of two hadrons.",
      "Solves no quantization condition."
    })
public final class LevelsCommand extends ResultCommand {
  @Parameters(paramLabel = "RESULT", arity = "1..*", description = "Result files of one ensemble.")
  private List<Path> files = List.of();

  @Mixin private LevelOptionGroup levels = new LevelOptionGroup();

  @Option(
      names = "--t0",
      paramLabel = "DT",
      description =
          "Solve the generalized eigenvalue problem of matrices, auto for the t0 that the data allow;"
              + " without it each operator is a level.")
  private @Nullable String t0;

  @Option(
      names = "--bin",
      paramLabel = "COUNT",
      description = "Neighbouring configurations in one bin (default: ${DEFAULT-VALUE}).")
  private int bin = 1;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write the levels with all samples to this HDF5 file.")
  private @Nullable Path out;

  @Option(
      names = "--pyerrors",
      paramLabel = "FILE",
      description = "Write them as Obs of pyerrors (.json.gz).")
  private @Nullable Path pyerrors;

  @Option(names = "--gvar", paramLabel = "FILE", description = "Write them for gvar.dataset (.h5).")
  private @Nullable Path gvar;

  @Mixin private SelectionSettings selection = new SelectionSettings();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    AnalysisSettings options = new AnalysisSettings();
    options.binSize = bin;
    options.t0 = t0;
    options.fit = true;
    checkLevels(options);
    List<CorrelatorAnalysis> analyses = new ArrayList<>();
    for (CorrelatorData data : CorrelatorData.load(files, selection.checked())) {
      analyses.add(CorrelatorAnalysis.of(data, options));
    }
    LevelTable table = levels.levels(this, analyses, files, selection.checked(), options);
    List<Path> written = new ArrayList<>();
    if (out != null) {
      table.write(out);
      written.add(out);
    }
    CorrelatorAnalysis first = analyses.get(0);
    if (pyerrors != null) {
      Exporter.writeSamples(pyerrors, Exporter.Format.PYERRORS, first.head(), table.named());
      written.add(pyerrors);
    }
    if (gvar != null) {
      Exporter.writeSamples(gvar, Exporter.Format.GVAR, first.head(), table.named());
      written.add(gvar);
    }
    out()
        .print(
            json ? Json.text(table.json()) + System.lineSeparator() : Table.text(table.tables()));
    if (!json) {
      written.forEach(file -> out().println("wrote " + file));
    }
    out().flush();
    warn(analyses);
    return ErrorReport.SUCCESS;
  }
}
