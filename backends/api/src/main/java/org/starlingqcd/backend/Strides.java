package org.starlingqcd.backend;

/**
 * Operands of several calls of one shape at constant distances.
 *
 * @param count number of calls
 * @param a numbers from the first operand of one call to that of the next; 0 for the same one
 * @param b the same for the second operand
 * @param c the same for the result; results must not overlap
 */
public record Strides(int count, long a, long b, long c) {
  /** A single call. */
  public static final Strides ONE = new Strides(1, 0, 0, 0);

  /** Checks the ranges. */
  public Strides {
    if (count < 1 || a < 0 || b < 0 || c < 0) {
      throw new IllegalArgumentException(
          "must be >= 0, and count >= 1: count=" + count + " a=" + a + " b=" + b + " c=" + c);
    }
  }
}
