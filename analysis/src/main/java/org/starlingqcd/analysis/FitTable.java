package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.FitResults.EnergyFit;
import org.starlingqcd.analysis.fit.Autocorrelation;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.WindowFit;
import org.starlingqcd.analysis.fit.WindowScan;
import org.starlingqcd.correlators.TextTable;

/** Fits as text for people, as CSV and as the nested maps of JSON. */
public final class FitTable {
  private FitTable() {}

  static void text(StringBuilder text, CorrelatorData data, FitResults fits) {
    energies(text, "energies of the correlators", fits, fits.correlators());
    energies(text, "energies of the eigenvalues", fits, fits.eigenvalues());
    List<String> headings = new ArrayList<>(List.of("  dt"));
    headings.addAll(data.operators());
    TextTable table = new TextTable(TextTable.FirstColumn.RIGHT, "  ", headings);
    for (int t = 0; t < data.separations().size(); t++) {
      List<String> row =
          new ArrayList<>(List.of(String.format(Locale.ROOT, "%4d", data.separations().get(t))));
      for (List<Autocorrelation> operator : fits.autocorrelations()) {
        row.add(UncertainNumber.text(estimate(operator.get(t))));
      }
      table.row(row);
    }
    text.append(
        String.format(
            Locale.ROOT,
            "%n  integrated autocorrelation times, in steps of the configurations%s%n%s"
                + "    suggested bin size: %d%n",
            fits.evenlySpaced() ? "" : ", whose numbers are not evenly spaced",
            table,
            fits.binSize()));
  }

  private static Estimate estimate(Autocorrelation time) {
    return new Estimate(time.time(), time.error(), new double[0], "");
  }

  private static void energies(
      StringBuilder text, String title, FitResults fits, List<EnergyFit> all) {
    if (all.isEmpty()) {
      return;
    }
    TextTable table = new TextTable(TextTable.FirstColumn.RIGHT, "  ", headings());
    StringBuilder remarks = new StringBuilder();
    for (EnergyFit fit : all) {
      List<String> row = row(fit);
      row.set(0, "    " + row.get(0));
      table.row(row);
      if (!fit.energy().remark().isEmpty()) {
        remarks.append(
            String.format(Locale.ROOT, "    %s: %s%n", fit.label(), fit.energy().remark()));
      }
    }
    text.append(
        String.format(Locale.ROOT, "%n  %s: %s%n%s%s", title, method(fits), table, remarks));
  }

  /** What was fitted and how, in words. */
  public static String method(FitResults fits) {
    String form =
        fits.periodicExtent() == 0
            ? "exponentials"
            : "exponentials both ways around T = " + fits.periodicExtent();
    String covariance =
        fits.options().covariance() == Covariance.Method.SHRINKAGE
            ? "shrunk correlations"
            : "SVD cut " + fits.options().cut();
    return "one and two " + form + ", " + covariance;
  }

  /** Headings of {@link #row}. */
  public static List<String> headings() {
    return List.of("  ", "energy", "spread", "best fit", "chi2/dof", "p", "two states");
  }

  /** The fits to one correlator in words. */
  public static List<String> row(EnergyFit fit) {
    WindowFit one = fit.best(1);
    WindowFit two = fit.best(2);
    WindowFit best = one == null || (two != null && two.aic() < one.aic()) ? two : one;
    List<String> row = new ArrayList<>();
    row.add(fit.label());
    row.add(UncertainNumber.text(fit.energy()));
    row.add(Double.isNaN(fit.spread()) ? "-" : String.format(Locale.ROOT, "%.2g", fit.spread()));
    if (best == null) {
      row.addAll(List.of("-", "-", "-"));
    } else {
      String states = best.model().states() == 1 ? "1 state " : "2 states ";
      row.add(states + fit.window(best));
      row.add(String.format(Locale.ROOT, "%.2f/%d", best.chiSquared(), best.degrees()));
      row.add(String.format(Locale.ROOT, "%.2f", best.probability()));
    }
    row.add(
        two == null ? "-" : String.format(Locale.ROOT, "%.4g, %.4g", two.energy(0), two.energy(1)));
    return row;
  }

  static void csv(StringBuilder csv, CorrelatorData data, FitResults fits) {
    csv(csv, "fit_energy", fits.correlators());
    csv(csv, "eigenvalue_fit_energy", fits.eigenvalues());
    for (int k = 0; k < data.size(); k++) {
      for (int t = 0; t < data.separations().size(); t++) {
        AnalysisTable.row(
            csv,
            "autocorrelation_time",
            data.operators().get(k),
            "",
            data.separations().get(t),
            estimate(fits.autocorrelations().get(k).get(t)));
      }
    }
  }

  private static void csv(StringBuilder csv, String quantity, List<EnergyFit> all) {
    for (EnergyFit fit : all) {
      AnalysisTable.row(csv, quantity, fit.label(), "", -1, fit.energy());
      Estimate spread = new Estimate(fit.spread(), Double.NaN, new double[0], "");
      AnalysisTable.row(csv, quantity + "_spread", fit.label(), "", -1, spread);
    }
  }

  /**
   * Adds {@code fits}, {@code eigenvalue_fits}, {@code autocorrelation_times} and {@code
   * suggested_bin_size}.
   */
  static void record(Map<String, @Nullable Object> map, CorrelatorData data, FitResults fits) {
    map.put("fits", fits.correlators().stream().map(FitTable::record).toList());
    map.put("eigenvalue_fits", fits.eigenvalues().stream().map(FitTable::record).toList());
    List<Map<String, @Nullable Object>> times = new ArrayList<>();
    for (int k = 0; k < data.size(); k++) {
      for (int t = 0; t < data.separations().size(); t++) {
        Autocorrelation time = fits.autocorrelations().get(k).get(t);
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("operator", data.operators().get(k));
        entry.put("separation", data.separations().get(t));
        entry.put("time", AnalysisRecord.number(time.time()));
        entry.put("error", AnalysisRecord.number(time.error()));
        entry.put("window", time.window());
        times.add(entry);
      }
    }
    map.put("autocorrelation_times", times);
    map.put("suggested_bin_size", fits.binSize());
  }

  private static Map<String, @Nullable Object> record(EnergyFit fit) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("of", fit.label());
    map.put("energy", AnalysisRecord.number(fit.energy().value()));
    map.put("error", AnalysisRecord.number(fit.energy().error()));
    map.put("spread", AnalysisRecord.number(fit.spread()));
    map.put("shrinkage", fit.share());
    List<Map<String, @Nullable Object>> windows = new ArrayList<>();
    WindowScan scan = fit.scan();
    for (WindowFit window : scan == null ? List.<WindowFit>of() : scan.fits()) {
      Map<String, @Nullable Object> entry = new LinkedHashMap<>();
      entry.put("states", window.model().states());
      entry.put("periodic", window.model().periodicExtent() > 0);
      entry.put("first", fit.separations().get(window.first()));
      entry.put("last", fit.separations().get(window.last()));
      List<Double> energies = new ArrayList<>(List.of(window.energy(0)));
      if (window.model().states() == 2) {
        energies.add(window.energy(1));
      }
      entry.put("energies", energies);
      entry.put("chi_squared", window.chiSquared());
      entry.put("degrees_of_freedom", window.degrees());
      entry.put("p", window.probability());
      entry.put("aic", window.aic());
      entry.put("weight", window.weight());
      windows.add(entry);
    }
    map.put("windows", windows);
    if (!fit.energy().remark().isEmpty()) {
      map.put("remark", fit.energy().remark());
    }
    return map;
  }
}
