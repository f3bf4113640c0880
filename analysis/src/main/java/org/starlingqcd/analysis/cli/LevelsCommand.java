package org.starlingqcd.analysis.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.AnalysisOptions;
import org.starlingqcd.analysis.CorrelatorAnalysis;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.CorrelatorLoader;
import org.starlingqcd.analysis.EffectiveMass;
import org.starlingqcd.analysis.LevelTable;
import org.starlingqcd.analysis.PrincipalCorrelators;
import org.starlingqcd.analysis.Resampling;
import org.starlingqcd.analysis.fit.FitOptions;
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

/** {@code starling levels}: a table of finite-volume energies. */
@Command(
    description = {
      "Fits the energies of results, boosts them to the rest frame and lists them by irrep, momentum"
          + " and level, with the momentum k of two hadrons.",
      "Solves no quantization condition."
    })
public final class LevelsCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RESULT", arity = "1..*", description = "Result files of one ensemble.")
  private List<Path> files = List.of();

  @Option(
      names = "--masses",
      paramLabel = "NAME=MASS",
      split = ",",
      required = true,
      description =
          "One or two hadrons and their masses in lattice units of time; k is that of the two, or of"
              + " twice the one. Energies are also given in units of the first.")
  private Map<String, Double> masses = new LinkedHashMap<>();

  @Option(names = "-L", paramLabel = "L", required = true, description = "The spatial extent.")
  private int length;

  @Option(
      names = "--xi",
      paramLabel = "RATIO",
      description = "Spatial by temporal lattice spacing (default: ${DEFAULT-VALUE}).")
  private double xi = 1;

  @Option(
      names = "--t0",
      paramLabel = "DT",
      description =
          "Solve the generalized eigenvalue problem of matrices; without it each operator is a level.")
  private @Nullable Integer t0;

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

  @Mixin private SelectionOptionGroup selection = new SelectionOptionGroup();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    rejectIf(length < 1, "-L must be at least 1, not " + length);
    rejectIf(!(xi > 0), "--xi must be positive, not " + xi);
    rejectIf(bin < 1, "--bin must be at least 1, not " + bin);
    rejectIf(masses.size() > 2, "--masses takes one or two hadrons, not " + masses.size());
    rejectIf(
        masses.values().stream().anyMatch(m -> !(m > 0 && m < 100)),
        "--masses must be positive numbers in lattice units, not " + masses);
    AnalysisOptions options =
        new AnalysisOptions(
            Resampling.Method.JACKKNIFE,
            2,
            1,
            bin,
            EnumSet.of(EffectiveMass.LOG),
            true,
            t0 == null ? OptionalInt.empty() : OptionalInt.of(t0),
            OptionalInt.empty(),
            PrincipalCorrelators.Vectors.EACH,
            FitOptions.STANDARD);
    List<CorrelatorAnalysis> analyses = new ArrayList<>();
    for (CorrelatorData data : CorrelatorLoader.load(files, selection.selection())) {
      analyses.add(CorrelatorAnalysis.of(data, options));
    }
    LevelTable table = LevelTable.of(analyses, files, List.copyOf(masses.values()), length, xi);
    if (out != null) {
      table.write(out);
    }
    Console.out(spec).print(json ? Json.text(table.json()) + System.lineSeparator() : table.text());
    Console.out(spec).flush();
    if (out != null && !json) {
      Console.out(spec).println("wrote " + out);
    }
    AnalyzeCommand.warn(analyses, spec);
    return ErrorReport.SUCCESS;
  }

  private void rejectIf(boolean wrong, String message) {
    if (wrong) {
      throw new ParameterException(
          Objects.requireNonNull(spec, "picocli sets it").commandLine(), message);
    }
  }
}
