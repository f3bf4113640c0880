package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.starlingqcd.correlators.TextTable;
import org.starlingqcd.hadron.text.Printable;

/** An analysis as text for people and as CSV for programs. */
public final class AnalysisTable {
  /** Heading of the separations. */
  private static final String DT = "  dt";

  private AnalysisTable() {}

  /**
   * Text: the diagonal of the correlator, effective masses, eigenvalues; values as {@code
   * 0.436(11)}.
   */
  public static String text(CorrelatorAnalysis analysis) {
    StringBuilder text = new StringBuilder(heading(analysis)).append(System.lineSeparator());
    blocks(analysis).forEach(block -> block(text, block));
    FitResults fits = analysis.fits();
    if (fits != null) {
      FitTable.text(text, analysis.data(), fits);
    }
    return text.toString();
  }

  /** The tables of correlators, effective masses and eigenvalues. */
  public static List<Block> blocks(CorrelatorAnalysis analysis) {
    List<Block> blocks = new ArrayList<>();
    List<Integer> separations = analysis.data().separations();
    List<String> operators = analysis.data().operators();
    List<Column> diagonal = new ArrayList<>();
    for (int i = 0; i < operators.size(); i++) {
      int operator = i;
      diagonal.add(
          new Column(operators.get(i), t -> analysis.correlator().real(t, operator, operator)));
    }
    blocks.add(
        new Block(
            analysis.connected() ? "connected correlator" : "correlator", separations, diagonal));
    curves(blocks, analysis.masses());
    PrincipalCorrelators principal = analysis.principal();
    if (principal != null) {
      List<Column> states = new ArrayList<>();
      for (int k = 0; k < principal.size(); k++) {
        int state = k;
        states.add(new Column("state " + k, t -> principal.eigenvalue(t, state)));
      }
      blocks.add(
          new Block(
              String.format(
                  Locale.ROOT,
                  "eigenvalues, t0 = %d, states numbered at %d",
                  principal.t0(),
                  principal.td()),
              separations,
              states));
      curves(blocks, analysis.principalMasses());
    }
    return blocks;
  }

  /** One line: name, ensemble, statistics. */
  public static String heading(CorrelatorAnalysis analysis) {
    CorrelatorData data = analysis.data();
    Resampling resampling = analysis.correlator().resampling();
    int units = data.configurations().stream().mapToInt(c -> c.sourceTimes().size()).sum();
    int count = data.configurations().size();
    String errors =
        resampling.samples() == 0
            ? "no errors"
            : resampling.method() == Resampling.Method.JACKKNIFE
                ? String.format(Locale.ROOT, "jackknife over %d bins", resampling.bins())
                : String.format(
                    Locale.ROOT,
                    "bootstrap with %d samples of %d bins, seed %d",
                    resampling.samples(),
                    resampling.bins(),
                    resampling.seed());
    return String.format(
        Locale.ROOT,
        "%s on %s: %d configuration%s, %d source%s in all, %s",
        data.name(),
        Printable.of(data.ensemble()),
        count,
        count == 1 ? "" : "s",
        units,
        units == 1 ? "" : "s",
        errors);
  }

  private static void curves(List<Block> blocks, List<MassCurve> curves) {
    for (EffectiveMass kind : EffectiveMass.values()) {
      List<MassCurve> chosen = curves.stream().filter(c -> c.kind() == kind).toList();
      if (!chosen.isEmpty()) {
        blocks.add(
            new Block(
                "effective mass (" + kind.label() + ")",
                chosen.get(0).separations(),
                chosen.stream().map(c -> new Column(c.label(), c.points()::get)).toList()));
      }
    }
  }

  /**
   * A table of estimates by separation.
   *
   * @param title what it shows
   * @param separations its rows
   * @param columns operators or states
   */
  public record Block(String title, List<Integer> separations, List<Column> columns) {
    /** Copies the lists. */
    public Block {
      separations = List.copyOf(separations);
      columns = List.copyOf(columns);
    }
  }

  /**
   * A column of a table.
   *
   * @param heading operator or state
   * @param values by the number of the separation
   */
  public record Column(String heading, IntFunction<Estimate> values) {}

  private static void block(StringBuilder text, Block block) {
    List<Integer> separations = block.separations();
    List<Column> columns = block.columns();
    List<String> headings = new ArrayList<>(List.of(DT));
    columns.forEach(column -> headings.add(column.heading()));
    TextTable table = new TextTable(TextTable.FirstColumn.RIGHT, "  ", headings);
    for (int t = 0; t < separations.size(); t++) {
      List<String> row =
          new ArrayList<>(List.of(String.format(Locale.ROOT, "%4d", separations.get(t))));
      for (Column column : columns) {
        row.add(UncertainNumber.text(column.values().apply(t)));
      }
      table.row(row);
    }
    text.append(String.format(Locale.ROOT, "%n  %s%n%s", block.title(), table));
    for (Column column : columns) {
      for (int t = 0; t < separations.size(); t++) {
        Estimate estimate = column.values().apply(t);
        // The heading already says that there are no samples.
        if (!estimate.remark().isEmpty()
            && (estimate.samples().length > 0 || !estimate.isDefined())) {
          text.append(
              String.format(
                  Locale.ROOT,
                  "    %s, dt %d: %s%n",
                  column.heading(),
                  separations.get(t),
                  estimate.remark()));
        }
      }
    }
  }

  /**
   * CSV with one number per row: quantity, sink operator (or state), source operator, separation,
   * value, error, remark. It contains the whole matrix, real and imaginary parts; values have all
   * digits, and missing values are empty.
   */
  public static String csv(CorrelatorAnalysis analysis) {
    StringBuilder csv = new StringBuilder("quantity,sink,source,separation,value,error,remark\n");
    CorrelatorData data = analysis.data();
    List<Integer> separations = data.separations();
    for (int t = 0; t < separations.size(); t++) {
      for (int i = 0; i < data.size(); i++) {
        for (int j = 0; j < data.size(); j++) {
          String sink = data.operators().get(i);
          String source = data.operators().get(j);
          int dt = separations.get(t);
          row(csv, "correlator_re", sink, source, dt, analysis.correlator().real(t, i, j));
          row(csv, "correlator_im", sink, source, dt, analysis.correlator().imaginary(t, i, j));
        }
      }
    }
    csv(csv, "effective_mass_", analysis.masses());
    PrincipalCorrelators principal = analysis.principal();
    if (principal != null) {
      for (int t = 0; t < separations.size(); t++) {
        for (int k = 0; k < principal.size(); k++) {
          row(csv, "eigenvalue", "state " + k, "", separations.get(t), principal.eigenvalue(t, k));
        }
      }
      csv(csv, "eigenvalue_mass_", analysis.principalMasses());
    }
    FitResults fits = analysis.fits();
    if (fits != null) {
      FitTable.csv(csv, data, fits);
    }
    return csv.toString();
  }

  private static void csv(StringBuilder csv, String quantity, List<MassCurve> curves) {
    for (MassCurve curve : curves) {
      for (int t = 0; t < curve.points().size(); t++) {
        row(
            csv,
            quantity + curve.kind().label(),
            curve.label(),
            "",
            curve.separations().get(t),
            curve.points().get(t));
      }
    }
  }

  /** Appends a row; a negative separation stays empty. */
  static void row(
      StringBuilder csv, String quantity, String sink, String source, int dt, Estimate estimate) {
    csv.append(quantity)
        .append(',')
        .append(quoted(sink))
        .append(',')
        .append(quoted(source))
        .append(',')
        .append(dt < 0 ? "" : Integer.toString(dt))
        .append(',')
        .append(estimate.isDefined() ? Double.toString(estimate.value()) : "")
        .append(',')
        .append(estimate.hasError() ? Double.toString(estimate.error()) : "")
        .append(',')
        .append(quoted(estimate.remark()))
        .append('\n');
  }

  /** RFC 4180: quoted where there is a comma, a quote or a line break. */
  private static String quoted(String text) {
    return text.matches("[^,\"\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
