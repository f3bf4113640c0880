package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Effective masses of one correlator between neighbouring separations.
 *
 * @param label the operator, or the state of the eigenvalue problem
 * @param kind which effective mass
 * @param separations the first of the two separations of every point
 * @param points the masses, in lattice units
 */
public record MassCurve(
    String label, EffectiveMass kind, List<Integer> separations, List<Estimate> points) {

  /** Copies the lists. */
  public MassCurve {
    separations = List.copyOf(separations);
    points = List.copyOf(points);
  }

  /**
   * The masses of a correlator.
   *
   * @param separations the correlator's separations
   * @param extent the temporal extent, needed by {@link EffectiveMass#COSH} only
   * @param correlator its value at separation number t
   */
  static MassCurve of(
      String label,
      EffectiveMass kind,
      List<Integer> separations,
      int extent,
      IntFunction<Estimate> correlator,
      Resampling resampling) {
    List<Integer> starts = new ArrayList<>();
    List<Estimate> points = new ArrayList<>();
    for (int t = 0; t + 1 < separations.size(); t++) {
      int t1 = separations.get(t);
      int t2 = separations.get(t + 1);
      Estimate c1 = correlator.apply(t);
      Estimate c2 = correlator.apply(t + 1);
      double[] samples = new double[resampling.samples()];
      for (int s = 0; s < samples.length; s++) {
        samples[s] = kind.solve(c1.samples()[s], c2.samples()[s], t1, t2, extent);
      }
      double value = kind.solve(c1.value(), c2.value(), t1, t2, extent);
      String why =
          Double.isNaN(value) ? kind.whyUndefined(c1.value(), c2.value(), t1, t2, extent) : "";
      starts.add(t1);
      points.add(Estimate.of(value, samples, resampling, why));
    }
    return new MassCurve(label, kind, starts, points);
  }
}
