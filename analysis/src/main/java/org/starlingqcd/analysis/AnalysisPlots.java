package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.analysis.FitResults.EnergyFit;
import org.starlingqcd.analysis.fit.WindowFit;
import org.starlingqcd.analysis.fit.WindowScan;

/** The plots of an analysis: correlators, eigenvalues, effective masses and fits. */
final class AnalysisPlots {
  private AnalysisPlots() {}

  /**
   * {@code correlator}, {@code effective_mass}, with eigenvalues {@code eigenvalues} and {@code
   * eigenvalue_mass}, with fits {@code fit_stability} and {@code eigenvalue_fit_stability}; some
   * may have no points.
   */
  static Map<String, AnalysisPlot> of(CorrelatorAnalysis analysis) {
    Map<String, AnalysisPlot> plots = new LinkedHashMap<>();
    CorrelatorData data = analysis.data();
    String title = data.name() + " on " + data.ensemble();
    for (Quantity quantity : analysis.quantities()) {
      if (quantity.mass() == null) {
        PrincipalCorrelators principal = analysis.principal();
        String y =
            principal != null && quantity.ofStates()
                ? String.format(Locale.ROOT, "eigenvalue λ(dt, %d)", principal.t0())
                : analysis.connected() ? "connected C(dt)" : "C(dt)";
        AnalysisPlot plot = new AnalysisPlot(title, y, true);
        quantity.curves().forEach(plot::add);
        plots.put(quantity.ofStates() ? "eigenvalues" : "correlator", plot);
        plots.put(
            quantity.ofStates() ? "eigenvalue_mass" : "effective_mass",
            masses(title, analysis.masses(quantity.ofStates())));
      }
    }
    FitResults fits = analysis.fits();
    if (fits != null) {
      plots.put("fit_stability", stability(title, fits.correlators()));
      plots.put("eigenvalue_fit_stability", stability(title, fits.eigenvalues()));
    }
    return plots;
  }

  /** The energy of each model by the first separation of its window, and the averages. */
  private static AnalysisPlot stability(String title, List<EnergyFit> fits) {
    AnalysisPlot plot =
        new AnalysisPlot(
            title,
            "fitted energy in lattice units; lines: averages over models",
            "first separation of the window (lattice units)",
            false);
    for (EnergyFit fit : fits) {
      WindowScan scan = fit.scan();
      for (int states = 1; states <= 2 && scan != null; states++) {
        List<Integer> first = new ArrayList<>();
        List<Estimate> points = new ArrayList<>();
        for (int index = 0; index < scan.fits().size(); index++) {
          WindowFit window = scan.fits().get(index);
          if (window.model().states() == states) {
            first.add(fit.separations().get(window.first()));
            points.add(fit.energy(scan, index));
          }
        }
        String label = fit.label() + (states == 1 ? ", 1 state" : ", 2 states");
        plot.add(new Curve(label, first, points), states == 1 ? fit.energy() : null);
      }
    }
    return plot;
  }

  /**
   * One plot of several correlators: masses of the eigenvalues where these were computed, otherwise
   * of the operators.
   */
  static AnalysisPlot together(List<CorrelatorAnalysis> analyses) {
    List<Quantity> masses = new ArrayList<>();
    for (CorrelatorAnalysis analysis : analyses) {
      String name = analysis.data().name();
      for (Quantity quantity : analysis.masses(analysis.principal() != null)) {
        List<Curve> named =
            quantity.curves().stream()
                .map(c -> new Curve(label(name, c.label()), c.separations(), c.points()))
                .toList();
        masses.add(new Quantity(quantity.ofStates(), quantity.mass(), quantity.title(), named));
      }
    }
    return masses("effective masses on " + analyses.get(0).data().ensemble(), masses);
  }

  /** The name of a correlator before that of its operator, unless they are the same. */
  private static String label(String correlator, String operator) {
    return correlator.equals(operator) ? correlator : correlator + " " + operator;
  }

  private static AnalysisPlot masses(String title, List<Quantity> masses) {
    boolean severalKinds = masses.stream().map(Quantity::mass).distinct().count() > 1;
    String kind = severalKinds ? "" : " (" + masses.get(0).mass() + ")";
    AnalysisPlot plot =
        new AnalysisPlot(title, "effective mass" + kind + " in lattice units", false);
    for (Quantity quantity : masses) {
      for (Curve c : quantity.curves()) {
        String label = severalKinds ? c.label() + " (" + quantity.mass() + ")" : c.label();
        plot.add(new Curve(label, c.separations(), c.points()));
      }
    }
    return plot;
  }
}
