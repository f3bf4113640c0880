package org.starlingqcd.analysis;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** A value with its error in the usual notation: {@code 0.4361(108)}, {@code 1.234(12)e-05}. */
public final class UncertainNumber {
  private static final int ERROR_DIGITS = 2;

  /** Relative errors below this are rounding: the value is exact, as an eigenvalue at t0 is. */
  private static final double ROUNDING = 1e-12;

  private UncertainNumber() {}

  /**
   * The text of an estimate: the error in units of the last digit, with two digits; six significant
   * digits without an error or with rounding alone; {@code -} without a value.
   */
  public static String text(Estimate estimate) {
    double value = estimate.value();
    double error = estimate.error();
    if (Double.isNaN(value)) {
      return "-";
    }
    if (!(error > ROUNDING * Math.abs(value))
        || Double.isInfinite(error)
        || Double.isInfinite(value)) {
      return String.format(Locale.ROOT, "%.6g", value);
    }
    double largest = Math.max(Math.abs(value), error);
    int exponent = exponent(BigDecimal.valueOf(largest));
    if (exponent >= -4 && exponent <= 5) {
      return scaled(value, error, 0);
    }
    return scaled(value, error, exponent) + String.format(Locale.ROOT, "e%+03d", exponent);
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
