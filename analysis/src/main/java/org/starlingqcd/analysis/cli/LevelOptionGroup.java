package org.starlingqcd.analysis.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.AnalysisSettings;
import org.starlingqcd.analysis.CorrelatorAnalysis;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.Estimate;
import org.starlingqcd.analysis.LevelTable;
import org.starlingqcd.analysis.SelectionSettings;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.graph.Momentum;
import picocli.CommandLine.Option;

/** The box and the hadrons of levels. */
final class LevelOptionGroup {
  @Option(
      names = "--masses",
      paramLabel = "NAME=MASS",
      split = ",",
      description =
          "One or two hadrons and their masses in lattice units of time, or results of one hadron"
              + " whose fit gives mass and error: pi=results/pion.h5. k is that of the two, or of twice"
              + " the one. Energies are also given in units of the first.")
  private Map<String, String> masses = new LinkedHashMap<>();

  @Option(
      names = "-L",
      paramLabel = "L",
      description = "The spatial extent in units of the spatial lattice spacing.")
  private @Nullable Integer length;

  @Option(
      names = "--xi",
      paramLabel = "RATIO",
      description = "Spatial by temporal lattice spacing (default: ${DEFAULT-VALUE}).")
  private double xi = 1;

  @Option(
      names = "--ratios",
      paramLabel = "NAME=RESULT",
      split = ",",
      description =
          "Results of the hadrons of --masses at their momenta, such as pi=results/pion.h5. Energies"
              + " then come from fits of ratios of eigenvalues to products of two of their correlators.")
  private List<String> ratios = new ArrayList<>();

  /** Whether there are masses; the other options need them. */
  boolean isGiven(ResultCommand command) {
    command.rejectWithout("--masses", !masses.isEmpty(), "-L", "--ratios");
    return !masses.isEmpty();
  }

  /**
   * The levels of analyses with fits.
   *
   * @param files the results, for their definitions
   * @throws InputException when a file does not belong to them, or no fit to it succeeds
   */
  LevelTable levels(
      ResultCommand command,
      List<CorrelatorAnalysis> analyses,
      List<Path> files,
      SelectionSettings selection,
      AnalysisSettings options) {
    command.rejectIf(masses.isEmpty(), "--masses is missing, such as --masses pi=0.2");
    command.rejectIf(length == null, "-L is missing, such as -L 24");
    int extent = length == null ? 0 : length;
    command.rejectIf(extent < 1, "-L must be at least 1, not " + extent);
    command.rejectIf(!(xi > 0 && xi < 1e6), "--xi must be positive, not " + xi);
    command.rejectIf(masses.size() > 2, "--masses takes one or two hadrons, not " + masses.size());
    Map<String, DefinitionHeader> headers = new LinkedHashMap<>();
    for (Path file : files) {
      DefinitionHeader header = LevelTable.header(file);
      headers.put(header.name(), header);
    }
    Function<String, CorrelatorAnalysis> single =
        file -> single(Path.of(file), analyses.get(0), selection, options);
    LevelTable table = new LevelTable(extent, xi, !ratios.isEmpty());
    masses.forEach(
        (name, text) -> {
          Double number = number(command, text);
          command.rejectIf(
              number != null && !(number > 0 && number < 100),
              "--masses must be positive numbers in lattice units, not " + text);
          if (number == null) {
            table.mass(name, momentum(text), single.apply(text));
          } else {
            int samples = analyses.get(0).head().resampling().samples();
            table.mass(name, Estimate.exact(number, samples));
          }
        });
    for (String ratio : ratios) {
      String[] parts = ratio.split("=", 2);
      command.rejectIf(
          parts.length < 2 || !masses.containsKey(parts[0]),
          "--ratios takes NAME=RESULT with the names of --masses, "
              + masses.keySet()
              + ", not "
              + ratio);
      table.single(parts[0], momentum(parts[1]), single.apply(parts[1]));
    }
    for (CorrelatorAnalysis analysis : analyses) {
      // The definition of an average has the name of its first member.
      DefinitionHeader header = headers.get(analysis.name());
      table.add(analysis, header == null ? headers.values().iterator().next() : header);
    }
    return table;
  }

  private static @Nullable Double number(ResultCommand command, String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      command.rejectIf(
          !Files.exists(Path.of(text)),
          "--masses takes a number or an existing result file, not '" + text + "'");
      return null;
    }
  }

  private static Momentum momentum(String file) {
    return LevelTable.header(Path.of(file)).total();
  }

  private static CorrelatorAnalysis single(
      Path file, CorrelatorAnalysis levels, SelectionSettings selection, AnalysisSettings options) {
    SelectionSettings all = selection.with(selection.configurations, selection.sources, List.of());
    CorrelatorData data = CorrelatorData.load(List.of(file), all).get(0);
    CorrelatorAnalysis analysis = CorrelatorAnalysis.of(data, options, OptionalInt.empty());
    if (!data.numbers().equals(levels.data().numbers())
        || !data.ensemble().equals(levels.data().ensemble())) {
      throw InputException.of(
          "%s: has not the ensemble and the configurations of %s, so that errors would not belong"
              + " together; --configurations selects those that all have",
          file, levels.name());
    }
    return analysis;
  }
}
