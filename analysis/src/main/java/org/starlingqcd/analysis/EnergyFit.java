package org.starlingqcd.analysis;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.FitModel;
import org.starlingqcd.analysis.fit.FitSettings;
import org.starlingqcd.analysis.fit.WindowFit;

/**
 * Fits of all models to all windows of one correlator, and their average. A window begins anywhere
 * and ends with the correlator.
 *
 * <p>Windows are weighted by Akaike's criterion: AIC = chi² + 2 k + 2 n for k parameters and n
 * points left out, and a weight w of exp(-AIC/2). The average is Σ w E, its error² Σ w σ² + Σ w (E
 * - Σ w E)²: statistics and spread of the windows (Jay and Neil, arXiv:2008.01069, equations 18 and
 * 38).
 *
 * @param points those that were used
 * @param fits those that converge, by model and window
 * @param weights one for each; they add up to 1
 * @param energy the lowest energy, averaged with the weights; the distance of its samples from
 *     their mean is stretched so that they give the total error
 * @param statistical the part of the error from statistics
 * @param spread the part from the spread of the energies about the average: a systematic error
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record EnergyFit(
    Curve points,
    List<WindowFit> fits,
    double[] weights,
    Estimate energy,
    double statistical,
    double spread) {
  /** Points that are taken in any case. */
  private static final int LEAST_POINTS = 4;

  /**
   * Points end before the first that is less than so many errors. With 1, chance decides where they
   * end: in lucky ensembles noise is fitted, and errors are too small.
   */
  private static final double LEAST_SIGNAL = 3;

  /** Windows of a weight below this fraction of the largest do not take part. */
  private static final double LEAST_WEIGHT = 1e-2;

  private static final double NOISIER = 1.6;

  /**
   * Fits all models to all windows, which begin after t0 of an eigenvalue.
   *
   * @param models all of a correlator or of one eigenvalue
   */
  static EnergyFit of(
      Curve curve, Resampling resampling, FitSettings options, List<FitModel> models) {
    Curve points = new Curve(curve.label());
    for (int t = 0; t < curve.points().size(); t++) {
      Estimate point = curve.points().get(t);
      int dt = curve.separations().get(t);
      boolean inside = dt >= options.from && dt <= options.to && !(dt <= models.get(0).t0());
      boolean lost =
          options.to == Integer.MAX_VALUE && LEAST_SIGNAL * point.error() > Math.abs(point.value());
      if (inside && lost && points.points().size() >= LEAST_POINTS) {
        break;
      }
      if (inside && Double.isFinite(point.value()) && point.isNoisy()) {
        points.add(dt, point);
      }
    }
    boolean enough = resampling.samples() > 2 && points.points().size() > 2;
    Covariance covariance = enough ? covariance(points, resampling, options) : null;
    return of(points, resampling, covariance, models);
  }

  /**
   * Fits all models to all windows of points.
   *
   * @param covariance of all points; null: no fit
   */
  static EnergyFit of(
      Curve points, Resampling resampling, @Nullable Covariance covariance, List<FitModel> models) {
    int count = resampling.samples();
    double[] times = points.times();
    double[][] values = points.values(count);
    List<WindowFit> fits =
        covariance == null
            ? List.of()
            : models.parallelStream()
                .flatMap(
                    model ->
                        IntStream.range(0, Math.max(0, times.length - model.parameters()))
                            .mapToObj(
                                first -> WindowFit.of(model, times, values, covariance, first)))
                .filter(Objects::nonNull)
                .toList();
    double[] samples = new double[count];
    if (fits.isEmpty() || covariance == null) {
      String why =
          count <= 2
              ? "no fit with fewer than three samples"
              : "no fit converges; there are " + times.length + " points with errors";
      Estimate none = Estimate.of(Double.NaN, samples, resampling, why);
      return new EnergyFit(points, fits, new double[0], none, Double.NaN, Double.NaN);
    }
    double[][] energies = fits.stream().map(WindowFit::energies).toArray(double[][]::new);
    double[] weights = weights(fits, energies);
    double factor = resampling.factor();
    double average = 0;
    double statistical = 0;
    double spread = 0;
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
    Estimate energy = Estimate.of(average, stretched, resampling, "no window has an error");
    return new EnergyFit(points, fits, weights, energy, Math.sqrt(statistical), Math.sqrt(spread));
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
  @Nullable WindowFit best(int states) {
    return fits.stream()
        .filter(fit -> fit.model().states() == states)
        .min(Comparator.comparingDouble(WindowFit::aic))
        .orElse(null);
  }

  /** One exponential fitted to all points of a curve; null where none converges. */
  static @Nullable WindowFit exponential(
      Curve curve, Resampling resampling, FitSettings options, int periodicExtent) {
    return WindowFit.of(
        new FitModel(1, periodicExtent, Double.NaN),
        curve.times(),
        curve.values(resampling.samples()),
        covariance(curve, resampling, options),
        0);
  }

  static Covariance covariance(Curve curve, Resampling resampling, FitSettings options) {
    double[][] values = curve.values(resampling.samples());
    return Covariance.of(
        Arrays.copyOfRange(values, 1, values.length),
        resampling.factor(),
        resampling.bins(),
        options.covariance,
        options.cut);
  }

  /** The operator or the state. */
  String label() {
    return points.label();
  }
}
