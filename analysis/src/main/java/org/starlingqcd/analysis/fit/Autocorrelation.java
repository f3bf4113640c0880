package org.starlingqcd.analysis.fit;

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
 * @param binSize measurements in a bin that suffice: τ (2 N/τ)^{1/3}, which balances the bias and
 *     the noise of an error from bins; 1 if τ_int agrees with 1/2 within its error
 */
public record Autocorrelation(double time, double error, int window, int binSize) {
  private static final double S = 1.5;
  private static final int LEAST_MEASUREMENTS = 4;

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
    boolean independent = time - error <= 0.5;
    int bin = independent ? 1 : (int) Math.ceil(time * Math.cbrt(2 * n / time));
    return new Autocorrelation(time, error, window, Math.min(bin, Math.max(1, n / 2)));
  }

  private static double correlation(double[] series, double mean, int distance) {
    double sum = 0;
    for (int k = 0; k + distance < series.length; k++) {
      sum += (series[k] - mean) * (series[k + distance] - mean);
    }
    return sum / (series.length - distance);
  }
}
