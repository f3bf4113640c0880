package org.starlingqcd.analysis;

import java.util.Arrays;
import java.util.Locale;

/**
 * A real quantity with its error.
 *
 * @param value the value on the whole ensemble; NaN if undefined
 * @param error the error; NaN if it cannot be estimated
 * @param samples the value on every jackknife or bootstrap sample, NaN if undefined
 * @param remark why the value or the error is missing; empty if neither is
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Estimate(double value, double error, double[] samples, String remark) {

  /** A number without error on so many samples. */
  public static Estimate exact(double value, int samples) {
    double[] all = new double[samples];
    Arrays.fill(all, value);
    return new Estimate(value, 0, all, "");
  }

  /** The estimate of a quantity from its values on the ensemble and on every sample. */
  static Estimate of(double value, double[] samples, Resampling resampling, String undefined) {
    if (Double.isNaN(value)) {
      return new Estimate(value, Double.NaN, samples, undefined);
    }
    long missing = Arrays.stream(samples).filter(Double::isNaN).count();
    String remark =
        samples.length == 0
            ? "no error from a single configuration or bin"
            : missing == 0
                ? ""
                : String.format(
                    Locale.ROOT,
                    "no error: undefined on %d of %d %s samples",
                    missing,
                    samples.length,
                    resampling.method().name().toLowerCase(Locale.ROOT));
    return new Estimate(value, resampling.error(samples), samples, remark);
  }

  /**
   * The estimate of a number of arrays.
   *
   * @param all one array for the ensemble, then one for every sample
   */
  static Estimate of(double[][] all, int index, Resampling resampling, String undefined) {
    double[] values = Arrays.stream(all).mapToDouble(sample -> sample[index]).toArray();
    return of(values[0], Arrays.copyOfRange(values, 1, values.length), resampling, undefined);
  }

  /** Whether there is a value. */
  public boolean isDefined() {
    return !Double.isNaN(value);
  }

  /** Whether there is an error. */
  public boolean hasError() {
    return !Double.isNaN(error);
  }
}
