package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
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
  record Ratio(String insertion, String sink, String source, Kind kind, List<Point> points) {}

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
    return new Formation(data, options, resampling, f, i, same).analysis();
  }

  /** Forms all ratios. */
  private static final class Formation {
    private final CurrentData data;
    private final CurrentOptions options;
    private final Resampling resampling;
    private final CurrentSide sink;
    private final CurrentSide source;
    private final boolean sameData;
    private final int times;
    private final List<Ratio> ratios = new ArrayList<>();
    private final Set<Integer> lacking = new TreeSet<>();
    private final Set<String> warnings = new LinkedHashSet<>();

    Formation(
        CurrentData data,
        CurrentOptions options,
        Resampling resampling,
        CurrentSide sink,
        CurrentSide source,
        boolean sameData) {
      this.data = data;
      this.options = options;
      this.resampling = resampling;
      this.sink = sink;
      this.source = source;
      this.sameData = sameData;
      this.times = data.insertionSeparations().size();
    }

    CurrentAnalysis analysis() {
      int count = data.configurations().size();
      boolean subtracted = false;
      if (resampling.samples() == 0) {
        warnings.add(
            (count == 1
                    ? "only one configuration"
                    : "all " + count + " configurations are in one bin")
                + ": no errors can be estimated");
      }
      for (int m = 0; m < data.insertions().size(); m++) {
        if (options.part() == CurrentOptions.Part.DISCONNECTED && !data.hasLoops(m)) {
          throw new InputException(
              data.name()
                  + ": the insertion '"
                  + data.insertions().get(m)
                  + "' has no disconnected part; --insertions selects others");
        }
        subtracted |=
            options.analysis().subtract()
                && options.part() != CurrentOptions.Part.CONNECTED
                && data.hasCurrent(m)
                && data.hasLoops(m);
        for (int f = 0; f < sink.labels().size(); f++) {
          for (int i = 0; i < source.labels().size(); i++) {
            form(m, f, i);
          }
        }
      }
      if (subtracted && count == 1) {
        warnings.add(
            "the vacuum is subtracted with loops of a single configuration: nothing is left of the"
                + " disconnected part");
      }
      if (!lacking.isEmpty()) {
        warnings.add("ratios need two-point functions at the separations " + lacking + ", too");
      }
      if (ratios.isEmpty()) {
        throw new InputException(
            data.name()
                + ": no ratio can be formed of the separations "
                + data.separations()
                + " and t - t_i "
                + data.insertionSeparations()
                + "; ratios need two-point functions at "
                + lacking);
      }
      return new CurrentAnalysis(
          data,
          options,
          resampling,
          subtracted,
          sink,
          source,
          List.copyOf(ratios),
          List.copyOf(warnings));
    }

    private void form(int insertion, int f, int i) {
      double[][] c3 =
          new CurrentAverages(
                  data,
                  insertion,
                  options.part(),
                  options.analysis().subtract(),
                  sink.vectors().get(f),
                  source.vectors().get(i))
              .of(resampling);
      // Of one operator, or one state, all two-point functions under the root cancel.
      boolean forward =
          sameData
              && sink.data().operators().equals(source.data().operators())
              && Arrays.equals(sink.vectors().get(f), source.vectors().get(i));
      List<Ratio> formed = new ArrayList<>();
      Kind kind = forward ? Kind.FORWARD : Kind.PLATEAU;
      double[][] values = new double[c3.length][];
      for (int s = 0; s < c3.length; s++) {
        double[] cf = sink.correlators().get(f)[s];
        double[] ci = source.correlators().get(i)[s];
        values[s] =
            scaled(
                c3[s],
                (dt, t) -> {
                  double two = at(sink, cf, dt);
                  return forward ? 1 / two : root(cf, ci, dt, t) / two;
                });
      }
      add(formed, kind, values);
      addSums(formed, kind, Kind.SUM, values, (dt, t) -> t > 0 && t < dt, dt -> dt - 1);
      OptionalInt extent = extent();
      if (forward && extent.isPresent()) {
        int all = extent.getAsInt();
        addSums(formed, kind, Kind.FEYNMAN_HELLMANN, values, (dt, t) -> true, dt -> all);
      }
      if (!options.windows().isEmpty()) {
        optimized(formed, c3, f, i);
      }
      for (Ratio one : formed) {
        if (!one.points.isEmpty()) {
          ratios.add(
              new Ratio(
                  data.insertions().get(insertion),
                  sink.labels().get(f),
                  source.labels().get(i),
                  one.kind,
                  one.points));
        }
      }
    }

    /** A function of dt and t - t_i. */
    private interface Factor {
      double at(int dt, int t);
    }

    /** Whether a time counts. */
    private interface Chosen {
      boolean at(int dt, int t);
    }

    /** The numbers of a three-point function multiplied by a factor. */
    private double[] scaled(double[] c3, Factor factor) {
      double[] result = new double[c3.length];
      for (int k = 0; k < c3.length; k += 2) {
        double by =
            factor.at(
                data.separations().get(k / 2 / times),
                data.insertionSeparations().get(k / 2 % times));
        result[k] = by * c3[k];
        result[k + 1] = by * c3[k + 1];
      }
      return result;
    }

    /** C₂(dt); NaN where it is not there. */
    private static double at(CurrentSide side, double[] correlator, int dt) {
      int index = side.data().separations().indexOf(dt);
      return index < 0 ? Double.NaN : correlator[index];
    }

    /** √[C_i(t_f-t) C_f(t-t_i) C_f(dt) / (C_f(t_f-t) C_i(t-t_i) C_i(dt))], NaN where undefined. */
    private double root(double[] cf, double[] ci, int dt, int t) {
      return Math.sqrt(
          at(source, ci, dt - t)
              * at(sink, cf, t)
              * at(sink, cf, dt)
              / (at(sink, cf, dt - t) * at(source, ci, t) * at(source, ci, dt)));
    }

    /** Whether there is everything that a point needs; notes separations that are not there. */
    private boolean isThere(Kind kind, int dt, int t) {
      if (kind != Kind.FORWARD && t > dt) {
        return false;
      }
      List<Integer> needed =
          kind == Kind.OPTIMIZED
              ? List.of()
              : kind == Kind.FORWARD ? List.of(dt) : List.of(t, dt - t, dt);
      List<Integer> missing =
          needed.stream()
              .filter(
                  d ->
                      !sink.data().separations().contains(d)
                          || !source.data().separations().contains(d))
              .toList();
      lacking.addAll(missing);
      return missing.isEmpty();
    }

    /** T, if t takes every value and some file says it. */
    private OptionalInt extent() {
      OptionalInt known =
          data.temporalExtent().isPresent() ? data.temporalExtent() : sink.data().temporalExtent();
      return known.isPresent() && known.getAsInt() == times ? known : OptionalInt.empty();
    }

    /**
     * Adds sums over the chosen t at each dt that has so many of them, and their differences.
     *
     * @param of interleaved complex [dt][t], for the ensemble and every sample
     */
    private void addSums(
        List<Ratio> formed,
        Kind ratio,
        Kind total,
        double[][] of,
        Chosen chosen,
        IntUnaryOperator needed) {
      List<Integer> at = new ArrayList<>();
      double[][] sums = new double[of.length][2 * data.separations().size()];
      for (int d = 0; d < data.separations().size(); d++) {
        int dt = data.separations().get(d);
        List<Integer> places = new ArrayList<>();
        for (int t = 0; t < times; t++) {
          int after = data.insertionSeparations().get(t);
          if (chosen.at(dt, after) && isThere(ratio, dt, after)) {
            places.add(2 * (d * times + t));
          }
        }
        if (!places.isEmpty() && places.size() == needed.applyAsInt(dt)) {
          for (int s = 0; s < of.length; s++) {
            for (int place : places) {
              sums[s][2 * at.size()] += of[s][place];
              sums[s][2 * at.size() + 1] += of[s][place + 1];
            }
          }
          at.add(dt);
        }
      }
      List<Point> points = new ArrayList<>();
      List<Point> slopes = new ArrayList<>();
      for (int d = 0; d < at.size(); d++) {
        points.add(point(sums, 2 * d, at.get(d), -1));
      }
      for (int d = 0; d + 1 < at.size(); d++) {
        int steps = at.get(d + 1) - at.get(d);
        for (double[] sum : sums) {
          // In place: the sums before are not needed any more.
          sum[2 * d] = (sum[2 * d + 2] - sum[2 * d]) / steps;
          sum[2 * d + 1] = (sum[2 * d + 3] - sum[2 * d + 1]) / steps;
        }
        slopes.add(point(sums, 2 * d, at.get(d), -1));
      }
      boolean strictly = total == Kind.SUM;
      formed.add(new Ratio("", "", "", total, points));
      formed.add(
          new Ratio("", "", "", strictly ? Kind.SLOPE : Kind.FEYNMAN_HELLMANN_SLOPE, slopes));
    }

    private void optimized(List<Ratio> formed, double[][] c3, int f, int i) {
      ExponentialFit atSink = sink.fits().get(f);
      ExponentialFit atSource = source.fits().get(i);
      if (atSink == null || atSource == null) {
        warnings.add(
            (atSink == null ? sink.labels().get(f) : source.labels().get(i))
                + ": no exponential can be fitted to the two-point function"
                + (resampling.samples() < 3 ? " with fewer than three samples" : "")
                + ", so there are no optimized operators");
        return;
      }
      double[][] result = new double[c3.length][];
      for (int s = 0; s < c3.length; s++) {
        double ef = atSink.energies()[s];
        double ei = atSource.energies()[s];
        double norm = 2 * Math.sqrt(ef * ei / (atSink.amplitudes()[s] * atSource.amplitudes()[s]));
        result[s] =
            scaled(c3[s], (dt, t) -> t > dt ? Double.NaN : norm * Math.exp(ef * (dt - t) + ei * t));
      }
      add(formed, Kind.OPTIMIZED, result);
    }

    /** Adds the points that have their two-point functions. */
    private void add(List<Ratio> formed, Kind kind, double[][] all) {
      List<Point> points = new ArrayList<>();
      for (int k = 0; k < all[0].length; k += 2) {
        int dt = data.separations().get(k / 2 / times);
        int t = data.insertionSeparations().get(k / 2 % times);
        if (isThere(kind, dt, t)) {
          points.add(point(all, k, dt, t));
        }
      }
      formed.add(new Ratio("", "", "", kind, points));
    }

    private Point point(double[][] all, int index, int dt, int t) {
      String undefined = "two-point functions vanish, or those under the root differ in sign";
      return new Point(
          dt,
          t,
          Estimate.of(all, index, resampling, undefined),
          Estimate.of(all, index + 1, resampling, undefined));
    }
  }

  @Override
  public String name() {
    return data.name();
  }

  @Override
  public String ensemble() {
    return data.ensemble();
  }

  @Override
  public String heading() {
    return Table.heading(
        name(), ensemble(), data.configurations().size(), data.units(), resampling);
  }

  @Override
  public String statistics() {
    return Table.statistics(
        data.numbers(), data.temporalExtent(), options.analysis().binSize(), subtracted);
  }

  @Override
  public List<Table> tables() {
    return CurrentRecord.tables(this);
  }

  @Override
  public Map<String, AnalysisPlot> plots() {
    return CurrentRecord.plots(this);
  }

  @Override
  public Map<String, @Nullable Object> json() {
    return CurrentRecord.json(this);
  }

  @Override
  public String csv() {
    return CurrentRecord.csv(this);
  }

  @Override
  public void write(Path path) {
    CurrentRecord.write(path, this);
  }
}
