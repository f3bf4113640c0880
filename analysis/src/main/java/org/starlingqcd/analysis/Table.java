package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.starlingqcd.analysis.FitResults.EnergyFit;
import org.starlingqcd.analysis.fit.Autocorrelation;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.WindowFit;
import org.starlingqcd.correlators.TextTable;

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
  /** Title of the table whose rows a page shows as bars. */
  static final String OVERLAPS = "overlaps |<0|O|state>|";

  /** The first heading where there is a row for each separation. */
  static final String DT = "dt";

  /** The first heading where there is a row for each t - t_i. */
  static final String T = "t";

  /**
   * A table with a row for each separation or time of any curve.
   *
   * @param first {@link #DT} or {@link #T}
   */
  static Table of(String first, String title, List<Curve> curves) {
    List<String> headings = new ArrayList<>(List.of(first));
    SortedMap<Integer, List<String>> rows = new TreeMap<>();
    List<String> remarks = new ArrayList<>();
    for (Curve curve : curves) {
      headings.add(curve.label());
      for (int k = 0; k < curve.points().size(); k++) {
        Estimate point = curve.points().get(k);
        int at = curve.separations().get(k);
        List<String> row = rows.computeIfAbsent(at, x -> new ArrayList<>(List.of("" + x)));
        while (row.size() < headings.size() - 1) {
          row.add("");
        }
        row.add(UncertainNumber.text(point));
        // The heading already says that there are no samples.
        if (!point.remark().isEmpty() && (point.samples().length > 0 || !point.isDefined())) {
          remarks.add(curve.label() + ", " + first + " " + at + ": " + point.remark());
        }
      }
    }
    for (List<String> row : rows.values()) {
      while (row.size() < headings.size()) {
        row.add("");
      }
    }
    return new Table(title, headings, List.copyOf(rows.values()), remarks);
  }

  /** Correlators, effective masses, eigenvalues and overlaps. */
  static List<Table> quantities(CorrelatorAnalysis analysis) {
    List<Table> tables = new ArrayList<>();
    for (Quantity quantity : analysis.quantities()) {
      tables.add(of(DT, quantity.title(), quantity.curves()));
    }
    if (!analysis.overlaps().isEmpty()) {
      List<String> headings = new ArrayList<>(List.of("  "));
      analysis.overlaps().get(0).separations().forEach(k -> headings.add("state " + k));
      List<List<String>> rows = new ArrayList<>();
      for (Curve operator : analysis.overlaps()) {
        List<String> row = new ArrayList<>(List.of(operator.label()));
        operator.points().forEach(point -> row.add(UncertainNumber.text(point)));
        rows.add(row);
      }
      tables.add(new Table(OVERLAPS, headings, rows, List.of()));
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
        List.of("  ", "energy", "statistics", "windows", "best fit", "chi2/dof", "p", "two states"),
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
    for (double part : new double[] {fit.statistical(), fit.spread()}) {
      row.add(Double.isNaN(part) ? "-" : String.format(Locale.ROOT, "%.2g", part));
    }
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
    Table table =
        of(
            DT,
            title,
            IntStream.range(0, data.size())
                .mapToObj(k -> autocorrelations(data, fits, k))
                .toList());
    return new Table(
        title, table.headings, table.rows, List.of("suggested bin size: " + fits.binSize()));
  }

  /** The autocorrelation times of an operator. */
  static Curve autocorrelations(CorrelatorData data, FitResults fits, int operator) {
    List<Autocorrelation> times = fits.autocorrelations().get(operator);
    return Curve.of(
        data.operators().get(operator),
        data.separations(),
        t -> new Estimate(times.get(t).time(), times.get(t).error(), new double[0], ""));
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
