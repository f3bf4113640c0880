package org.starlingqcd.analysis.fit;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;

/**
 * Fits of all models to all windows of one correlator, and their average. A window begins anywhere
 * and ends with the correlator.
 *
 * <p>Windows are weighted by Akaike's criterion: AIC = chi² + 2 k + 2 n for k parameters and n
 * points left out, and a weight w of exp(-AIC/2). The average is Σ w E, its error² Σ w σ² + Σ w (E
 * - Σ w E)²: statistics and spread of the windows (Jay and Neil, arXiv:2008.01069, equations 18 and
 * 38).
 *
 * @param fits those that converge, by model and window
 * @param weights one for each; they add up to 1
 * @param average the lowest energy, averaged with the weights; NaN without fits
 * @param statistical the part of the error from statistics
 * @param spread the part from the spread of the energies about the average: a systematic error
 * @param averageSamples the average on every sample, its distance from their mean stretched so that
 *     the samples give the total error
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record WindowScan(
    List<WindowFit> fits,
    double[] weights,
    double average,
    double statistical,
    double spread,
    double[] averageSamples) {
  /** Windows of a weight below this fraction of the largest do not take part. */
  private static final double LEAST_WEIGHT = 1e-2;

  private static final double NOISIER = 1.6;

  /** A scan without fits. */
  public static WindowScan none(int samples) {
    double none = Double.NaN;
    return new WindowScan(List.of(), new double[0], none, none, none, new double[samples]);
  }

  /**
   * Scans all windows.
   *
   * @param times the separations, ascending
   * @param points on the ensemble, then on every sample, [1 + samples][point]
   * @param factor of the sum of squares over samples, as in {@link Covariance}
   * @param models what is fitted
   */
  public static WindowScan of(
      double[] times,
      double[][] points,
      Covariance covariance,
      double factor,
      List<FitModel> models) {
    List<WindowFit> fits =
        models.parallelStream()
            .flatMap(
                model ->
                    IntStream.range(0, Math.max(0, times.length - model.parameters()))
                        .mapToObj(first -> WindowFit.of(model, times, points, covariance, first)))
            .filter(Objects::nonNull)
            .toList();
    double[][] energies = fits.stream().map(WindowFit::energies).toArray(double[][]::new);
    if (fits.isEmpty()) {
      return none(points.length - 1);
    }
    double[] weights = weights(fits, energies);
    double average = 0;
    double statistical = 0;
    double spread = 0;
    double[] samples = new double[points.length - 1];
    for (int k = 0; k < weights.length; k++) {
      if (weights[k] != 0) {
        average += weights[k] * energies[k][0];
        double inflation = covariance.inflation(fits.get(k).degrees());
        statistical += weights[k] * inflation * factor * squares(energies[k], 1);
        for (int s = 0; s < samples.length; s++) {
          samples[s] += weights[k] * energies[k][1 + s];
        }
      }
    }
    for (int k = 0; k < weights.length; k++) {
      spread += weights[k] * (energies[k][0] - average) * (energies[k][0] - average);
    }
    double centre = Arrays.stream(samples).average().orElse(0);
    double stretch = Math.sqrt((statistical + spread) / (factor * squares(samples, 0)));
    double[] stretched = Arrays.stream(samples).map(x -> centre + stretch * (x - centre)).toArray();
    return new WindowScan(
        fits, weights, average, Math.sqrt(statistical), Math.sqrt(spread), stretched);
  }

  /**
   * The weights of fits, NaN where none takes part. Those without an energy on some sample have no
   * error, and do not take part. Those of an eigenvalue do not that know the energy less well by a
   * factor {@link #NOISIER} than the one of the least AIC with as many states.
   */
  private static double[] weights(List<WindowFit> fits, double[]... energies) {
    double least = fits.stream().mapToDouble(WindowFit::aic).min().orElse(0);
    double[] weights =
        IntStream.range(0, fits.size())
            .mapToDouble(k -> Math.exp(0.5 * (least - fits.get(k).aic())))
            .map(weight -> weight < LEAST_WEIGHT ? 0 : weight)
            .toArray();
    for (int k = 0; k < weights.length; k++) {
      weights[k] = Arrays.stream(energies[k]).allMatch(Double::isFinite) ? weights[k] : 0;
    }
    for (int k = 0; k < weights.length; k++) {
      FitModel model = fits.get(k).model();
      int best =
          IntStream.range(0, weights.length)
              .filter(j -> weights[j] > 0 && fits.get(j).model().equals(model))
              .boxed()
              .min(Comparator.comparingDouble(j -> fits.get(j).aic()))
              .orElse(k);
      double limit = NOISIER * NOISIER * squares(energies[best], 1);
      if (!Double.isNaN(model.t0()) && weights[k] > 0 && squares(energies[k], 1) > limit) {
        weights[k] = 0;
      }
    }
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(weight -> weight / sum).toArray();
  }

  /** The sum of squared distances from the mean, of numbers from a place on. */
  private static double squares(double[] values, int from) {
    int count = values.length - from;
    return StatUtils.populationVariance(values, from, count) * count;
  }

  /** The fit of the largest weight with a number of states; null when there is none. */
  public @Nullable WindowFit best(int states) {
    return fits.stream()
        .filter(fit -> fit.model().states() == states)
        .min(Comparator.comparingDouble(WindowFit::aic))
        .orElse(null);
  }
}
