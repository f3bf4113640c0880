package org.starlingqcd.analysis.fit;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The integrated autocorrelation time of a series by the Γ method.
 *
 * <p>The window W over which the autocorrelation is summed is the first at which the systematic
 * error of a longer window would be smaller than the statistical one, with S = 1.5, and the bias of
 * the estimate is corrected (Wolff, hep-lat/0306017, equations 31 to 52).
 *
 * @param time τ_int in steps of the series, 1/2 for independent measurements
 * @param error of τ_int
 * @param window W
 * @param binSize measurements in a bin that suffice if they are correlated: τ (2 N/τ)^{1/3}, which
 *     balances the bias and the noise of an error from bins
 */
public record Autocorrelation(double time, double error, int window, int binSize) {
  private static final double S = 1.5;
  private static final int LEAST_MEASUREMENTS = 4;

  /** Orders of the measurements to compare with, and how many may look as correlated. */
  private static final int SHUFFLES = 199;

  private static final int LEVEL = 20;

  /** The time of a series; of a constant one, or one that is too short, NaN and bins of 1. */
  public static Autocorrelation of(double[] series) {
    int n = series.length;
    double mean = 0;
    for (double value : series) {
      mean += value / n;
    }
    double variance = correlation(series, mean, 0);
    if (n < LEAST_MEASUREMENTS || !(variance > 0)) {
      return new Autocorrelation(Double.NaN, Double.NaN, 0, 1);
    }
    double time = 0.5;
    int window = 0;
    for (int t = 1; t < n / 2; t++) {
      time += correlation(series, mean, t) / variance;
      window = t;
      double decay = time > 0.5 ? S / Math.log((2 * time + 1) / (2 * time - 1)) : 1e-10;
      if (Math.exp(-t / decay) - decay / Math.sqrt((double) t * n) < 0) {
        break;
      }
    }
    time *= 1 + (2.0 * window + 1) / n;
    double error = 2 * time * Math.sqrt(Math.max(0, window + 0.5 - time) / n);
    int bin = time > 0 ? (int) Math.ceil(time * Math.cbrt(2 * n / time)) : 1;
    return new Autocorrelation(time, error, window, Math.min(bin, Math.max(1, n / 2)));
  }

  /**
   * Whether measurements depend on their order: the largest of all times is larger than in 19 of 20
   * orders of the same measurements at random. The series are shuffled together, so the threshold
   * knows how many there are and how far they say the same, and independent measurements pass with
   * a probability of 95 % whatever their distribution.
   *
   * @param series of equal length, measured together
   * @param times their times
   */
  public static boolean isSignificant(List<double[]> series, List<Autocorrelation> times) {
    double found = largest(times);
    int n = series.isEmpty() ? 0 : series.get(0).length;
    SplittableRandom random = new SplittableRandom(1);
    int[] order = new int[n];
    Arrays.setAll(order, k -> k);
    int asLarge = 1;
    for (int shuffle = 0; shuffle < SHUFFLES && asLarge * LEVEL <= SHUFFLES + 1; shuffle++) {
      for (int k = n - 1; k > 0; k--) {
        int other = random.nextInt(k + 1);
        int swap = order[k];
        order[k] = order[other];
        order[other] = swap;
      }
      List<Autocorrelation> shuffled =
          series.parallelStream()
              .map(one -> of(Arrays.stream(order).mapToDouble(k -> one[k]).toArray()))
              .toList();
      asLarge += largest(shuffled) < found ? 0 : 1;
    }
    return !Double.isNaN(found) && asLarge * LEVEL <= SHUFFLES + 1;
  }

  private static double largest(List<Autocorrelation> times) {
    return times.stream()
        .mapToDouble(Autocorrelation::time)
        .filter(time -> !Double.isNaN(time))
        .max()
        .orElse(Double.NaN);
  }

  private static double correlation(double[] series, double mean, int distance) {
    double sum = 0;
    for (int k = 0; k + distance < series.length; k++) {
      sum += (series[k] - mean) * (series[k + distance] - mean);
    }
    return sum / (series.length - distance);
  }
}
