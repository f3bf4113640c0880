package org.starlingqcd.graph;

/** A complex coefficient. */
public record Complex(double re, double im) {
  /** Zero. */
  public static final Complex ZERO = new Complex(0, 0);

  /** One. */
  public static final Complex ONE = new Complex(1, 0);

  /** The sum with another number. */
  public Complex plus(Complex other) {
    return new Complex(re + other.re, im + other.im);
  }

  /** The product with another number. */
  public Complex times(Complex other) {
    return new Complex(re * other.re - im * other.im, re * other.im + im * other.re);
  }

  /** The product with a real number. */
  public Complex times(double factor) {
    return new Complex(re * factor, im * factor);
  }

  /** The complex conjugate. */
  public Complex conjugate() {
    return new Complex(re, -im);
  }

  /** The modulus. */
  public double abs() {
    // Most coefficients are real, and hypot is slow.
    return im == 0 ? Math.abs(re) : Math.hypot(re, im);
  }
}
