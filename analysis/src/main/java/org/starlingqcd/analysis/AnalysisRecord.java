package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.FitResults.EnergyFit;
import org.starlingqcd.analysis.fit.Autocorrelation;
import org.starlingqcd.analysis.fit.WindowFit;

/** All numbers of an analysis for programs: as JSON and as CSV. */
public final class AnalysisRecord {
  private AnalysisRecord() {}

  /**
   * The nested maps and lists that {@code starling analyze --json} prints; undefined values are
   * null and have a remark.
   */
  public static Map<String, @Nullable Object> json(CorrelatorAnalysis analysis) {
    CorrelatorData data = analysis.data();
    Map<String, @Nullable Object> map = map("name", data.name(), "ensemble", data.ensemble());
    map.put("operators", data.operators());
    map.put("conjugation", data.conjugation());
    map.put("temporal_extent", extent(data.temporalExtent()));
    map.put("separations", data.separations());
    List<Map<String, @Nullable Object>> configurations = new ArrayList<>();
    for (CorrelatorData.Configuration configuration : data.configurations()) {
      configurations.add(
          map("configuration", configuration.number(), "sources", configuration.sourceTimes()));
    }
    map.put("configurations", configurations);
    putResampling(map, analysis.head());
    map.put("vacuum_subtracted", analysis.connected());
    List<Map<String, @Nullable Object>> elements = new ArrayList<>();
    analysis.forEachElement(
        (dt, sink, source, re, im) -> {
          Map<String, @Nullable Object> entry =
              map("separation", dt, "sink", sink, "source", source);
          entry.put("re", re.value());
          entry.put("im", im.value());
          entry.put("error_re", number(re.error()));
          entry.put("error_im", number(im.error()));
          elements.add(entry);
        });
    map.put("correlator", elements);
    map.put("effective_masses", masses(analysis, false));
    PrincipalCorrelators principal = analysis.principal();
    if (principal != null) {
      Map<String, @Nullable Object> gevp = map("t0", principal.t0(), "td", principal.td());
      gevp.put("eigenvalues", eigenvalues(principal));
      gevp.put("effective_masses", masses(analysis, true));
      gevp.put("overlaps", overlaps(analysis));
      map.put("gevp", gevp);
    }
    FitResults fits = analysis.fits();
    if (fits != null) {
      map.put("fits", fits.correlators().stream().map(AnalysisRecord::fit).toList());
      map.put("eigenvalue_fits", fits.eigenvalues().stream().map(AnalysisRecord::fit).toList());
      List<Map<String, @Nullable Object>> times = new ArrayList<>();
      for (int k = 0; k < data.size(); k++) {
        for (int t = 0; t < data.separations().size(); t++) {
          Autocorrelation time = fits.autocorrelations().get(k).get(t);
          Map<String, @Nullable Object> entry =
              map("operator", data.operators().get(k), "separation", data.separations().get(t));
          entry.put("time", number(time.time()));
          entry.put("error", number(time.error()));
          entry.put("window", time.window());
          times.add(entry);
        }
      }
      map.put("autocorrelation_times", times);
      map.put("suggested_bin_size", fits.binSize());
    }
    map.put("warnings", analysis.warnings());
    return map;
  }

  /** How samples were drawn. */
  static void putResampling(Map<String, @Nullable Object> map, Analysis.Head head) {
    map.put("resampling", head.resampling().method().toString());
    map.put("bin_size", head.binSize());
    map.put("bins", head.resampling().bins());
    map.put("samples", head.resampling().samples());
    map.put("seed", head.resampling().seed());
  }

  static @Nullable Integer extent(OptionalInt extent) {
    return extent.isPresent() ? extent.getAsInt() : null;
  }

  static Map<String, @Nullable Object> map(Object... keysAndValues) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (int k = 0; k < keysAndValues.length; k += 2) {
      map.put((String) keysAndValues[k], keysAndValues[k + 1]);
    }
    return map;
  }

  private static List<Map<String, @Nullable Object>> eigenvalues(PrincipalCorrelators principal) {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    int n = principal.size();
    for (int t = 0; t < principal.separations().size(); t++) {
      double[] vectors = principal.vectors()[t];
      for (int k = 0; k < n; k++) {
        Map<String, @Nullable Object> entry =
            point(principal.separations().get(t), principal.eigenvalue(t, k));
        entry.put("state", k);
        entry.put(
            "vector",
            IntStream.range(k * n, (k + 1) * n)
                .mapToObj(i -> List.of(vectors[2 * i], vectors[2 * i + 1]))
                .toList());
        list.add(entry);
      }
    }
    return list;
  }

  private static List<Map<String, @Nullable Object>> overlaps(CorrelatorAnalysis analysis) {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    for (Curve operator : analysis.overlaps()) {
      for (int k = 0; k < operator.points().size(); k++) {
        Estimate overlap = operator.points().get(k);
        Map<String, @Nullable Object> entry = map("state", k, "operator", operator.label());
        entry.put("value", number(overlap.value()));
        entry.put("error", number(overlap.error()));
        list.add(entry);
      }
    }
    return list;
  }

  private static List<Map<String, @Nullable Object>> masses(
      CorrelatorAnalysis analysis, boolean ofStates) {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    for (Quantity quantity : analysis.masses(ofStates)) {
      for (Curve curve : quantity.curves()) {
        list.add(
            map(
                ofStates ? "state" : "operator",
                curve.label(),
                "kind",
                String.valueOf(quantity.mass()),
                "points",
                IntStream.range(0, curve.points().size())
                    .mapToObj(t -> point(curve.separations().get(t), curve.points().get(t)))
                    .toList()));
      }
    }
    return list;
  }

  private static Map<String, @Nullable Object> point(int separation, Estimate estimate) {
    Map<String, @Nullable Object> entry = map("separation", separation);
    entry.put("value", number(estimate.value()));
    entry.put("error", number(estimate.error()));
    if (!estimate.remark().isEmpty()) {
      entry.put("remark", estimate.remark());
    }
    return entry;
  }

  private static Map<String, @Nullable Object> fit(EnergyFit fit) {
    Map<String, @Nullable Object> map = map("of", fit.label());
    map.put("energy", number(fit.energy().value()));
    map.put("error", number(fit.energy().error()));
    map.put("statistical", number(fit.statistical()));
    map.put("spread", number(fit.spread()));
    map.put("shrinkage", fit.share());
    List<Map<String, @Nullable Object>> windows = new ArrayList<>();
    for (WindowFit window : fit.scan() == null ? List.<WindowFit>of() : fit.scan().fits()) {
      int states = window.model().states();
      Map<String, @Nullable Object> entry = map("states", states);
      entry.put("periodic", window.model().periodicExtent() > 0);
      entry.put("first", fit.separations().get(window.first()));
      entry.put("last", fit.separations().get(window.last()));
      entry.put("energies", IntStream.range(0, states).mapToObj(window::energy).toList());
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

  /** JSON has no NaN. */
  static @Nullable Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }

  /**
   * CSV with one number per row: quantity, sink operator (or state), source operator, separation,
   * value, error, remark. It contains the whole matrix, real and imaginary parts; values have all
   * digits, and missing values are empty.
   */
  static String csv(CorrelatorAnalysis analysis) {
    StringBuilder csv = new StringBuilder("quantity,sink,source,separation,value,error,remark\n");
    analysis.forEachElement(
        (dt, sink, source, re, im) -> {
          row(csv, "correlator_re", sink, source, dt, re);
          row(csv, "correlator_im", sink, source, dt, im);
        });
    for (Quantity quantity : analysis.quantities()) {
      List<Curve> curves = quantity.curves();
      if (quantity.mass() != null) {
        String name = (quantity.ofStates() ? "eigenvalue_mass_" : "effective_mass_");
        curves.forEach(curve -> rows(csv, name + quantity.mass(), curve));
      } else if (quantity.ofStates()) {
        for (int t = 0; t < curves.get(0).points().size(); t++) {
          for (Curve curve : curves) {
            int dt = curve.separations().get(t);
            row(csv, "eigenvalue", curve.label(), "", dt, curve.points().get(t));
          }
        }
      }
    }
    for (Curve operator : analysis.overlaps()) {
      for (int k = 0; k < operator.points().size(); k++) {
        row(csv, "overlap", "state " + k, operator.label(), -1, operator.points().get(k));
      }
    }
    FitResults fits = analysis.fits();
    if (fits != null) {
      fits.correlators().forEach(fit -> fit(csv, "fit_energy", fit));
      fits.eigenvalues().forEach(fit -> fit(csv, "eigenvalue_fit_energy", fit));
      for (int k = 0; k < analysis.data().size(); k++) {
        rows(csv, "autocorrelation_time", Table.autocorrelations(analysis.data(), fits, k));
      }
    }
    return csv.toString();
  }

  private static void fit(StringBuilder csv, String quantity, EnergyFit fit) {
    row(csv, quantity, fit.label(), "", -1, fit.energy());
    Estimate statistical = new Estimate(fit.statistical(), Double.NaN, new double[0], "");
    row(csv, quantity + "_statistical", fit.label(), "", -1, statistical);
    Estimate spread = new Estimate(fit.spread(), Double.NaN, new double[0], "");
    row(csv, quantity + "_spread", fit.label(), "", -1, spread);
  }

  private static void rows(StringBuilder csv, String quantity, Curve curve) {
    for (int t = 0; t < curve.points().size(); t++) {
      row(csv, quantity, curve.label(), "", curve.separations().get(t), curve.points().get(t));
    }
  }

  /** Appends a row; a negative separation stays empty. */
  private static void row(
      StringBuilder csv, String quantity, String sink, String source, int dt, Estimate estimate) {
    row(csv, estimate, quantity, sink, source, text(dt));
  }

  /** A number for CSV; one that is negative is none. */
  static String text(int number) {
    return number < 0 ? "" : Integer.toString(number);
  }

  /** Appends a row: its place, then value, error and remark. */
  static void row(StringBuilder csv, Estimate estimate, String... place) {
    for (String cell : place) {
      csv.append(quoted(cell)).append(',');
    }
    csv.append(estimate.isDefined() ? Double.toString(estimate.value()) : "").append(',');
    csv.append(estimate.hasError() ? Double.toString(estimate.error()) : "").append(',');
    csv.append(quoted(estimate.remark())).append('\n');
  }

  /**
   * RFC 4180: quoted where there is a comma, a quote or a line break. A text that a spreadsheet
   * would take for a formula gets an apostrophe, with which spreadsheets mark a text.
   */
  public static String quoted(String text) {
    if (!text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0) {
      return "\"'" + text.replace("\"", "\"\"") + '"';
    }
    return text.matches("[^,\"\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
