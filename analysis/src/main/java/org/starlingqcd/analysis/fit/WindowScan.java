package org.starlingqcd.analysis.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.math3.special.Gamma;
import org.jspecify.annotations.Nullable;

/**
 * Fits of all models to all windows of one correlator, and their average.
 *
 * <p>Windows are weighted by Akaike's criterion: AIC = chi² + 2 k + 2 n for k parameters and n
 * points left out, and a weight w of exp(-AIC/2). The average is Σ w E, its error² Σ w σ² + Σ w (E
 * - Σ w E)²: statistics and spread of the windows (Jay and Neil, arXiv:2008.01069, equations 18 and
 * 38). The covariance is that of the ensemble on every sample.
 *
 * @param fits those that converge, by model and window; weights add up to 1
 * @param average the lowest energy, averaged with the weights
 * @param statistical the part of the error from statistics
 * @param spread the part from the spread of the energies about the average: a systematic error
 * @param averageSamples the average on every sample, its distance from their mean stretched so that
 *     the samples give the total error
 * @param energySamples for each fit the lowest energy on every sample
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record WindowScan(
    List<WindowFit> fits,
    double average,
    double statistical,
    double spread,
    double[] averageSamples,
    double[][] energySamples) {
  /** Windows of a weight below this fraction of the largest do not take part. */
  private static final double LEAST_WEIGHT = 1e-2;

  private static final double NOISIER = 1.6;

  /**
   * Scans all windows.
   *
   * @param times the separations, ascending
   * @param mean the points on the ensemble
   * @param samples on every sample, [sample][point]
   * @param factor of the sum of squares over samples, as in {@link Covariance}
   * @param models what is fitted
   * @return null when nothing can be fitted
   */
  public static @Nullable WindowScan of(
      double[] times,
      double[] mean,
      double[][] samples,
      Covariance covariance,
      double factor,
      List<FitModel> models) {
    List<Window> windows = new ArrayList<>();
    for (FitModel model : models) {
      for (int first = 0; first < times.length; first++) {
        int last = times.length - 1;
        if (last >= first + model.parameters()) {
          windows.add(new Window(model, first, last));
        }
      }
    }
    List<WindowFit> fits =
        windows.parallelStream()
            .map(window -> fit(times, mean, covariance, window))
            .flatMap(Optional::stream)
            .toList();
    if (fits.isEmpty()) {
      return null;
    }
    return averaged(times, mean, samples, covariance, factor, fits);
  }

  /** A model and the points that it is fitted to, both ends included. */
  private record Window(FitModel model, int first, int last) {}

  private static Optional<WindowFit> fit(
      double[] times, double[] mean, Covariance covariance, Window window) {
    FitModel model = window.model();
    int first = window.first();
    int last = window.last();
    WindowData data = WindowData.of(times, unit(model, mean, first), covariance, first, last);
    WindowData.Minimum minimum = data == null ? null : data.search(model, mean);
    if (minimum == null) {
      return Optional.empty();
    }
    int points = last - first + 1;
    double chiSquared = minimum.chiSquared();
    return Optional.of(
        new WindowFit(
            model,
            first,
            last,
            minimum.parameters(),
            chiSquared,
            Gamma.regularizedGammaQ(0.5 * (points - model.parameters()), 0.5 * chiSquared),
            chiSquared + 2 * model.parameters() + 2 * (times.length - points),
            0));
  }

  /** The first point; 1 where the size of the points is that of the model. */
  private static double unit(FitModel model, double[] mean, int first) {
    return model.pinned() ? 1 : mean[first];
  }

  private static WindowScan averaged(
      double[] times,
      double[] mean,
      double[][] samples,
      Covariance covariance,
      double factor,
      List<WindowFit> fits) {
    double least = fits.stream().mapToDouble(WindowFit::aic).min().orElse(0);
    double sum = fits.stream().mapToDouble(fit -> Math.exp(0.5 * (least - fit.aic()))).sum();
    double[] weights = new double[fits.size()];
    double[][] energies = new double[fits.size()][];
    double kept = 0;
    for (int k = 0; k < weights.length; k++) {
      double relative = Math.exp(0.5 * (least - fits.get(k).aic()));
      energies[k] = energies(times, mean, samples, covariance, fits.get(k));
      // A window without an energy on some sample has no error, so it cannot take part.
      if (relative >= LEAST_WEIGHT && Arrays.stream(energies[k]).allMatch(Double::isFinite)) {
        weights[k] = relative / sum;
        kept += weights[k];
      }
    }
    kept -= prune(fits, energies, weights);
    List<WindowFit> weighted = new ArrayList<>();
    double average = kept > 0 ? 0 : Double.NaN;
    double statistical = 0;
    double[] averageSamples = new double[samples.length];
    for (int k = 0; k < weights.length; k++) {
      double weight = kept > 0 ? weights[k] / kept : 0;
      weighted.add(fits.get(k).withWeight(weight));
      if (weight > 0) {
        average += weight * fits.get(k).energy(0);
        double inflation = covariance.inflation(fits.get(k).degrees());
        statistical += weight * inflation * factor * squares(energies[k]);
        for (int s = 0; s < samples.length; s++) {
          averageSamples[s] += weight * energies[k][s];
        }
      }
    }
    double spread = 0;
    for (WindowFit fit : weighted) {
      spread += fit.weight() * (fit.energy(0) - average) * (fit.energy(0) - average);
    }
    double centre = Arrays.stream(averageSamples).average().orElse(0);
    double stretch = Math.sqrt((statistical + spread) / (factor * squares(averageSamples)));
    double[] stretched =
        Arrays.stream(averageSamples).map(x -> centre + stretch * (x - centre)).toArray();
    return new WindowScan(
        weighted, average, Math.sqrt(statistical), Math.sqrt(spread), stretched, energies);
  }

  /**
   * Leaves windows of an eigenvalue out that know the energy less well by a factor {@link #NOISIER}
   * than the one of the least AIC with as many states; returns the weight that is lost.
   */
  private static double prune(List<WindowFit> fits, double[][] energies, double[] weights) {
    double lost = 0;
    for (int k = 0; k < weights.length; k++) {
      FitModel model = fits.get(k).model();
      int best =
          IntStream.range(0, weights.length)
              .filter(j -> weights[j] > 0 && fits.get(j).model().equals(model))
              .boxed()
              .min(Comparator.comparingDouble(j -> fits.get(j).aic()))
              .orElse(k);
      double limit = NOISIER * NOISIER * squares(energies[best]);
      if (!Double.isNaN(model.t0()) && weights[k] > 0 && squares(energies[k]) > limit) {
        lost += weights[k];
        weights[k] = 0;
      }
    }
    return lost;
  }

  /** The sum of squared distances from the mean. */
  private static double squares(double[] values) {
    double mean = Arrays.stream(values).average().orElse(0);
    return Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum();
  }

  private static double[] energies(
      double[] times, double[] mean, double[][] samples, Covariance covariance, WindowFit fit) {
    double[] energies = new double[samples.length];
    double unit = unit(fit.model(), mean, fit.first());
    WindowData data = WindowData.of(times, unit, covariance, fit.first(), fit.last());
    Arrays.fill(energies, Double.NaN);
    if (data != null) {
      IntStream.range(0, samples.length)
          .parallel()
          .forEach(
              s -> {
                WindowData.Minimum minimum =
                    data.minimum(fit.model(), samples[s], fit.parameters());
                energies[s] =
                    minimum == null ? Double.NaN : fit.model().energy(minimum.parameters(), 0);
              });
    }
    return energies;
  }

  /** The fit of the largest weight with a number of states, by index; -1 when there is none. */
  public int best(int states) {
    return IntStream.range(0, fits.size())
        .filter(k -> fits.get(k).model().states() == states)
        .boxed()
        .min(Comparator.comparingDouble(k -> fits.get(k).aic()))
        .orElse(-1);
  }
}
