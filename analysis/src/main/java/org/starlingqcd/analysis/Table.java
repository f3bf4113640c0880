package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.starlingqcd.analysis.FitResults.EnergyFit;
import org.starlingqcd.analysis.fit.Autocorrelation;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.WindowFit;
import org.starlingqcd.correlators.TextTable;
import org.starlingqcd.hadron.text.Printable;

/**
 * A table of an analysis, as text and HTML show it; values are such as {@code 0.436(11)}.
 *
 * @param title what it shows
 * @param headings the first is {@value #DT} where there is a row for each separation
 * @param rows a cell for each heading
 * @param remarks what text says below it
 */
public record Table(
    String title, List<String> headings, List<List<String>> rows, List<String> remarks) {
  /** The first heading where there is a row for each separation. */
  static final String DT = "dt";

  /** The first heading where there is a row for each t - t_i. */
  static final String T = "t";

  /** A table with a row for each separation. */
  private static Table of(String title, List<Curve> curves, List<String> remarks) {
    List<String> headings = new ArrayList<>(List.of(DT));
    curves.forEach(curve -> headings.add(curve.label()));
    List<List<String>> rows = new ArrayList<>();
    for (int t = 0; t < curves.get(0).points().size(); t++) {
      List<String> row = new ArrayList<>(List.of(curves.get(0).separations().get(t).toString()));
      for (Curve curve : curves) {
        row.add(UncertainNumber.text(curve.points().get(t)));
      }
      rows.add(row);
    }
    return new Table(title, headings, rows, remarks);
  }

  /** Correlators, effective masses and eigenvalues. */
  static List<Table> quantities(CorrelatorAnalysis analysis) {
    List<Table> tables = new ArrayList<>();
    for (Quantity quantity : analysis.quantities()) {
      List<String> remarks = new ArrayList<>();
      for (Curve curve : quantity.curves()) {
        for (int t = 0; t < curve.points().size(); t++) {
          Estimate point = curve.points().get(t);
          // The heading already says that there are no samples.
          if (!point.remark().isEmpty() && (point.samples().length > 0 || !point.isDefined())) {
            int dt = curve.separations().get(t);
            remarks.add(curve.label() + ", " + DT + " " + dt + ": " + point.remark());
          }
        }
      }
      tables.add(of(quantity.title(), quantity.curves(), remarks));
    }
    return tables;
  }

  /** Energies of the correlators and of the eigenvalues. */
  static List<Table> energies(FitResults fits) {
    List<Table> tables = new ArrayList<>();
    String form =
        fits.periodicExtent() == 0
            ? "exponentials"
            : "exponentials both ways around T = " + fits.periodicExtent();
    String covariance =
        fits.options().covariance() == Covariance.Method.SHRINKAGE
            ? "shrunk correlations"
            : "SVD cut " + fits.options().cut();
    String method = ": one and two " + form + ", " + covariance;
    tables.add(energies("energies of the correlators" + method, fits.correlators()));
    if (!fits.eigenvalues().isEmpty()) {
      tables.add(energies("energies of the eigenvalues" + method, fits.eigenvalues()));
    }
    return tables;
  }

  private static Table energies(String title, List<EnergyFit> all) {
    return new Table(
        title,
        List.of("  ", "energy", "spread", "best fit", "chi2/dof", "p", "two states"),
        all.stream().map(Table::row).toList(),
        all.stream()
            .filter(fit -> !fit.energy().remark().isEmpty())
            .map(fit -> fit.label() + ": " + fit.energy().remark())
            .toList());
  }

  private static List<String> row(EnergyFit fit) {
    WindowFit one = fit.best(1);
    WindowFit two = fit.best(2);
    WindowFit best = one == null || (two != null && two.aic() < one.aic()) ? two : one;
    List<String> row = new ArrayList<>(List.of(fit.label(), UncertainNumber.text(fit.energy())));
    row.add(Double.isNaN(fit.spread()) ? "-" : String.format(Locale.ROOT, "%.2g", fit.spread()));
    if (best == null) {
      row.addAll(List.of("-", "-", "-"));
    } else {
      row.add((best.model().states() == 1 ? "1 state " : "2 states ") + fit.window(best));
      row.add(String.format(Locale.ROOT, "%.2f/%d", best.chiSquared(), best.degrees()));
      row.add(String.format(Locale.ROOT, "%.2f", best.probability()));
    }
    row.add(
        two == null ? "-" : String.format(Locale.ROOT, "%.4g, %.4g", two.energy(0), two.energy(1)));
    return row;
  }

  /** Autocorrelation times. */
  static Table autocorrelations(String title, CorrelatorData data, FitResults fits) {
    return of(
        title,
        IntStream.range(0, data.size()).mapToObj(k -> autocorrelations(data, fits, k)).toList(),
        List.of("suggested bin size: " + fits.binSize()));
  }

  /** The autocorrelation times of an operator. */
  static Curve autocorrelations(CorrelatorData data, FitResults fits, int operator) {
    List<Autocorrelation> times = fits.autocorrelations().get(operator);
    return Curve.of(
        data.operators().get(operator),
        data.separations(),
        t -> new Estimate(times.get(t).time(), times.get(t).error(), new double[0], ""));
  }

  /** One line: name, ensemble, statistics. */
  static String heading(String name, String ensemble, int count, int units, Resampling resampling) {
    String errors = "no errors";
    if (resampling.samples() > 0) {
      errors =
          resampling.method() == Resampling.Method.JACKKNIFE
              ? "jackknife over " + resampling.bins() + " bins"
              : String.format(
                  Locale.ROOT,
                  "bootstrap with %d samples of %d bins, seed %d",
                  resampling.samples(),
                  resampling.bins(),
                  resampling.seed());
    }
    return String.format(
        Locale.ROOT,
        "%s on %s: %d configuration%s, %d source%s in all, %s",
        name,
        Printable.of(ensemble),
        count,
        count == 1 ? "" : "s",
        units,
        units == 1 ? "" : "s",
        errors);
  }

  /** One line about configurations, T, bins and the vacuum. */
  static String statistics(
      List<Integer> numbers, OptionalInt extent, int binSize, boolean subtracted) {
    return String.format(
        Locale.ROOT,
        "configurations: %d, from %d to %d%s; bins of %d%s",
        numbers.size(),
        numbers.get(0),
        numbers.get(numbers.size() - 1),
        extent.isPresent() ? "; T = " + extent.getAsInt() : "",
        binSize,
        subtracted ? "; the vacuum is subtracted" : "");
  }

  /** All tables of correlators as text shows them. */
  static List<Table> of(CorrelatorAnalysis analysis) {
    List<Table> tables = new ArrayList<>(quantities(analysis));
    FitResults fits = analysis.fits();
    if (fits != null) {
      tables.addAll(energies(fits));
      String title =
          "integrated autocorrelation times, in steps of the configurations"
              + (fits.evenlySpaced() ? "" : ", whose numbers are not evenly spaced");
      tables.add(autocorrelations(title, analysis.data(), fits));
    }
    return tables;
  }

  /** All tables of correlators as a page shows them. */
  static List<Table> ofPage(CorrelatorAnalysis analysis) {
    List<Table> tables = new ArrayList<>();
    FitResults fits = analysis.fits();
    if (fits != null) {
      tables.addAll(energies(fits));
    }
    tables.addAll(quantities(analysis));
    if (fits != null) {
      String title = "integrated autocorrelation times; suggested bin size " + fits.binSize();
      tables.add(autocorrelations(title, analysis.data(), fits));
    }
    return tables;
  }

  /** All tables of an analysis as text. */
  public static String text(Analysis analysis) {
    StringBuilder text = new StringBuilder(analysis.heading()).append(System.lineSeparator());
    analysis.tables().forEach(table -> table.append(text));
    return text.toString();
  }

  private void append(StringBuilder text) {
    List<String> first = new ArrayList<>(headings);
    boolean bySeparation = headings.get(0).equals(DT) || headings.get(0).equals(T);
    first.set(0, "  " + headings.get(0));
    TextTable table = new TextTable(TextTable.FirstColumn.RIGHT, "  ", first);
    for (List<String> row : rows) {
      List<String> cells = new ArrayList<>(row);
      cells.set(0, bySeparation ? String.format("%4s", row.get(0)) : "    " + row.get(0));
      table.row(cells);
    }
    text.append(String.format(Locale.ROOT, "%n  %s%n%s", title, table));
    remarks.forEach(remark -> text.append(String.format(Locale.ROOT, "    %s%n", remark)));
  }
}
