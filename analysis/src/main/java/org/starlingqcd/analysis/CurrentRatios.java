package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.starlingqcd.analysis.CurrentAnalysis.Kind;
import org.starlingqcd.analysis.CurrentAnalysis.Point;
import org.starlingqcd.analysis.CurrentAnalysis.Ratio;
import org.starlingqcd.analysis.fit.ExponentialFit;
import org.starlingqcd.correlators.InputException;

/** Forms the ratios of a {@link CurrentAnalysis}. */
final class CurrentRatios {
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

  /**
   * Prepares the ratios.
   *
   * @param sameData whether the two-point functions of both sides are of one definition
   */
  CurrentRatios(
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

  /** The analysis, with all ratios that can be formed. */
  CurrentAnalysis analysis() {
    int count = data.configurations().size();
    boolean subtracted = false;
    if (resampling.samples() == 0) {
      warnings.add(CorrelatorAnalysis.noErrors(count));
    }
    for (int m = 0; m < data.insertions().size(); m++) {
      if (options.part() == CurrentOptions.Part.DISCONNECTED && !data.hasLoops(m)) {
        throw InputException.of(
            "%s: the insertion '%s' has no disconnected part; --insertions selects others",
            data.name(), data.insertions().get(m));
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
      throw InputException.of(
          "%s: no ratio can be formed of the separations %s and t - t_i %s; ratios need two-point"
              + " functions at %s",
          data.name(), data.separations(), data.insertionSeparations(), lacking);
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
    String name = data.insertions().get(insertion);
    BiConsumer<Kind, List<Point>> formed =
        (kind, points) -> {
          if (!points.isEmpty()) {
            ratios.add(new Ratio(name, sink.labels().get(f), source.labels().get(i), kind, points));
          }
        };
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
    Kind kind = forward ? Kind.FORWARD : Kind.PLATEAU;
    double[][] values =
        scaled(
            c3,
            (s, dt, t) -> {
              double[] cf = sink.correlators().get(f)[s];
              double[] ci = source.correlators().get(i)[s];
              return (forward ? 1 : root(cf, ci, dt, t)) / at(sink, cf, dt);
            });
    formed.accept(kind, points(kind, values));
    addSums(formed, kind, Kind.SUM, values, (dt, t) -> t > 0 && t < dt, dt -> dt - 1);
    OptionalInt known = data.temporalExtent();
    OptionalInt extent = known.isPresent() ? known : sink.data().temporalExtent();
    if (forward && extent.isPresent() && extent.getAsInt() == times) {
      addSums(formed, kind, Kind.FEYNMAN_HELLMANN, values, (dt, t) -> true, dt -> times);
    }
    if (!options.windows().isEmpty()) {
      optimized(formed, c3, f, i);
    }
  }

  /** A function of a sample, dt and t - t_i. */
  private interface Factor {
    double at(int sample, int dt, int t);
  }

  private int separation(int place) {
    return data.separations().get(place / times);
  }

  private int time(int place) {
    return data.insertionSeparations().get(place % times);
  }

  /** The numbers of a three-point function multiplied by a factor. */
  private double[][] scaled(double[][] c3, Factor factor) {
    double[][] result = new double[c3.length][c3[0].length];
    for (int s = 0; s < c3.length; s++) {
      for (int k = 0; k < c3[s].length; k += 2) {
        double by = factor.at(s, separation(k / 2), time(k / 2));
        result[s][k] = by * c3[s][k];
        result[s][k + 1] = by * c3[s][k + 1];
      }
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

  /**
   * Adds sums over the chosen t at each dt that has so many of them, and their differences.
   *
   * @param of interleaved complex [dt][t], for the ensemble and every sample
   */
  private void addSums(
      BiConsumer<Kind, List<Point>> formed,
      Kind ratio,
      Kind total,
      double[][] of,
      BiPredicate<Integer, Integer> chosen,
      IntUnaryOperator needed) {
    List<Integer> at = new ArrayList<>();
    double[][] sums = new double[of.length][2 * data.separations().size()];
    for (int d = 0; d < data.separations().size(); d++) {
      int dt = data.separations().get(d);
      int[] places =
          IntStream.range(d * times, (d + 1) * times)
              .filter(place -> chosen.test(dt, time(place)) && isThere(ratio, dt, time(place)))
              .toArray();
      if (places.length > 0 && places.length == needed.applyAsInt(dt)) {
        for (int s = 0; s < of.length; s++) {
          for (int place : places) {
            sums[s][2 * at.size()] += of[s][2 * place];
            sums[s][2 * at.size() + 1] += of[s][2 * place + 1];
          }
        }
        at.add(dt);
      }
    }
    formed.accept(
        total, IntStream.range(0, at.size()).mapToObj(d -> point(sums, d, at.get(d), -1)).toList());
    List<Point> slopes = new ArrayList<>();
    for (int d = 0; d + 1 < at.size(); d++) {
      int steps = at.get(d + 1) - at.get(d);
      for (double[] sum : sums) {
        // In place: the sums before are not needed any more.
        sum[2 * d] = (sum[2 * d + 2] - sum[2 * d]) / steps;
        sum[2 * d + 1] = (sum[2 * d + 3] - sum[2 * d + 1]) / steps;
      }
      slopes.add(point(sums, d, at.get(d), -1));
    }
    formed.accept(total == Kind.SUM ? Kind.SLOPE : Kind.FEYNMAN_HELLMANN_SLOPE, slopes);
  }

  private void optimized(BiConsumer<Kind, List<Point>> formed, double[][] c3, int f, int i) {
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
    Factor factor =
        (s, dt, t) -> {
          double ef = atSink.energies()[s];
          double ei = atSource.energies()[s];
          double overlaps = atSink.amplitudes()[s] * atSource.amplitudes()[s];
          return t > dt
              ? Double.NaN
              : 2 * Math.sqrt(ef * ei / overlaps) * Math.exp(ef * (dt - t) + ei * t);
        };
    formed.accept(Kind.OPTIMIZED, points(Kind.OPTIMIZED, scaled(c3, factor)));
  }

  /** The points that have their two-point functions. */
  private List<Point> points(Kind kind, double[][] all) {
    return IntStream.range(0, all[0].length / 2)
        .filter(place -> isThere(kind, separation(place), time(place)))
        .mapToObj(place -> point(all, place, separation(place), time(place)))
        .toList();
  }

  private Point point(double[][] all, int place, int dt, int t) {
    String undefined = "two-point functions vanish, or those under the root differ in sign";
    return new Point(
        dt,
        t,
        Estimate.of(all, 2 * place, resampling, undefined),
        Estimate.of(all, 2 * place + 1, resampling, undefined));
  }
}
