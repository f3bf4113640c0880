package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.WindowFit;

/** The plots of an analysis: correlators, eigenvalues, effective masses and fits. */
final class AnalysisPlots {
  /** More series are divided among plots. */
  private static final int MOST_SERIES = 6;

  /** A longer list of names in a title is a count of them. */
  private static final int LONGEST_LIST = 40;

  private static final String T0 = "t0 (lattice units)";

  private final Map<String, AnalysisPlot> plots = new LinkedHashMap<>();
  private final CorrelatorAnalysis analysis;

  /** With which titles begin. */
  private final String start;

  private AnalysisPlots(CorrelatorAnalysis analysis) {
    this.analysis = analysis;
    start = analysis.name() + " on " + analysis.data().ensemble();
  }

  /**
   * {@code correlator}, {@code effective_mass}, with eigenvalues {@code eigenvalues} and {@code
   * eigenvalue_mass}, with fits {@code levels}, {@code fit_stability} and {@code
   * eigenvalue_fit_stability}, of a chosen t0 {@code t0_energies} and {@code t0_scan}; some may
   * have no points. Many operators or states are divided among plots with {@code _1}, {@code _2}, …
   * at the end.
   */
  static Map<String, AnalysisPlot> of(CorrelatorAnalysis analysis) {
    AnalysisPlots all = new AnalysisPlots(analysis);
    PrincipalCorrelators principal = analysis.principal();
    FitResults fits = analysis.fits();
    String y = analysis.connected() ? "connected C(dt)" : "C(dt)";
    all.add("correlator", new AnalysisPlot("", y, true), analysis.diagonal());
    all.addMasses("effective_mass", analysis.masses(false));
    if (principal != null) {
      y = "eigenvalue λ(dt, " + principal.t0() + ")";
      all.add("eigenvalues", new AnalysisPlot("", y, true), analysis.eigenvalues());
      all.addMasses("eigenvalue_mass", analysis.masses(true));
    }
    all.addScan(analysis.table("gevp/t0_scan"), analysis.table("gevp/t0_energies"));
    if (fits != null) {
      all.addLevels(fits);
      all.addStability("fit_stability", fits.correlators());
      all.addStability("eigenvalue_fit_stability", fits.eigenvalues());
    }
    return all.plots;
  }

  private void add(String file, AnalysisPlot plot, List<Curve> curves) {
    divide(file, plot, curves, MOST_SERIES, Curve::label, AnalysisPlot::add);
  }

  private void addMasses(String file, Map<String, List<Curve>> masses) {
    String kind = masses.size() == 1 ? " (" + masses.keySet().iterator().next() + ")" : "";
    String y = "effective mass" + kind + " in lattice units";
    add(file, new AnalysisPlot("", y, false), labelled(masses, Curve::label));
  }

  /** Curves with their kinds, where there are several. */
  private static List<Curve> labelled(
      Map<String, List<Curve>> masses, Function<Curve, String> label) {
    List<Curve> curves = new ArrayList<>();
    masses.forEach(
        (kind, some) -> {
          String of = masses.size() == 1 ? "" : " (" + kind + ")";
          some.forEach(curve -> curves.add(curve.labelled(label.apply(curve) + of)));
        });
    return curves;
  }

  /** What justifies t0: energies, and how well the states describe the matrix. */
  private void addScan(@Nullable Table scan, @Nullable Table energies) {
    if (scan == null || energies == null) {
      return;
    }
    add(
        "t0_energies",
        new AnalysisPlot("", "energy of one exponential", T0, false),
        energies.curves(0));
    Curve ratios = new Curve("chi2/dof");
    for (Table.Row row : scan.rows()) {
      double ratio = (Double) row.cells().get(0) / (Integer) row.cells().get(1);
      ratios.add((Integer) row.place().get(0), new Estimate(ratio, Double.NaN, new double[0], ""));
    }
    AnalysisPlot plot =
        new AnalysisPlot(start + ": " + scan.title(), "chi2/dof of the matrix after t0", T0, true);
    plot.add(ratios, Estimate.exact(1, 0));
    plots.put("t0_scan", plot);
  }

  /** Energies by level with errors, and lines where hadrons without interaction are. */
  private void addLevels(FitResults fits) {
    Table levels = analysis.table("levels");
    Table free = analysis.table("non_interacting");
    List<EnergyFit> all = fits.eigenvalues().isEmpty() ? fits.correlators() : fits.eigenvalues();
    List<Estimate> energies =
        levels == null
            ? all.stream().map(EnergyFit::energy).toList()
            : levels.rows().stream().map(row -> (Estimate) row.cells().get(0)).toList();
    String x = levels != null ? "level" : fits.eigenvalues().isEmpty() ? "operator" : "state";
    AnalysisPlot plot = new AnalysisPlot(start + ": energies", "energy in lattice units", x, false);
    plot.add(
        Curve.of("energy", IntStream.range(0, energies.size()).boxed().toList(), energies::get));
    if (free != null) {
      for (Table.Row row : free.rows()) {
        plot.lines()
            .put(String.valueOf(row.place().get(2)), ((Estimate) row.cells().get(0)).value());
      }
    }
    plots.put("levels", plot);
  }

  /** The energy of each model by the first separation of its window, and the averages. */
  private void addStability(String file, List<EnergyFit> fits) {
    Resampling resampling = analysis.correlator().resampling();
    divide(
        file,
        new AnalysisPlot(
            "",
            "fitted energy in lattice units; lines: averages over models",
            "first separation of the window (lattice units)",
            false),
        fits,
        MOST_SERIES / 2,
        EnergyFit::label,
        (plot, fit) -> addModels(plot, fit, resampling));
  }

  private static void addModels(AnalysisPlot plot, EnergyFit fit, Resampling resampling) {
    for (int states = 1; states <= 2 && !fit.fits().isEmpty(); states++) {
      Curve curve = new Curve(fit.label() + (states == 1 ? ", 1 state" : ", 2 states"));
      for (WindowFit window : fit.fits()) {
        if (window.model().states() == states) {
          int first = fit.points().separations().get(window.first());
          curve.add(first, Estimate.of(window.energies(), resampling, "no fit"));
        }
      }
      plot.add(curve, states == 1 ? fit.energy() : null);
    }
  }

  /** Divides what plots show among as many plots as are needed; their titles say what is shown. */
  private <T> void divide(
      String file,
      AnalysisPlot axes,
      List<T> all,
      int most,
      Function<T, String> label,
      BiConsumer<AnalysisPlot, T> draw) {
    int count = Math.max(1, (all.size() + most - 1) / most);
    for (int k = 0; k < count; k++) {
      List<T> some = all.subList(k * all.size() / count, (k + 1) * all.size() / count);
      List<String> labels = some.stream().map(label).toList();
      String list = String.join(", ", labels);
      boolean brief = list.length() > LONGEST_LIST;
      String shown = brief ? labels.get(0) + " to " + labels.get(labels.size() - 1) : list;
      boolean said = list.isEmpty() || (all.size() <= 1 && shown.equals(analysis.name()));
      AnalysisPlot plot = axes.titled(start + (said ? "" : ": " + shown));
      some.forEach(one -> draw.accept(plot, one));
      plots.put(count == 1 ? file : file + "_" + (k + 1), plot);
    }
  }

  /**
   * One plot of several correlators: masses of the eigenvalues where these were computed, otherwise
   * of the operators.
   */
  static AnalysisPlot together(List<CorrelatorAnalysis> analyses) {
    String ensemble = analyses.get(0).data().ensemble();
    AnalysisPlot plot =
        new AnalysisPlot(
            "effective masses on " + ensemble, "effective mass in lattice units", false);
    for (CorrelatorAnalysis analysis : analyses) {
      String name = analysis.name();
      plot.addAll(
          labelled(
              analysis.masses(analysis.principal() != null),
              curve -> curve.label().equals(name) ? name : name + " " + curve.label()));
    }
    return plot;
  }
}
