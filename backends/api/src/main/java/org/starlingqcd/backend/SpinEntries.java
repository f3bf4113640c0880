package org.starlingqcd.backend;

import java.util.Arrays;

/**
 * Entries of spin components, with a factor each: a column of numbers for every role that a
 * component plays.
 */
abstract class SpinEntries {
  private final int[][] columns;
  private final double[] factors;
  private final int hash;

  /** Copies the arrays, and checks that all have an entry for each factor. */
  SpinEntries(double[] factors, int numbersOfAFactor, int[]... columns) {
    for (int[] column : columns) {
      if (numbersOfAFactor * column.length != factors.length) {
        throw new IllegalArgumentException(
            "lengths differ: entries=%s factors=%s/%s"
                .formatted(column.length, factors.length, numbersOfAFactor));
      }
    }
    this.factors = factors.clone();
    this.columns = Arrays.stream(columns).map(int[]::clone).toArray(int[][]::new);
    hash = 31 * Arrays.deepHashCode(columns) + Arrays.hashCode(factors);
  }

  /** Checks that the components of a column are at least 0 and less than a bound. */
  final void check(String what, int column, int bound) {
    for (int spin : columns[column]) {
      if (spin < 0 || spin >= bound) {
        throw new IllegalArgumentException(
            what + " must be >= 0 && < " + bound + ": component=" + spin);
      }
    }
  }

  final int component(int column, int entry) {
    return columns[column][entry];
  }

  /** How many different components a column has. */
  final long distinct(int column) {
    return Arrays.stream(columns[column]).distinct().count();
  }

  /** Number {@code k} of the factors. */
  final double number(int k) {
    return factors[k];
  }

  /** Number of entries. */
  public final int size() {
    return columns[0].length;
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || (other instanceof SpinEntries that
            && getClass() == that.getClass()
            && hash == that.hash
            && Arrays.deepEquals(columns, that.columns)
            && Arrays.equals(factors, that.factors));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
