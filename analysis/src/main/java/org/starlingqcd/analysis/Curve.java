package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A quantity of one operator or state by separation.
 *
 * @param label the operator or the state
 * @param separations one for each point, ascending
 * @param points the estimates
 */
public record Curve(String label, List<Integer> separations, List<Estimate> points) {
  /** The curve of the estimates at separation numbers 0, 1, …. */
  static Curve of(String label, List<Integer> separations, IntFunction<Estimate> points) {
    return new Curve(
        label, separations, IntStream.range(0, separations.size()).mapToObj(points).toList());
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

  /**
   * Effective masses between neighbouring separations, each at the first of the two, in lattice
   * units.
   *
   * @param extent the temporal extent, needed by {@link EffectiveMass#COSH} only
   */
  Curve masses(EffectiveMass kind, int extent, Resampling resampling) {
    List<Estimate> masses = new ArrayList<>();
    for (int t = 0; t + 1 < points.size(); t++) {
      int t1 = separations.get(t);
      int t2 = separations.get(t + 1);
      Estimate c1 = points.get(t);
      Estimate c2 = points.get(t + 1);
      double[] samples = new double[resampling.samples()];
      for (int s = 0; s < samples.length; s++) {
        samples[s] = kind.solve(c1.samples()[s], c2.samples()[s], t1, t2, extent);
      }
      double value = kind.solve(c1.value(), c2.value(), t1, t2, extent);
      String why =
          Double.isNaN(value) ? kind.whyUndefined(c1.value(), c2.value(), t1, t2, extent) : "";
      masses.add(Estimate.of(value, samples, resampling, why));
    }
    return new Curve(label, separations.subList(0, masses.size()), masses);
  }
}
