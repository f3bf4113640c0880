package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.FitResults.EnergyFit;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.TextTable;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionHeader;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Energies of states in a box, in the frame of the lattice and in the rest frame, in units of the
 * temporal lattice spacing.
 *
 * <p>With P = 2π n / (ξ L), E_cm = √(E² - P²), and of two hadrons k² = (E_cm² - (m₁ + m₂)²) (E_cm²
 * - (m₁ - m₂)²) / (4 E_cm²).
 */
public final class LevelTable {
  private final List<Level> levels = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private final double mass;

  private LevelTable(double mass) {
    this.mass = mass;
  }

  /** One level; its quantities on the ensemble and on every sample. */
  private record Level(
      String result,
      String irrep,
      Momentum momentum,
      int number,
      Estimate energy,
      Estimate restEnergy,
      Estimate inUnits,
      Estimate square) {
    /** {@code IRREP/nx_ny_nz/level_k}. */
    String place() {
      return "%s/%d_%d_%d/level_%d"
          .formatted(irrep, momentum.x(), momentum.y(), momentum.z(), number);
    }

    Map<String, Estimate> quantities() {
      Map<String, Estimate> map = new LinkedHashMap<>();
      map.put("energy", energy);
      map.put("energy_cm", restEnergy);
      map.put("energy_cm_by_mass", inUnits);
      map.put("k_squared", square);
      return map;
    }
  }

  /**
   * The levels of analyses with fits, by energy within each.
   *
   * @param files the results, for their definitions
   * @param masses one or two, in units of the temporal lattice spacing
   * @param length L in units of the spatial lattice spacing
   * @param xi spatial by temporal lattice spacing
   * @throws InputException when a definition says no momentum, or two results have one place
   */
  public static LevelTable of(
      List<CorrelatorAnalysis> analyses,
      List<Path> files,
      List<Double> masses,
      int length,
      double xi) {
    Map<String, DefinitionHeader> headers = new HashMap<>();
    for (Path file : files) {
      try (ResultReader reader = ResultReader.open(file)) {
        headers.put(
            reader.header().name(),
            DefinitionLoader.parse(file.toString(), reader.header().definition()).header());
      } catch (DefinitionException e) {
        throw new InputException(
            file + ": its definition does not say the momentum: " + e.getMessage(), e);
      }
    }
    LevelTable table = new LevelTable(masses.get(0));
    double other = masses.get(masses.size() - 1);
    Set<String> places = new HashSet<>();
    for (CorrelatorAnalysis analysis : analyses) {
      DefinitionHeader header = headers.get(analysis.name());
      FitResults fits = analysis.fits();
      if (header == null || fits == null) {
        throw new IllegalArgumentException("no definition or no fits: " + analysis.name());
      }
      DefinitionHeader.Target target = header.target();
      Momentum n = header.total();
      double unit = 2 * Math.PI / (xi * length);
      double p2 = unit * unit * (n.x() * n.x() + n.y() * n.y() + n.z() * n.z());
      Resampling resampling = analysis.correlator().resampling();
      List<Estimate> all = new ArrayList<>();
      PrincipalCorrelators principal = analysis.principal();
      for (int k = 0; k < analysis.data().size(); k++) {
        EnergyFit fit = (principal == null ? fits.correlators() : fits.eigenvalues()).get(k);
        boolean fitted = fit.energy().isDefined() || principal == null;
        all.add(fitted || principal == null ? fit.energy() : principal.energy(k));
        if (!fitted) {
          table.remarks.add(
              "%s, %s: no fit succeeds; E is the effective energy from t0 to td"
                  .formatted(analysis.name(), fit.label()));
        }
      }
      all.sort(Comparator.comparingDouble(Estimate::value));
      for (int k = 0; k < all.size(); k++) {
        Estimate energy = all.get(k);
        Estimate rest =
            with(energy, resampling, e -> e > 0 && e * e > p2 ? Math.sqrt(e * e - p2) : Double.NaN);
        double plus = (table.mass + other) * (table.mass + other);
        double minus = (table.mass - other) * (table.mass - other);
        Level level =
            new Level(
                analysis.name(),
                target == null ? "none" : target.irrep(),
                n,
                k,
                energy,
                rest,
                with(rest, resampling, e -> e / table.mass),
                with(rest, resampling, e -> (e * e - plus) * (e * e - minus) / (4 * e * e)));
        if (!places.add(level.place())) {
          throw new InputException(
              "%s: another result has levels of irrep %s at momentum %s; average rows and directions"
                      .formatted(analysis.name(), level.irrep(), n)
                  + " with starling average, or give one of them");
        }
        table.levels.add(level);
      }
    }
    return table;
  }

  private static Estimate with(Estimate of, Resampling resampling, DoubleUnaryOperator function) {
    return Estimate.of(
        function.applyAsDouble(of.value()),
        Arrays.stream(of.samples()).map(function).toArray(),
        resampling,
        of.remark().isEmpty() ? "the energy is below that of the momentum" : of.remark());
  }

  /** The table as text. */
  public String text() {
    TextTable text =
        new TextTable(
            TextTable.FirstColumn.LEFT,
            "  ",
            List.of("irrep", "momentum", "level", "E", "E_cm", "E_cm/m", "k^2"));
    List<String> below = new ArrayList<>(remarks);
    for (Level level : levels) {
      List<String> row =
          new ArrayList<>(
              List.of(
                  level.irrep(), level.momentum().toString(), Integer.toString(level.number())));
      level.quantities().values().forEach(quantity -> row.add(UncertainNumber.text(quantity)));
      text.row(row);
      if (!level.square().remark().isEmpty()) {
        below.add(level.place() + ": " + level.square().remark());
      }
    }
    return text + String.join("", below.stream().map(x -> x + System.lineSeparator()).toList());
  }

  /** The numbers for programs. */
  public Map<String, Object> json() {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    for (Level level : levels) {
      Momentum n = level.momentum();
      Map<String, @Nullable Object> one =
          AnalysisRecord.map(
              "result", level.result(),
              "irrep", level.irrep(),
              "momentum", List.of(n.x(), n.y(), n.z()),
              "level", level.number());
      level
          .quantities()
          .forEach(
              (name, estimate) -> {
                one.put(name, AnalysisRecord.number(estimate.value()));
                one.put(name + "_error", AnalysisRecord.number(estimate.error()));
              });
      list.add(one);
    }
    return Map.of("mass", mass, "levels", list, "remarks", remarks);
  }

  /**
   * Writes {@code IRREP/nx_ny_nz/level_k/QUANTITY/mean}, {@code error} and {@code samples},
   * replacing a file that exists.
   *
   * @throws ComputationException when it cannot be written
   */
  public void write(Path file) {
    try (Hdf5File hdf5 = Hdf5File.create(file)) {
      hdf5.attributes("/").put("format", "levels");
      hdf5.attributes("/").put("format_version", 1);
      hdf5.attributes("/").put("mass", Double.toString(mass));
      hdf5.attributes("/").put("samples_contain", "statistics and spread of windows");
      for (Level level : levels) {
        level
            .quantities()
            .forEach(
                (name, estimate) ->
                    AnalysisFile.writeEstimates(
                        hdf5, level.place() + "/" + name, ElementType.REAL, List.of(estimate), 1));
      }
    } catch (Hdf5Exception e) {
      throw new ComputationException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }
}
