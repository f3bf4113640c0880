package org.starlingqcd.analysis.fit;

import java.util.Locale;

/**
 * How correlators are fitted.
 *
 * @param form exponentials or cosh
 * @param covariance how the correlation matrix is made safe to invert
 * @param cut the fraction below which {@link Covariance.Method#SVD} raises eigenvalues
 */
public record FitOptions(Form form, Covariance.Method covariance, double cut) {
  /** The cut of {@link Covariance.Method#SVD} unless the user says another. */
  public static final double DEFAULT_CUT = 0.01;

  /** What is fitted. */
  public enum Form {
    /** cosh for mesons where T is known, exponentials otherwise. */
    AUTO,
    /** Exponentials. */
    EXP,
    /** Exponentials that run both ways around the lattice. */
    COSH;

    /** As users write it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
