package org.starlingqcd.backend;

/** A complex number, as factors are; a call on real numbers needs an imaginary part of 0. */
public record Scalar(double re, double im) {
  public static final Scalar ZERO = new Scalar(0, 0);
  public static final Scalar ONE = new Scalar(1, 0);
  public static final Scalar MINUS_ONE = new Scalar(-1, 0);

  /** A real factor. */
  public static Scalar of(double re) {
    return new Scalar(re, 0);
  }

  public Scalar plus(Scalar other) {
    return new Scalar(re + other.re, im + other.im);
  }

  public Scalar times(Scalar other) {
    return new Scalar(re * other.re - im * other.im, re * other.im + im * other.re);
  }

  public Scalar conjugate() {
    return new Scalar(re, -im);
  }

  /** Whether it is 0. */
  public boolean isZero() {
    return re == 0 && im == 0;
  }

  /** Checks that the factor suits numbers of a kind. */
  void checkFor(NumberKind kind, String name) {
    if (kind == NumberKind.REAL && im != 0) {
      throw new IllegalArgumentException(
          "must be real in a call on real numbers: " + name + "=" + this);
    }
  }
}
