package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An analysis as the nested maps and lists that {@code starling analyze --json} prints. */
public final class AnalysisRecord {
  private AnalysisRecord() {}

  /** The record of one correlation matrix; undefined values are null and have a remark. */
  public static Map<String, @Nullable Object> of(CorrelatorAnalysis analysis) {
    CorrelatorData data = analysis.data();
    Resampling resampling = analysis.correlator().resampling();
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("name", data.name());
    map.put("ensemble", data.ensemble());
    map.put("operators", data.operators());
    map.put("conjugation", data.conjugation());
    map.put(
        "temporal_extent",
        data.temporalExtent().isPresent() ? data.temporalExtent().getAsInt() : null);
    map.put("separations", data.separations());
    List<Map<String, Object>> configurations = new ArrayList<>();
    for (CorrelatorData.Configuration configuration : data.configurations()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("configuration", configuration.number());
      entry.put("sources", configuration.sourceTimes());
      configurations.add(entry);
    }
    map.put("configurations", configurations);
    map.put("resampling", resampling.method().name().toLowerCase(Locale.ROOT));
    map.put("bin_size", analysis.binSize());
    map.put("bins", resampling.bins());
    map.put("samples", resampling.samples());
    map.put("seed", resampling.seed());
    map.put("vacuum_subtracted", analysis.connected());
    map.put("correlator", correlator(analysis));
    map.put("effective_masses", curves(analysis.masses(), "operator"));
    PrincipalCorrelators principal = analysis.principal();
    if (principal != null) {
      map.put("gevp", gevp(principal, analysis.principalMasses()));
    }
    FitResults fits = analysis.fits();
    if (fits != null) {
      FitTable.record(map, data, fits);
    }
    map.put("warnings", analysis.warnings());
    return map;
  }

  private static List<Map<String, @Nullable Object>> correlator(CorrelatorAnalysis analysis) {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    CorrelatorData data = analysis.data();
    for (int t = 0; t < data.separations().size(); t++) {
      for (int i = 0; i < data.size(); i++) {
        for (int j = 0; j < data.size(); j++) {
          Estimate re = analysis.correlator().real(t, i, j);
          Estimate im = analysis.correlator().imaginary(t, i, j);
          Map<String, @Nullable Object> entry = new LinkedHashMap<>();
          entry.put("separation", data.separations().get(t));
          entry.put("sink", data.operators().get(i));
          entry.put("source", data.operators().get(j));
          entry.put("re", re.value());
          entry.put("im", im.value());
          entry.put("error_re", number(re.error()));
          entry.put("error_im", number(im.error()));
          list.add(entry);
        }
      }
    }
    return list;
  }

  private static Map<String, @Nullable Object> gevp(
      PrincipalCorrelators principal, List<MassCurve> masses) {
    Map<String, @Nullable Object> gevp = new LinkedHashMap<>();
    gevp.put("t0", principal.t0());
    gevp.put("td", principal.td());
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    for (int t = 0; t < principal.separations().size(); t++) {
      double[] vectors = principal.vectors()[t];
      for (int k = 0; k < principal.size(); k++) {
        Map<String, @Nullable Object> entry =
            point(principal.separations().get(t), principal.eigenvalue(t, k));
        entry.put("state", k);
        List<List<Double>> vector = new ArrayList<>();
        for (int i = 0; i < principal.size(); i++) {
          int index = 2 * (k * principal.size() + i);
          vector.add(List.of(vectors[index], vectors[index + 1]));
        }
        entry.put("vector", vector);
        list.add(entry);
      }
    }
    gevp.put("eigenvalues", list);
    gevp.put("effective_masses", curves(masses, "state"));
    return gevp;
  }

  private static List<Map<String, @Nullable Object>> curves(List<MassCurve> curves, String label) {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    for (MassCurve curve : curves) {
      Map<String, @Nullable Object> entry = new LinkedHashMap<>();
      entry.put(label, curve.label());
      entry.put("kind", curve.kind().label());
      List<Map<String, @Nullable Object>> points = new ArrayList<>();
      for (int t = 0; t < curve.points().size(); t++) {
        points.add(point(curve.separations().get(t), curve.points().get(t)));
      }
      entry.put("points", points);
      list.add(entry);
    }
    return list;
  }

  private static Map<String, @Nullable Object> point(int separation, Estimate estimate) {
    Map<String, @Nullable Object> entry = new LinkedHashMap<>();
    entry.put("separation", separation);
    entry.put("value", number(estimate.value()));
    entry.put("error", number(estimate.error()));
    if (!estimate.remark().isEmpty()) {
      entry.put("remark", estimate.remark());
    }
    return entry;
  }

  /** JSON has no NaN. */
  static @Nullable Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }
}
