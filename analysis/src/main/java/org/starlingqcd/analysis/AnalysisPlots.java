package org.starlingqcd.analysis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.analysis.fit.WindowFit;
import org.starlingqcd.analysis.fit.WindowScan;
import org.starlingqcd.correlators.ComputationException;

/** The plots of an analysis: correlators, eigenvalues and effective masses. */
public final class AnalysisPlots {
  private static final List<String> FORMATS = List.of("png", "svg");

  private final Path folder;
  private final Set<AnalysisOutput.Format> formats;

  AnalysisPlots(Path folder, Set<AnalysisOutput.Format> formats) {
    this.folder = folder;
    this.formats = formats;
  }

  /**
   * Writes the plots of {@link #plots}.
   *
   * @return the files written
   */
  List<Path> write(CorrelatorAnalysis analysis) throws IOException {
    List<Path> written = new ArrayList<>();
    for (Map.Entry<String, AnalysisPlot> plot : plots(analysis).entrySet()) {
      written.addAll(write(plot.getValue(), plot.getKey()));
    }
    return written;
  }

  /**
   * The plots of an analysis as SVG documents.
   *
   * @throws ComputationException when Java cannot draw here
   */
  public static List<String> svg(CorrelatorAnalysis analysis) {
    return plots(analysis).values().stream()
        .filter(plot -> !plot.isEmpty())
        .map(plot -> new String(plot.encoded("the report", "svg"), StandardCharsets.UTF_8))
        .toList();
  }

  /**
   * {@code NAME_correlator}, {@code NAME_effective_mass}, with eigenvalues {@code NAME_eigenvalues}
   * and {@code NAME_eigenvalue_mass}, with fits {@code NAME_fit_stability} and {@code
   * NAME_eigenvalue_fit_stability}; some may have no points.
   */
  private static Map<String, AnalysisPlot> plots(CorrelatorAnalysis analysis) {
    Map<String, AnalysisPlot> plots = new LinkedHashMap<>();
    CorrelatorData data = analysis.data();
    String name = AnalysisOutput.fileName(data.name());
    AnalysisPlot correlator =
        new AnalysisPlot(
            data.name() + " on " + data.ensemble(),
            analysis.connected() ? "connected C(dt)" : "C(dt)",
            true);
    for (int i = 0; i < data.size(); i++) {
      List<Estimate> points = new ArrayList<>();
      for (int t = 0; t < data.separations().size(); t++) {
        points.add(analysis.correlator().real(t, i, i));
      }
      correlator.add(data.operators().get(i), data.separations(), points);
    }
    plots.put(name + "_correlator", correlator);
    plots.put(name + "_effective_mass", masses(List.of(analysis), analysis.masses(), data.name()));
    PrincipalCorrelators principal = analysis.principal();
    if (principal != null) {
      AnalysisPlot eigenvalues =
          new AnalysisPlot(
              data.name() + " on " + data.ensemble(),
              String.format(Locale.ROOT, "eigenvalue λ(dt, %d)", principal.t0()),
              true);
      for (int k = 0; k < principal.size(); k++) {
        List<Estimate> points = new ArrayList<>();
        for (int t = 0; t < data.separations().size(); t++) {
          points.add(principal.eigenvalue(t, k));
        }
        eigenvalues.add("state " + k, data.separations(), points);
      }
      plots.put(name + "_eigenvalues", eigenvalues);
      plots.put(
          name + "_eigenvalue_mass",
          masses(List.of(analysis), analysis.principalMasses(), data.name()));
    }
    FitResults fits = analysis.fits();
    if (fits != null) {
      plots.put(name + "_fit_stability", stability(data, fits.correlators()));
      plots.put(name + "_eigenvalue_fit_stability", stability(data, fits.eigenvalues()));
    }
    return plots;
  }

  /** The energy of each model by the first separation of its best window, and the averages. */
  private static AnalysisPlot stability(CorrelatorData data, List<FitResults.EnergyFit> fits) {
    AnalysisPlot plot =
        new AnalysisPlot(
            data.name() + " on " + data.ensemble(),
            "fitted energy in lattice units; lines: averages over models",
            "first separation of the window (lattice units)",
            false);
    for (FitResults.EnergyFit fit : fits) {
      WindowScan scan = fit.scan();
      if (scan == null) {
        continue;
      }
      for (int states = 1; states <= 2; states++) {
        List<Integer> first = new ArrayList<>();
        List<Estimate> points = new ArrayList<>();
        for (int index : scan.stability()) {
          WindowFit window = scan.fits().get(index);
          if (window.model().states() == states) {
            first.add(fit.separations().get(window.first()));
            points.add(fit.energy(scan, index));
          }
        }
        plot.add(
            fit.label() + (states == 1 ? ", 1 state" : ", 2 states"),
            first,
            points,
            states == 1 ? fit.energy() : null);
      }
    }
    return plot;
  }

  /**
   * Writes {@code effective_masses}, the plot of {@link #together}.
   *
   * @return the files written
   */
  List<Path> writeTogether(List<CorrelatorAnalysis> analyses) throws IOException {
    return write(together(analyses), "effective_masses");
  }

  /**
   * One plot of several correlators: masses of the eigenvalues where these were computed, otherwise
   * of the operators.
   */
  static AnalysisPlot together(List<CorrelatorAnalysis> analyses) {
    List<MassCurve> curves = new ArrayList<>();
    for (CorrelatorAnalysis analysis : analyses) {
      List<MassCurve> chosen =
          analysis.principal() == null ? analysis.masses() : analysis.principalMasses();
      for (MassCurve curve : chosen) {
        curves.add(
            new MassCurve(
                label(analysis.data().name(), curve.label()),
                curve.kind(),
                curve.separations(),
                curve.points()));
      }
    }
    return masses(analyses, curves, "effective masses");
  }

  /** The name of a correlator before that of its operator, unless they are the same. */
  private static String label(String correlator, String operator) {
    return correlator.equals(operator) ? correlator : correlator + " " + operator;
  }

  private static AnalysisPlot masses(
      List<CorrelatorAnalysis> analyses, List<MassCurve> curves, String title) {
    boolean severalKinds = curves.stream().map(MassCurve::kind).distinct().count() > 1;
    String kind = severalKinds || curves.isEmpty() ? "" : " (" + curves.get(0).kind().label() + ")";
    AnalysisPlot plot =
        new AnalysisPlot(
            title + " on " + analyses.get(0).data().ensemble(),
            "effective mass" + kind + " in lattice units",
            false);
    for (MassCurve curve : curves) {
      plot.add(
          severalKinds ? curve.label() + " (" + curve.kind().label() + ")" : curve.label(),
          curve.separations(),
          curve.points());
    }
    return plot;
  }

  private List<Path> write(AnalysisPlot plot, String name) throws IOException {
    List<Path> written = new ArrayList<>();
    if (!plot.isEmpty()) {
      for (String format : FORMATS) {
        if (formats.contains(AnalysisOutput.Format.valueOf(format.toUpperCase(Locale.ROOT)))) {
          Path file = folder.resolve(name + "." + format);
          plot.write(file, format);
          written.add(file);
        }
      }
    }
    return written;
  }
}
