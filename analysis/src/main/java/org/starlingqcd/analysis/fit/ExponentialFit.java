package org.starlingqcd.analysis.fit;

import java.util.Arrays;
import org.apache.commons.math3.linear.RealMatrix;
import org.jspecify.annotations.Nullable;

/**
 * One exponential, or one that runs both ways around the lattice, fitted to given points.
 *
 * @param energies E on the ensemble, then on every sample; NaN where no fit converges
 * @param amplitudes A of A exp(-E t), likewise
 * @param chiSquared of the ensemble, with the covariance of the points
 * @param degrees degrees of freedom
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record ExponentialFit(
    double[] energies, double[] amplitudes, double chiSquared, int degrees) {
  /**
   * Fits; the covariance is that of the ensemble on every sample.
   *
   * @param times the separations, ascending, at least two
   * @param points on the ensemble, then on every sample, [1 + samples][point]
   * @param periodicExtent T for a periodic lattice, 0 for an exponential
   * @return null when no fit converges on the ensemble
   */
  public static @Nullable ExponentialFit of(
      double[] times, double[][] points, Covariance covariance, int periodicExtent) {
    FitModel model = new FitModel(1, periodicExtent);
    RealMatrix whitening = covariance.whitening(0, times.length - 1);
    double unit = points[0][0];
    if (whitening == null || unit == 0) {
      return null;
    }
    WindowData data = new WindowData(times, whitening.scalarMultiply(Math.abs(unit)));
    WindowData.Minimum ensemble = data.search(model, scaled(points[0], unit));
    if (ensemble == null) {
      return null;
    }
    double[] energies = new double[points.length];
    double[] amplitudes = new double[points.length];
    for (int s = 0; s < points.length; s++) {
      WindowData.Minimum found =
          s == 0 ? ensemble : data.minimum(model, scaled(points[s], unit), ensemble.parameters());
      energies[s] = found == null ? Double.NaN : model.energy(found.parameters(), 0);
      amplitudes[s] =
          found == null
              ? Double.NaN
              : unit * found.parameters()[0] * Math.exp(energies[s] * times[0]);
    }
    return new ExponentialFit(energies, amplitudes, ensemble.chiSquared(), times.length - 2);
  }

  private static double[] scaled(double[] values, double unit) {
    return Arrays.stream(values).map(value -> value / unit).toArray();
  }
}
