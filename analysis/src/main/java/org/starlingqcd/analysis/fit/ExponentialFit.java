package org.starlingqcd.analysis.fit;

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
    double unit = points[0][0];
    WindowData data = WindowData.of(times, unit, covariance, 0, times.length - 1);
    WindowData.Minimum ensemble = data == null ? null : data.search(model, points[0]);
    if (data == null || ensemble == null) {
      return null;
    }
    double[] energies = new double[points.length];
    double[] amplitudes = new double[points.length];
    for (int s = 0; s < points.length; s++) {
      WindowData.Minimum found =
          s == 0 ? ensemble : data.minimum(model, points[s], ensemble.parameters());
      energies[s] = found == null ? Double.NaN : model.energy(found.parameters(), 0);
      amplitudes[s] =
          found == null
              ? Double.NaN
              : unit * found.parameters()[0] * Math.exp(energies[s] * times[0]);
    }
    return new ExponentialFit(energies, amplitudes, ensemble.chiSquared(), times.length - 2);
  }
}
