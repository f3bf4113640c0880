package org.starlingqcd.analysis;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

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

  private static final int ERROR_DIGITS = 2;

  /** Relative errors below this are rounding: the value is exact, as an eigenvalue at t0 is. */
  private static final double ROUNDING = 1e-12;

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
                : "no error: undefined on %s of %s %s samples"
                    .formatted(missing, samples.length, resampling.method());
    return new Estimate(value, resampling.error(samples), samples, remark);
  }

  /**
   * The estimate of a number of arrays.
   *
   * @param all one array for the ensemble, then one for every sample
   */
  static Estimate of(double[][] all, int index, Resampling resampling, String undefined) {
    double[] values = Arrays.stream(all).mapToDouble(sample -> sample[index]).toArray();
    return of(values, resampling, undefined);
  }

  /** The same of its values on the ensemble, then on every sample. */
  static Estimate of(double[] all, Resampling resampling, String undefined) {
    return of(all[0], Arrays.copyOfRange(all, 1, all.length), resampling, undefined);
  }

  /** A function of the quantity. */
  Estimate map(DoubleUnaryOperator function, Resampling resampling, String undefined) {
    double[] all = Arrays.stream(samples).map(function).toArray();
    return of(
        function.applyAsDouble(value), all, resampling, remark.isEmpty() ? undefined : remark);
  }

  /** A function of this quantity and another on the same samples. */
  Estimate with(Estimate other, DoubleBinaryOperator function, Resampling resampling) {
    return with(other, function, resampling, remark.isEmpty() ? other.remark : remark);
  }

  /** The same with what is said where it is undefined. */
  Estimate with(
      Estimate other, DoubleBinaryOperator function, Resampling resampling, String undefined) {
    double[] all = new double[Math.min(samples.length, other.samples.length)];
    Arrays.setAll(all, s -> function.applyAsDouble(samples[s], other.samples[s]));
    return of(function.applyAsDouble(value, other.value), all, resampling, undefined);
  }

  /** The value on the ensemble for 0, on the samples for 1, 2, …. */
  double at(int sample) {
    return sample == 0 ? value : samples[sample - 1];
  }

  /** Whether the error is more than rounding; without an error it is not. */
  boolean isNoisy() {
    return error > ROUNDING * Math.abs(value);
  }

  /** Whether there is a value. */
  public boolean isDefined() {
    return !Double.isNaN(value);
  }

  /** Whether there is an error. */
  public boolean hasError() {
    return !Double.isNaN(error);
  }

  /** The lower end of the error bar; the value without an error. */
  double low() {
    return hasError() ? value - error : value;
  }

  /** The upper end likewise. */
  double high() {
    return hasError() ? value + error : value;
  }

  /**
   * The usual notation, {@code 0.4361(108)} or {@code 1.234(12)e-05}: the error in units of the
   * last digit, with two digits; six significant digits without an error or with rounding alone;
   * {@code -} without a value.
   */
  public String text() {
    if (Double.isNaN(value)) {
      return "-";
    }
    if (!isNoisy() || Double.isInfinite(error) || Double.isInfinite(value)) {
      return String.format(Locale.US, "%.6g", value);
    }
    double largest = Math.max(Math.abs(value), error);
    int exponent = exponent(BigDecimal.valueOf(largest));
    if (exponent >= -4 && exponent <= 5) {
      return scaled(value, error, 0);
    }
    return scaled(value, error, exponent) + String.format(Locale.US, "e%+03d", exponent);
  }

  private static String scaled(double value, double error, int exponent) {
    BigDecimal v = BigDecimal.valueOf(value).scaleByPowerOfTen(-exponent);
    BigDecimal e = BigDecimal.valueOf(error).scaleByPowerOfTen(-exponent);
    int decimals = Math.max(0, ERROR_DIGITS - 1 - exponent(e));
    BigDecimal rounded = e.setScale(decimals, RoundingMode.HALF_EVEN);
    if (exponent(rounded) > exponent(e) && decimals > 0) {
      // 0.0996 has become 0.100: one digit fewer.
      decimals--;
      rounded = e.setScale(decimals, RoundingMode.HALF_EVEN);
    }
    String digits =
        rounded.compareTo(BigDecimal.ONE) < 0
            ? rounded.unscaledValue().toString()
            : rounded.toPlainString();
    return v.setScale(decimals, RoundingMode.HALF_EVEN).toPlainString() + "(" + digits + ")";
  }

  /** The decimal exponent of a positive number's first digit. */
  private static int exponent(BigDecimal number) {
    return number.precision() - number.scale() - 1;
  }
}
