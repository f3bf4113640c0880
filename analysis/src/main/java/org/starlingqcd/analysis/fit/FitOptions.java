package org.starlingqcd.analysis.fit;

import java.util.List;
import java.util.Locale;

/**
 * How correlators are fitted.
 *
 * @param form exponentials or cosh
 * @param covariance how the correlation matrix is made safe to invert
 * @param cut the fraction below which {@link Covariance.Method#SVD} raises eigenvalues
 * @param from the first separation of windows; that of an eigenvalue is later than t0 in any case
 * @param to the last separation of windows
 * @param states numbers of states, 1 or 2 or both
 */
public record FitOptions(
    Form form, Covariance.Method covariance, double cut, int from, int to, List<Integer> states) {
  /** The cut of {@link Covariance.Method#SVD} unless the user says another. */
  public static final double DEFAULT_CUT = 0.01;

  /** One and two states, in all windows. */
  public static final FitOptions STANDARD =
      new FitOptions(
          Form.AUTO, Covariance.Method.SHRINKAGE, DEFAULT_CUT, 1, Integer.MAX_VALUE, List.of(1, 2));

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
