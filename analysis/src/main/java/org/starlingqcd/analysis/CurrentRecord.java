package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.CurrentAnalysis.Kind;
import org.starlingqcd.analysis.CurrentAnalysis.Point;
import org.starlingqcd.analysis.CurrentAnalysis.Ratio;
import org.starlingqcd.analysis.fit.ExponentialFit;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** The ratios of three-point functions as tables, plots, JSON, CSV and HDF5. */
final class CurrentRecord {
  private static final String FORMAT = "current_analysis";
  private static final List<String> PARTS = List.of("re", "im");

  private CurrentRecord() {}

  /** A table for each kind by t, one for sums, one for fits. */
  static List<Table> tables(CurrentAnalysis analysis) {
    List<Table> tables = new ArrayList<>();
    Map<String, List<Ratio>> pairs = new LinkedHashMap<>();
    for (Ratio ratio : analysis.ratios()) {
      pairs.computeIfAbsent(label(ratio), key -> new ArrayList<>()).add(ratio);
    }
    pairs.forEach(
        (label, ratios) -> {
          for (Ratio ratio : ratios) {
            if (ratio.kind().byTime) {
              tables.add(table(Table.T, label + ": " + ratio.kind().title, byTime(ratio, PARTS)));
            }
          }
          List<Curve> sums = new ArrayList<>();
          for (Ratio ratio : ratios) {
            if (!ratio.kind().byTime) {
              for (int part = 0; part < PARTS.size(); part++) {
                sums.add(curve(ratio.kind().title + " " + PARTS.get(part), ratio.points(), part));
              }
            }
          }
          if (!sums.isEmpty()) {
            tables.add(table(Table.DT, label + ": sums over t", sums));
          }
        });
    List<List<String>> rows = new ArrayList<>();
    for (Fit fit : fits(analysis)) {
      rows.add(
          List.of(
              fit.side + " " + fit.label,
              UncertainNumber.text(fit.energy),
              UncertainNumber.text(fit.overlap),
              String.format(Locale.ROOT, "%.2f/%d", fit.chiSquared, fit.degrees)));
    }
    if (!rows.isEmpty()) {
      tables.add(
          new Table(
              "fits Z^2 exp(-E dt) to the two-point functions",
              List.of("  ", "E", "Z", "chi2/dof"),
              rows,
              List.of()));
    }
    return tables;
  }

  private static String label(Ratio ratio) {
    return ratio.insertion() + ", " + ratio.sink() + " <- " + ratio.source();
  }

  /** A row for each time or separation of any curve. */
  private static Table table(String first, String title, List<Curve> curves) {
    List<String> headings = new ArrayList<>(List.of(first));
    SortedSet<Integer> all = new TreeSet<>();
    List<String> remarks = new ArrayList<>();
    for (Curve curve : curves) {
      headings.add(curve.label());
      all.addAll(curve.separations());
      for (int k = 0; k < curve.points().size(); k++) {
        Estimate point = curve.points().get(k);
        if (!point.remark().isEmpty() && (point.samples().length > 0 || !point.isDefined())) {
          remarks.add(
              curve.label()
                  + ", "
                  + first
                  + " "
                  + curve.separations().get(k)
                  + ": "
                  + point.remark());
        }
      }
    }
    List<List<String>> rows = new ArrayList<>();
    for (int x : all) {
      List<String> row = new ArrayList<>(List.of(Integer.toString(x)));
      for (Curve curve : curves) {
        int at = curve.separations().indexOf(x);
        row.add(at < 0 ? "" : UncertainNumber.text(curve.points().get(at)));
      }
      rows.add(row);
    }
    return new Table(title, headings, rows, remarks);
  }

  /** Curves by t - t_i, for each dt one of every part. */
  private static List<Curve> byTime(Ratio ratio, List<String> parts) {
    Map<Integer, List<Point>> bySeparation =
        ratio.points().stream()
            .collect(
                Collectors.groupingBy(Point::separation, LinkedHashMap::new, Collectors.toList()));
    List<Curve> curves = new ArrayList<>();
    bySeparation.forEach(
        (dt, points) -> {
          for (String part : parts) {
            curves.add(curve("dt " + dt + " " + part, points, PARTS.indexOf(part)));
          }
        });
    return curves;
  }

  private static Curve curve(String label, List<Point> points, int part) {
    return new Curve(
        label,
        points.stream()
            .map(p -> p.insertionSeparation() < 0 ? p.separation() : p.insertionSeparation())
            .toList(),
        points.stream().map(p -> p.part(part)).toList());
  }

  /**
   * Ratios over t with a series for each dt, and differences of sums over dt; each the part that is
   * larger.
   */
  static Map<String, AnalysisPlot> plots(CurrentAnalysis analysis) {
    Map<String, AnalysisPlot> plots = new LinkedHashMap<>();
    Map<String, String> parts = new HashMap<>();
    for (Ratio ratio : analysis.ratios()) {
      if (ratio.kind() == Kind.SUM || ratio.kind() == Kind.FEYNMAN_HELLMANN) {
        continue;
      }
      String name =
          AnalysisOutput.fileName(
              String.join(
                  "_",
                  ratio.insertion(),
                  ratio.sink(),
                  ratio.source(),
                  ratio.kind().byTime ? ratio.kind().label() : "slopes"));
      String larger = PARTS.get(size(ratio, 0) >= size(ratio, 1) ? 0 : 1);
      String part = parts.computeIfAbsent(name, key -> larger);
      String shown = part.equals("re") ? ", real part" : ", imaginary part";
      AnalysisPlot plot =
          plots.computeIfAbsent(
              name,
              key ->
                  new AnalysisPlot(
                      analysis.name() + ": " + label(ratio) + " on " + analysis.ensemble(),
                      (ratio.kind().byTime ? ratio.kind().title : "difference of sums") + shown,
                      ratio.kind().byTime
                          ? "t - ti (lattice units)"
                          : "separation dt (lattice units)",
                      false));
      if (ratio.kind().byTime) {
        for (Curve curve : byTime(ratio, List.of(part))) {
          String dt = curve.label().substring(0, curve.label().length() - 3);
          plot.add(new Curve(dt, curve.separations(), curve.points()));
        }
      } else {
        plot.add(curve(ratio.kind().title, ratio.points(), PARTS.indexOf(part)));
      }
    }
    return plots;
  }

  private static double size(Ratio ratio, int part) {
    return ratio.points().stream()
        .mapToDouble(point -> Math.abs(point.part(part).value()))
        .filter(Double::isFinite)
        .sum();
  }

  /** A fit to the two-point functions of one operator or state. */
  private record Fit(
      String side,
      String label,
      Estimate energy,
      Estimate overlap,
      double chiSquared,
      int degrees) {}

  private static List<Fit> fits(CurrentAnalysis analysis) {
    List<Fit> fits = new ArrayList<>();
    for (String side : List.of("sink", "source")) {
      CurrentSide of = side.equals("sink") ? analysis.sink() : analysis.source();
      for (int k = 0; k < of.labels().size(); k++) {
        ExponentialFit fit = of.fits().get(k);
        if (fit != null) {
          double[][] numbers = new double[fit.energies().length][];
          for (int s = 0; s < numbers.length; s++) {
            numbers[s] = new double[] {fit.energies()[s], Math.sqrt(fit.amplitudes()[s])};
          }
          String undefined = "Z^2 is negative";
          fits.add(
              new Fit(
                  side,
                  of.labels().get(k),
                  Estimate.of(numbers, 0, analysis.resampling(), undefined),
                  Estimate.of(numbers, 1, analysis.resampling(), undefined),
                  fit.chiSquared(),
                  fit.degrees()));
        }
      }
    }
    return fits;
  }

  /** As {@link AnalysisRecord#json}. */
  static Map<String, @Nullable Object> json(CurrentAnalysis analysis) {
    CurrentData data = analysis.data();
    Resampling resampling = analysis.resampling();
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("name", data.name());
    map.put("ensemble", data.ensemble());
    map.put("sink_operators", data.sinkOperators());
    map.put("source_operators", data.sourceOperators());
    map.put("insertions", data.insertions());
    map.put(
        "temporal_extent",
        data.temporalExtent().isPresent() ? data.temporalExtent().getAsInt() : null);
    map.put("separations", data.separations());
    map.put("insertion_separations", data.insertionSeparations());
    map.put("configurations", data.numbers());
    map.put("resampling", resampling.method().toString());
    map.put("bin_size", analysis.options().analysis().binSize());
    map.put("bins", resampling.bins());
    map.put("samples", resampling.samples());
    map.put("seed", resampling.seed());
    map.put("part", analysis.options().part().toString());
    map.put("vacuum_subtracted", analysis.subtracted());
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    for (Ratio ratio : analysis.ratios()) {
      Map<String, @Nullable Object> entry = new LinkedHashMap<>();
      entry.put("insertion", ratio.insertion());
      entry.put("sink", ratio.sink());
      entry.put("source", ratio.source());
      entry.put("kind", ratio.kind().label());
      entry.put("points", ratio.points().stream().map(CurrentRecord::json).toList());
      list.add(entry);
    }
    map.put("ratios", list);
    List<Map<String, @Nullable Object>> fits = new ArrayList<>();
    for (Fit fit : fits(analysis)) {
      Map<String, @Nullable Object> entry = new LinkedHashMap<>();
      entry.put("side", fit.side);
      entry.put("of", fit.label);
      entry.put("energy", AnalysisRecord.number(fit.energy.value()));
      entry.put("error", AnalysisRecord.number(fit.energy.error()));
      entry.put("overlap", AnalysisRecord.number(fit.overlap.value()));
      entry.put("overlap_error", AnalysisRecord.number(fit.overlap.error()));
      entry.put("chi_squared", fit.chiSquared);
      entry.put("degrees_of_freedom", fit.degrees);
      fits.add(entry);
    }
    map.put("fits", fits);
    map.put("warnings", analysis.warnings());
    return map;
  }

  private static Map<String, @Nullable Object> json(Point point) {
    Map<String, @Nullable Object> entry = new LinkedHashMap<>();
    entry.put("separation", point.separation());
    if (point.insertionSeparation() >= 0) {
      entry.put("insertion_separation", point.insertionSeparation());
    }
    for (int part = 0; part < PARTS.size(); part++) {
      entry.put(PARTS.get(part), AnalysisRecord.number(point.part(part).value()));
    }
    for (int part = 0; part < PARTS.size(); part++) {
      entry.put("error_" + PARTS.get(part), AnalysisRecord.number(point.part(part).error()));
    }
    if (!point.real().remark().isEmpty()) {
      entry.put("remark", point.real().remark());
    }
    return entry;
  }

  /**
   * CSV with one number a row: quantity, insertion, sink, source, separation, insertion separation,
   * value, error, remark.
   */
  static String csv(CurrentAnalysis analysis) {
    StringBuilder csv =
        new StringBuilder(
            "quantity,insertion,sink,source,separation,insertion_separation,value,error,remark\n");
    for (Ratio ratio : analysis.ratios()) {
      for (Point point : ratio.points()) {
        for (int part = 0; part < PARTS.size(); part++) {
          row(
              csv,
              List.of(
                  ratio.kind().label() + "_" + PARTS.get(part),
                  ratio.insertion(),
                  ratio.sink(),
                  ratio.source(),
                  Integer.toString(point.separation()),
                  point.insertionSeparation() < 0
                      ? ""
                      : Integer.toString(point.insertionSeparation())),
              point.part(part));
        }
      }
    }
    for (Fit fit : fits(analysis)) {
      boolean sink = fit.side.equals("sink");
      List<String> place = List.of("", sink ? fit.label : "", sink ? "" : fit.label, "", "");
      row(csv, prepended("fit_energy", place), fit.energy);
      row(csv, prepended("fit_overlap", place), fit.overlap);
    }
    return csv.toString();
  }

  private static List<String> prepended(String first, List<String> rest) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(rest);
    return all;
  }

  private static void row(StringBuilder csv, List<String> place, Estimate estimate) {
    place.forEach(cell -> csv.append(AnalysisRecord.quoted(cell)).append(','));
    csv.append(estimate.isDefined() ? Double.toString(estimate.value()) : "").append(',');
    csv.append(estimate.hasError() ? Double.toString(estimate.error()) : "").append(',');
    csv.append(AnalysisRecord.quoted(estimate.remark())).append('\n');
  }

  /** Writes everything with all samples; the layout is in {@code docs/analysis.md}. */
  static void write(Path path, CurrentAnalysis analysis) {
    CurrentData data = analysis.data();
    Resampling resampling = analysis.resampling();
    try (Hdf5File file = Hdf5File.create(path)) {
      Hdf5Attributes root = file.attributes("/");
      root.put("format", FORMAT);
      root.put("format_version", 1);
      root.put("name", data.name());
      root.put("ensemble", data.ensemble());
      root.put("sink_operators", data.sinkOperators());
      root.put("source_operators", data.sourceOperators());
      root.put("insertions", data.insertions());
      root.put("configurations", AnalysisFile.integers(data.numbers()));
      data.temporalExtent().ifPresent(extent -> root.put("temporal_extent", extent));
      root.put("resampling", resampling.method().toString());
      root.put("bin_size", analysis.options().analysis().binSize());
      root.put("bins", resampling.bins());
      if (resampling.method() == Resampling.Method.BOOTSTRAP) {
        root.put("seed", resampling.seed());
      }
      root.put("part", analysis.options().part().toString());
      root.put("vacuum_subtracted", analysis.subtracted() ? 1 : 0);
      for (Ratio ratio : analysis.ratios()) {
        String group =
            String.join(
                "/",
                AnalysisOutput.fileName(ratio.insertion()),
                AnalysisOutput.fileName(ratio.sink()),
                AnalysisOutput.fileName(ratio.source()),
                ratio.kind().label());
        List<Point> points = ratio.points();
        complex(file, group + "/mean", points, Estimate::value);
        complex(file, group + "/error", points, Estimate::error);
        int samples = resampling.samples();
        double[] all = new double[2 * samples * points.size()];
        for (int k = 0; k < all.length; k++) {
          Point point = points.get(k / 2 % points.size());
          all[k] = point.part(k % 2).samples()[k / 2 / points.size()];
        }
        AnalysisFile.write(
            file, group + "/samples", ElementType.COMPLEX, all, samples, points.size());
        Hdf5Attributes attributes = file.attributes(group);
        attributes.put("separations", points.stream().mapToLong(Point::separation).toArray());
        if (ratio.kind().byTime) {
          attributes.put(
              "insertion_separations",
              points.stream().mapToLong(Point::insertionSeparation).toArray());
        }
      }
      for (Fit fit : fits(analysis)) {
        String group = "fits/" + fit.side + "/" + AnalysisOutput.fileName(fit.label);
        for (String what : List.of("energy", "overlap")) {
          Estimate estimate = what.equals("energy") ? fit.energy : fit.overlap;
          String name = group + "/" + what;
          double[] samples = estimate.samples();
          AnalysisFile.write(
              file, name + "/mean", ElementType.REAL, new double[] {estimate.value()}, 1);
          AnalysisFile.write(
              file, name + "/error", ElementType.REAL, new double[] {estimate.error()}, 1);
          AnalysisFile.write(file, name + "/samples", ElementType.REAL, samples, samples.length, 1);
        }
      }
    }
  }

  private static void complex(
      Hdf5File file, String name, List<Point> points, Function<Estimate, Double> number) {
    double[] values =
        IntStream.range(0, 2 * points.size())
            .mapToDouble(k -> number.apply(points.get(k / 2).part(k % 2)))
            .toArray();
    AnalysisFile.write(file, name, ElementType.COMPLEX, values, points.size());
  }
}
