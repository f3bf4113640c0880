package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.ExponentialFit;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * The analysis of three-point functions: ratios that tend to matrix elements.
 *
 * @param data the data
 * @param options how it was made
 * @param resampling how samples were drawn
 * @param subtracted whether ⟨J₁⟩⟨C₂⟩ was subtracted from loops of some insertion
 * @param sink the operators or the state of the sink
 * @param source those of the source
 * @param ratios by insertion, sink, source and kind
 * @param warnings limitations of the numbers, in words
 */
public record CurrentAnalysis(
    CurrentData data,
    CurrentOptions options,
    Resampling resampling,
    boolean subtracted,
    CurrentSide sink,
    CurrentSide source,
    List<Ratio> ratios,
    List<String> warnings)
    implements Analysis {
  private static final String FORMAT = "current_analysis";
  private static final List<String> PARTS = List.of("re", "im");

  /** What is formed of a three-point function C(t) with the two-point functions of both sides. */
  enum Kind {
    /** C(t) / C_f(dt) times the root of two-point functions. */
    PLATEAU("plateau ratio", true),
    /** C(t) / C₂(dt), the same operator at both ends. */
    FORWARD("forward ratio", true),
    /** The sum of the ratio over t strictly between the ends. */
    SUM("sum", false),
    /** Its difference between neighbouring separations, by dt. */
    SLOPE("slope", false),
    /** The sum of the forward ratio over all t. */
    FEYNMAN_HELLMANN("FH sum", false),
    /** Its difference likewise. */
    FEYNMAN_HELLMANN_SLOPE("FH slope", false),
    /** C(t) without the overlaps and exponentials of fits to the two-point functions. */
    OPTIMIZED("optimized operators", true);

    /** In tables. */
    final String title;

    /** Whether it depends on t. */
    final boolean byTime;

    Kind(String title, boolean byTime) {
      this.title = title;
      this.byTime = byTime;
    }

    /** The name in files. */
    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A value.
   *
   * @param separation dt; the first of two
   * @param insertionSeparation t - t_i; -1 where it does not depend on t
   */
  record Point(int separation, int insertionSeparation, Estimate real, Estimate imaginary) {
    /** The real part for 0, the imaginary part for 1. */
    Estimate part(int number) {
      return number == 0 ? real : imaginary;
    }
  }

  /** One kind for one insertion between a sink and a source, by dt and t. */
  record Ratio(String insertion, String sink, String source, Kind kind, List<Point> points) {
    private String label() {
      return insertion + ", " + sink + " <- " + source;
    }

    /** Curves of parts 0 and 1, by t - t_i for each dt, or by dt. */
    private List<Curve> curves(List<Integer> parts) {
      Map<String, List<Point>> groups =
          points.stream()
              .collect(
                  Collectors.groupingBy(
                      point -> kind.byTime ? "dt " + point.separation : kind.title,
                      LinkedHashMap::new,
                      Collectors.toList()));
      List<Curve> curves = new ArrayList<>();
      groups.forEach(
          (label, group) -> {
            List<Integer> places =
                group.stream()
                    .map(p -> kind.byTime ? p.insertionSeparation : p.separation)
                    .toList();
            for (int part : parts) {
              List<Estimate> estimates = group.stream().map(point -> point.part(part)).toList();
              curves.add(new Curve(label + " " + PARTS.get(part), places, estimates));
            }
          });
      return curves;
    }

    private double size(int part) {
      return points.stream()
          .mapToDouble(point -> Math.abs(point.part(part).value()))
          .filter(Double::isFinite)
          .sum();
    }
  }

  /** A fit to the two-point functions of one operator or state. */
  private record Fit(
      boolean atSink,
      String label,
      Estimate energy,
      Estimate overlap,
      double chiSquared,
      int degrees) {
    String side() {
      return atSink ? "sink" : "source";
    }
  }

  /**
   * Analyses three-point functions.
   *
   * @param sink two-point functions of the sink's operators, in their order; null where those of
   *     the result or of the source serve
   * @param source likewise of the source
   * @throws InputException if two-point functions are missing, or the options do not fit the data
   */
  public static CurrentAnalysis of(
      CurrentData data,
      @Nullable CorrelatorData sink,
      @Nullable CorrelatorData source,
      CurrentOptions options) {
    boolean equal = data.hasEqualSides();
    if (!equal && (sink == null || source == null)) {
      throw new InputException(
          String.format(
              Locale.ROOT,
              "%s: sink %s and source %s have operators of their own, and ratios need the two-point"
                  + " functions of both: %s is missing",
              data.name(),
              data.sinkOperators(),
              data.sourceOperators(),
              sink == null ? "--sink-two-point FILE" : "--source-two-point FILE"));
    }
    CorrelatorData own = sink == null && source == null ? data.twoPoint() : null;
    CorrelatorData ofSink = sink != null ? sink : source != null ? source : own;
    CorrelatorData ofSource = source != null ? source : ofSink;
    if (ofSink == null || ofSource == null) {
      throw new IllegalStateException("one of them is there");
    }
    int windows = options.windows().size();
    CurrentSide f =
        CurrentSide.of(
            data,
            ofSink,
            options.analysis(),
            options.sinkState(),
            windows == 0 ? null : options.windows().get(0));
    CurrentSide i =
        CurrentSide.of(
            data,
            ofSource,
            options.analysis(),
            options.sourceState(),
            windows == 0 ? null : options.windows().get(windows - 1));
    Resampling resampling = options.analysis().resampling(data.configurations().size());
    // Correlators of one name are one definition on one ensemble.
    boolean same = ofSink.name().equals(ofSource.name());
    return new CurrentRatios(data, options, resampling, f, i, same).analysis();
  }

  @Override
  public Head head() {
    return new Head(
        data.name(),
        data.ensemble(),
        data.numbers(),
        data.units(),
        data.temporalExtent(),
        resampling,
        options.analysis().binSize(),
        subtracted);
  }

  /** A table for each kind by t, one for sums, one for fits. */
  @Override
  public List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    Map<String, List<Ratio>> pairs =
        ratios.stream()
            .collect(Collectors.groupingBy(Ratio::label, LinkedHashMap::new, Collectors.toList()));
    pairs.forEach(
        (label, all) -> {
          List<Curve> sums = new ArrayList<>();
          for (Ratio ratio : all) {
            List<Curve> curves = ratio.curves(List.of(0, 1));
            if (ratio.kind.byTime) {
              tables.add(Table.of(Table.T, label + ": " + ratio.kind.title, curves));
            } else {
              sums.addAll(curves);
            }
          }
          if (!sums.isEmpty()) {
            tables.add(Table.of(Table.DT, label + ": sums over t", sums));
          }
        });
    List<List<String>> rows = new ArrayList<>();
    for (Fit fit : fits()) {
      rows.add(
          List.of(
              fit.side() + " " + fit.label,
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

  /**
   * Ratios over t with a series for each dt, and differences of sums over dt; each the part that is
   * larger.
   */
  @Override
  public Map<String, AnalysisPlot> plots() {
    Map<String, AnalysisPlot> plots = new LinkedHashMap<>();
    Map<String, Integer> parts = new HashMap<>();
    for (Ratio ratio : ratios) {
      if (ratio.kind == Kind.SUM || ratio.kind == Kind.FEYNMAN_HELLMANN) {
        continue;
      }
      boolean byTime = ratio.kind.byTime;
      String name =
          AnalysisOutput.fileName(
              String.join(
                  "_",
                  ratio.insertion,
                  ratio.sink,
                  ratio.source,
                  byTime ? ratio.kind.label() : "slopes"));
      int part = parts.computeIfAbsent(name, key -> ratio.size(0) >= ratio.size(1) ? 0 : 1);
      AnalysisPlot plot =
          plots.computeIfAbsent(
              name,
              key ->
                  new AnalysisPlot(
                      data.name() + ": " + ratio.label() + " on " + data.ensemble(),
                      (byTime ? ratio.kind.title : "difference of sums")
                          + (part == 0 ? ", real part" : ", imaginary part"),
                      byTime ? "t - ti (lattice units)" : "separation dt (lattice units)",
                      false));
      for (Curve curve : ratio.curves(List.of(part))) {
        String label = curve.label().substring(0, curve.label().length() - 3);
        plot.add(new Curve(label, curve.separations(), curve.points()));
      }
    }
    return plots;
  }

  private List<Fit> fits() {
    List<Fit> fits = new ArrayList<>();
    for (boolean atSink : new boolean[] {true, false}) {
      CurrentSide side = atSink ? sink : source;
      for (int k = 0; k < side.labels().size(); k++) {
        ExponentialFit fit = side.fits().get(k);
        if (fit != null) {
          double[][] numbers = new double[fit.energies().length][];
          for (int s = 0; s < numbers.length; s++) {
            numbers[s] = new double[] {fit.energies()[s], Math.sqrt(fit.amplitudes()[s])};
          }
          String undefined = "Z^2 is negative";
          fits.add(
              new Fit(
                  atSink,
                  side.labels().get(k),
                  Estimate.of(numbers, 0, resampling, undefined),
                  Estimate.of(numbers, 1, resampling, undefined),
                  fit.chiSquared(),
                  fit.degrees()));
        }
      }
    }
    return fits;
  }

  @Override
  public Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> map =
        AnalysisRecord.map("name", data.name(), "ensemble", data.ensemble());
    map.put("sink_operators", data.sinkOperators());
    map.put("source_operators", data.sourceOperators());
    map.put("insertions", data.insertions());
    map.put("temporal_extent", AnalysisRecord.extent(data.temporalExtent()));
    map.put("separations", data.separations());
    map.put("insertion_separations", data.insertionSeparations());
    map.put("configurations", data.numbers());
    AnalysisRecord.putResampling(map, head());
    map.put("part", options.part().toString());
    map.put("vacuum_subtracted", subtracted);
    map.put(
        "ratios",
        ratios.stream()
            .map(
                ratio ->
                    AnalysisRecord.map(
                        "insertion",
                        ratio.insertion,
                        "sink",
                        ratio.sink,
                        "source",
                        ratio.source,
                        "kind",
                        ratio.kind.label(),
                        "points",
                        ratio.points.stream().map(CurrentAnalysis::json).toList()))
            .toList());
    List<Map<String, @Nullable Object>> fits = new ArrayList<>();
    for (Fit fit : fits()) {
      Map<String, @Nullable Object> entry = AnalysisRecord.map("side", fit.side(), "of", fit.label);
      entry.put("energy", AnalysisRecord.number(fit.energy.value()));
      entry.put("error", AnalysisRecord.number(fit.energy.error()));
      entry.put("overlap", AnalysisRecord.number(fit.overlap.value()));
      entry.put("overlap_error", AnalysisRecord.number(fit.overlap.error()));
      entry.put("chi_squared", fit.chiSquared);
      entry.put("degrees_of_freedom", fit.degrees);
      fits.add(entry);
    }
    map.put("fits", fits);
    map.put("warnings", warnings);
    return map;
  }

  private static Map<String, @Nullable Object> json(Point point) {
    Map<String, @Nullable Object> entry = AnalysisRecord.map("separation", point.separation);
    if (point.insertionSeparation >= 0) {
      entry.put("insertion_separation", point.insertionSeparation);
    }
    entry.put("re", AnalysisRecord.number(point.real.value()));
    entry.put("im", AnalysisRecord.number(point.imaginary.value()));
    entry.put("error_re", AnalysisRecord.number(point.real.error()));
    entry.put("error_im", AnalysisRecord.number(point.imaginary.error()));
    if (!point.real.remark().isEmpty()) {
      entry.put("remark", point.real.remark());
    }
    return entry;
  }

  @Override
  public String csv() {
    StringBuilder csv =
        new StringBuilder(
            "quantity,insertion,sink,source,separation,insertion_separation,value,error,remark\n");
    for (Ratio ratio : ratios) {
      for (Point point : ratio.points) {
        for (int part = 0; part < PARTS.size(); part++) {
          AnalysisRecord.row(
              csv,
              point.part(part),
              ratio.kind.label() + "_" + PARTS.get(part),
              ratio.insertion,
              ratio.sink,
              ratio.source,
              AnalysisRecord.text(point.separation),
              AnalysisRecord.text(point.insertionSeparation));
        }
      }
    }
    for (Fit fit : fits()) {
      String atSink = fit.atSink ? fit.label : "";
      String atSource = fit.atSink ? "" : fit.label;
      AnalysisRecord.row(csv, fit.energy, "fit_energy", "", atSink, atSource, "", "");
      AnalysisRecord.row(csv, fit.overlap, "fit_overlap", "", atSink, atSource, "", "");
    }
    return csv.toString();
  }

  @Override
  public void write(Path path) {
    try (Hdf5File file = Hdf5File.create(path)) {
      Hdf5Attributes root = AnalysisFile.writeHead(file, FORMAT, head());
      root.put("sink_operators", data.sinkOperators());
      root.put("source_operators", data.sourceOperators());
      root.put("insertions", data.insertions());
      root.put("part", options.part().toString());
      for (Ratio ratio : ratios) {
        String group =
            String.join(
                "/",
                AnalysisOutput.fileName(ratio.insertion),
                AnalysisOutput.fileName(ratio.sink),
                AnalysisOutput.fileName(ratio.source),
                ratio.kind.label());
        List<Point> points = ratio.points;
        List<Estimate> estimates =
            points.stream().flatMap(point -> Stream.of(point.real, point.imaginary)).toList();
        AnalysisFile.writeEstimates(file, group, ElementType.COMPLEX, estimates, points.size());
        Hdf5Attributes attributes = file.attributes(group);
        attributes.put("separations", points.stream().mapToLong(Point::separation).toArray());
        if (ratio.kind.byTime) {
          attributes.put(
              "insertion_separations",
              points.stream().mapToLong(Point::insertionSeparation).toArray());
        }
      }
      for (Fit fit : fits()) {
        String group = "fits/" + fit.side() + "/" + AnalysisOutput.fileName(fit.label);
        List<Estimate> energy = List.of(fit.energy);
        AnalysisFile.writeEstimates(file, group + "/energy", ElementType.REAL, energy, 1);
        List<Estimate> overlap = List.of(fit.overlap);
        AnalysisFile.writeEstimates(file, group + "/overlap", ElementType.REAL, overlap, 1);
      }
    }
  }
}
