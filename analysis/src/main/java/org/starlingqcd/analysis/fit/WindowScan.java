package org.starlingqcd.analysis.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.special.Gamma;
import org.jspecify.annotations.Nullable;

/**
 * Fits of all models to all windows of one correlator, and their average.
 *
 * <p>Windows are weighted by Akaike's criterion: AIC = chi² + 2 k + 2 n for k parameters and n
 * points left out, and a weight of exp(-AIC/2) (Jay and Neil, arXiv:2008.01069). The covariance is
 * that of the ensemble on every sample.
 *
 * @param fits those that converge, by model and window; weights add up to 1
 * @param average the lowest energy, averaged with the weights
 * @param spread the spread of the energies about the average with the weights: a systematic error
 * @param averageSamples the average on every sample
 * @param energySamples for each fit the lowest energy on every sample; empty where none was made
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record WindowScan(
    List<WindowFit> fits,
    double average,
    double spread,
    double[] averageSamples,
    double[][] energySamples) {
  /** Windows of a weight below this fraction of the largest are not fitted to the samples. */
  private static final double LEAST_WEIGHT = 1e-2;

  /**
   * Scans all windows.
   *
   * @param times the separations, ascending
   * @param mean the points on the ensemble
   * @param samples on every sample, [sample][point]
   * @param models what is fitted
   * @return null when nothing can be fitted
   */
  public static @Nullable WindowScan of(
      double[] times,
      double[] mean,
      double[][] samples,
      Covariance covariance,
      List<FitModel> models) {
    List<Window> windows = new ArrayList<>();
    for (FitModel model : models) {
      for (int first = 0; first < times.length; first++) {
        for (int last = first + model.parameters(); last < times.length; last++) {
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
    return averaged(times, mean, samples, covariance, fits);
  }

  /** A model and the points that it is fitted to, both ends included. */
  private record Window(FitModel model, int first, int last) {}

  private static Optional<WindowFit> fit(
      double[] times, double[] mean, Covariance covariance, Window window) {
    FitModel model = window.model();
    int first = window.first();
    int last = window.last();
    WindowData.Minimum minimum = null;
    if (mean[first] != 0) {
      WindowData data = data(times, mean[first], covariance, first, last);
      if (data != null) {
        minimum = data.search(model, scaled(mean, mean[first], first, last));
      }
    }
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

  /** Points and errors in units of a point. */
  private static @Nullable WindowData data(
      double[] times, double unit, Covariance covariance, int first, int last) {
    RealMatrix whitening = covariance.whitening(first, last);
    return whitening == null
        ? null
        : new WindowData(
            Arrays.copyOfRange(times, first, last + 1), whitening.scalarMultiply(Math.abs(unit)));
  }

  private static double[] scaled(double[] values, double unit, int first, int last) {
    double[] part = Arrays.copyOfRange(values, first, last + 1);
    for (int k = 0; k < part.length; k++) {
      part[k] /= unit;
    }
    return part;
  }

  private static WindowScan averaged(
      double[] times,
      double[] mean,
      double[][] samples,
      Covariance covariance,
      List<WindowFit> fits) {
    double least = fits.stream().mapToDouble(WindowFit::aic).min().orElse(0);
    double sum = fits.stream().mapToDouble(fit -> Math.exp(0.5 * (least - fit.aic()))).sum();
    boolean[] shown = new boolean[fits.size()];
    for (int index : stability(fits)) {
      shown[index] = true;
    }
    double[] weights = new double[fits.size()];
    double[][] energies = new double[fits.size()][];
    double kept = 0;
    for (int k = 0; k < weights.length; k++) {
      double relative = Math.exp(0.5 * (least - fits.get(k).aic()));
      boolean counts = relative >= LEAST_WEIGHT;
      energies[k] =
          counts || shown[k]
              ? energies(times, mean, samples, covariance, fits.get(k))
              : new double[0];
      // A window without an energy on some sample has no error, so it cannot take part.
      if (counts && Arrays.stream(energies[k]).allMatch(Double::isFinite)) {
        weights[k] = relative / sum;
        kept += weights[k];
      }
    }
    List<WindowFit> weighted = new ArrayList<>();
    double average = kept > 0 ? 0 : Double.NaN;
    double[] averageSamples = new double[samples.length];
    double square = 0;
    for (int k = 0; k < weights.length; k++) {
      double weight = kept > 0 ? weights[k] / kept : 0;
      weighted.add(fits.get(k).withWeight(weight));
      if (weight > 0) {
        average += weight * fits.get(k).energy(0);
        for (int s = 0; s < samples.length; s++) {
          averageSamples[s] += weight * energies[k][s];
        }
      }
    }
    for (WindowFit fit : weighted) {
      square += fit.weight() * (fit.energy(0) - average) * (fit.energy(0) - average);
    }
    return new WindowScan(weighted, average, Math.sqrt(square), averageSamples, energies);
  }

  private static double[] energies(
      double[] times, double[] mean, double[][] samples, Covariance covariance, WindowFit fit) {
    double[] energies = new double[samples.length];
    double unit = mean[fit.first()];
    WindowData data = data(times, unit, covariance, fit.first(), fit.last());
    Arrays.fill(energies, Double.NaN);
    if (data != null) {
      IntStream.range(0, samples.length)
          .parallel()
          .forEach(
              s -> {
                WindowData.Minimum minimum =
                    data.minimum(
                        fit.model(),
                        scaled(samples[s], unit, fit.first(), fit.last()),
                        fit.parameters());
                energies[s] =
                    minimum == null ? Double.NaN : fit.model().energy(minimum.parameters(), 0);
              });
    }
    return energies;
  }

  /** For each model and first separation the fit of the least AIC, by index, for a plot. */
  public List<Integer> stability() {
    return stability(fits);
  }

  private static List<Integer> stability(List<WindowFit> fits) {
    List<Integer> chosen = new ArrayList<>();
    for (int k = 0; k < fits.size(); k++) {
      WindowFit fit = fits.get(k);
      int same = -1;
      for (int index = 0; index < chosen.size(); index++) {
        WindowFit other = fits.get(chosen.get(index));
        if (other.model().equals(fit.model()) && other.first() == fit.first()) {
          same = index;
        }
      }
      if (same < 0) {
        chosen.add(k);
      } else if (fit.aic() < fits.get(chosen.get(same)).aic()) {
        chosen.set(same, k);
      }
    }
    return chosen;
  }

  /** The fit of the largest weight with a number of states, by index; -1 when there is none. */
  public int best(int states) {
    return IntStream.range(0, fits.size())
        .filter(k -> fits.get(k).model().states() == states && energySamples[k].length > 0)
        .boxed()
        .min(Comparator.comparingDouble(k -> fits.get(k).aic()))
        .orElse(-1);
  }
}
