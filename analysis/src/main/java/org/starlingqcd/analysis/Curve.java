package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A quantity of one operator or state by separation.
 *
 * @param label the operator or the state
 * @param separations one for each point, ascending
 * @param points the estimates
 */
public record Curve(String label, List<Integer> separations, List<Estimate> points) {
  /** A curve to which points are added. */
  Curve(String label) {
    this(label, new ArrayList<>(), new ArrayList<>());
  }

  /** The curve of the estimates at separation numbers 0, 1, …. */
  static Curve of(String label, List<Integer> separations, IntFunction<Estimate> points) {
    return new Curve(
        label, separations, IntStream.range(0, separations.size()).mapToObj(points).toList());
  }

  /** Adds a point. */
  void add(int separation, Estimate point) {
    separations.add(separation);
    points.add(point);
  }

  /** The same with another label. */
  Curve labelled(String other) {
    return new Curve(other, separations, points);
  }

  /** The points up to a separation. */
  Curve upTo(int last) {
    int count = (int) separations.stream().filter(dt -> dt <= last).count();
    return new Curve(label, separations.subList(0, count), points.subList(0, count));
  }

  /** The points for which something holds. */
  Curve part(Predicate<Estimate> chosen) {
    Curve part = new Curve(label);
    for (int k = 0; k < points.size(); k++) {
      if (chosen.test(points.get(k))) {
        part.add(separations.get(k), points.get(k));
      }
    }
    return part;
  }

  /** The separations for fits. */
  double[] times() {
    return separations.stream().mapToDouble(Integer::doubleValue).toArray();
  }

  /** The points on the ensemble, then on every sample, [1 + samples][point]. */
  double[][] values(int samples) {
    double[][] values = new double[1 + samples][points.size()];
    for (int t = 0; t < points.size(); t++) {
      for (int s = 0; s < values.length; s++) {
        values[s][t] = points.get(t).at(s);
      }
    }
    return values;
  }

  /**
   * Effective masses between neighbouring separations, each at the first of the two, in lattice
   * units.
   *
   * @param extent the temporal extent, needed by {@link EffectiveMass#COSH} only
   */
  Curve masses(EffectiveMass kind, int extent, Resampling resampling) {
    Curve masses = new Curve(label);
    for (int t = 0; t + 1 < points.size(); t++) {
      int t1 = separations.get(t);
      int t2 = separations.get(t + 1);
      Estimate c1 = points.get(t);
      Estimate c2 = points.get(t + 1);
      String why = kind.whyUndefined(c1.value(), c2.value(), t1, t2, extent);
      masses.add(t1, c1.with(c2, (x, y) -> kind.solve(x, y, t1, t2, extent), resampling, why));
    }
    return masses;
  }
}
