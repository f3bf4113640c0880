package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.ExponentialFit;
import org.starlingqcd.correlators.InputException;

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

    /** Curves of a part, by t - t_i for each dt, or by dt. */
    private List<Curve> curves(int part) {
      Map<String, Curve> curves = new LinkedHashMap<>();
      for (Point point : points) {
        String label = kind.byTime ? "dt " + point.separation : kind.title;
        Curve curve =
            curves.computeIfAbsent(label, x -> new Curve(x, new ArrayList<>(), new ArrayList<>()));
        curve.separations().add(kind.byTime ? point.insertionSeparation : point.separation);
        curve.points().add(point.part(part));
      }
      return List.copyOf(curves.values());
    }

    private double size(int part) {
      return points.stream()
          .mapToDouble(point -> Math.abs(point.part(part).value()))
          .filter(Double::isFinite)
          .sum();
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
      throw InputException.of(
          "%s: sink %s and source %s have operators of their own, and ratios need the two-point"
              + " functions of both: %s is missing",
          data.name(),
          data.sinkOperators(),
          data.sourceOperators(),
          sink == null ? "--sink-two-point FILE" : "--source-two-point FILE");
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

  /** A table for each kind, and one for fits. */
  @Override
  public List<Table> tables() {
    Map<Kind, Table> tables = new EnumMap<>(Kind.class);
    for (Ratio ratio : ratios) {
      List<String> keys = new ArrayList<>(List.of("insertion", "sink", "source"));
      if (ratio.kind.byTime) {
        keys.add(Table.TIME);
      }
      keys.add(Table.SEPARATION);
      Table table =
          tables.computeIfAbsent(
              ratio.kind, kind -> new Table(kind.label(), kind.title, 3, keys, Table.COMPLEX));
      for (Point point : ratio.points) {
        List<Object> place = new ArrayList<>(List.of(ratio.insertion, ratio.sink, ratio.source));
        if (ratio.kind.byTime) {
          place.add(point.insertionSeparation);
        }
        place.add(point.separation);
        table.row(place, point.real, point.imaginary);
      }
    }
    List<Table> all = new ArrayList<>(tables.values());
    Table fits =
        new Table(
            "fits",
            "fits Z^2 exp(-E dt) to the two-point functions",
            0,
            List.of("side", "of"),
            List.of("energy", "overlap", "chi_squared", "dof"));
    for (boolean atSink : new boolean[] {true, false}) {
      CurrentSide side = atSink ? sink : source;
      for (int k = 0; k < side.labels().size(); k++) {
        ExponentialFit fit = side.fits().get(k);
        if (fit != null) {
          double[] overlaps = Arrays.stream(fit.amplitudes()).map(Math::sqrt).toArray();
          String undefined = "Z^2 is negative";
          fits.row(
              List.of(atSink ? "sink" : "source", side.labels().get(k)),
              Estimate.of(fit.energies(), resampling, undefined),
              Estimate.of(overlaps, resampling, undefined),
              fit.chiSquared(),
              fit.degrees());
        }
      }
    }
    if (!fits.rows().isEmpty()) {
      all.add(fits);
    }
    return all;
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
      ratio.curves(part).forEach(plot::add);
    }
    return plots;
  }

  @Override
  public Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("format", "current_analysis");
    facts.put("sink_operators", data.sinkOperators());
    facts.put("source_operators", data.sourceOperators());
    facts.put("insertions", data.insertions());
    facts.put("separations", data.separations());
    facts.put("insertion_separations", data.insertionSeparations());
    facts.put("part", options.part().toString());
    return facts;
  }
}
