package org.starlingqcd.correlators.definition.symmetry;

import java.math.BigInteger;

/**
 * The exact number {@code sign · √(numerator / denominator)}, in lowest terms, such as a product of
 * Clebsch-Gordan coefficients. Zero has sign 0.
 *
 * @param sign -1, 0 or 1
 * @param numerator not negative
 * @param denominator positive
 */
public record SignedRoot(int sign, BigInteger numerator, BigInteger denominator) {
  /** Zero. */
  public static final SignedRoot ZERO = new SignedRoot(0, BigInteger.ZERO, BigInteger.ONE);

  /** One. */
  public static final SignedRoot ONE = of(1, 1, 1);

  /** Reduces the fraction. */
  public SignedRoot {
    if (denominator.signum() <= 0 || numerator.signum() != Math.abs(sign)) {
      throw new IllegalArgumentException(
          "no signed root: sign=" + sign + " square=" + numerator + "/" + denominator);
    }
    BigInteger divisor = numerator.gcd(denominator);
    numerator = numerator.divide(divisor);
    denominator = denominator.divide(divisor);
  }

  /** {@code sign · √(numerator / denominator)}. */
  public static SignedRoot of(int sign, long numerator, long denominator) {
    return new SignedRoot(sign, BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
  }

  /** The product with another. */
  public SignedRoot times(SignedRoot other) {
    return new SignedRoot(
        sign * other.sign,
        numerator.multiply(other.numerator),
        denominator.multiply(other.denominator));
  }

  /** The nearest floating-point number, to a unit in the last place. */
  public double doubleValue() {
    return sign * Math.sqrt(square());
  }

  /** The square, {@code numerator / denominator}. */
  public double square() {
    return numerator.doubleValue() / denominator.doubleValue();
  }
}
