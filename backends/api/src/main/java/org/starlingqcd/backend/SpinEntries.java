package org.starlingqcd.backend;

import java.util.Arrays;

/**
 * Entries of spin components, with a factor each: a column of numbers for every role that a
 * component plays.
 */
abstract class SpinEntries {
  private final int[] sizes;
  private final int[][] columns;
  private final double[] factors;
  private final int numbersOfAFactor;
  private final int hash;

  /**
   * Copies the arrays, and checks that all have an entry for each factor.
   *
   * @param sizes how many components there are in all, for each column where that is known
   */
  SpinEntries(double[] factors, int numbersOfAFactor, int[] sizes, int[]... columns) {
    for (int[] column : columns) {
      if (numbersOfAFactor * column.length != factors.length) {
        throw new IllegalArgumentException(
            "lengths differ: entries=%s factors=%s/%s"
                .formatted(column.length, factors.length, numbersOfAFactor));
      }
    }
    this.factors = factors.clone();
    this.numbersOfAFactor = numbersOfAFactor;
    this.sizes = sizes;
    this.columns = Arrays.stream(columns).map(int[]::clone).toArray(int[][]::new);
    hash = 31 * Arrays.deepHashCode(columns) + Arrays.hashCode(factors);
  }

  /** Checks that the components of a column are at least 0 and less than its size. */
  final void check(String what, int column) {
    for (int spin : columns[column]) {
      if (spin < 0 || spin >= sizes[column]) {
        throw new IllegalArgumentException(
            what + " must be >= 0 && < " + sizes[column] + ": component=" + spin);
      }
    }
  }

  final int component(int column, int entry) {
    return columns[column][entry];
  }

  /** How many components a column can name. */
  final int size(int column) {
    return sizes[column];
  }

  /** Components that an element has at least to have those that a column names. */
  final int named(int column) {
    return Arrays.stream(columns[column]).max().orElse(0) + 1;
  }

  /** How many different components a column has. */
  final long distinct(int column) {
    return Arrays.stream(columns[column]).distinct().count();
  }

  /** Real part of the factor of entry {@code k}. */
  public final double factorRe(int k) {
    return factors[numbersOfAFactor * k];
  }

  /** Imaginary part of the factor of entry {@code k}. */
  public final double factorIm(int k) {
    return numbersOfAFactor == 1 ? 0 : factors[2 * k + 1];
  }

  /** Number of entries. */
  public final int size() {
    return columns[0].length;
  }

  @Override
  public final boolean equals(Object other) {
    return other == this
        || (other instanceof SpinEntries that
            && getClass() == that.getClass()
            && hash == that.hash
            && Arrays.equals(sizes, that.sizes)
            && Arrays.deepEquals(columns, that.columns)
            && Arrays.equals(factors, that.factors));
  }

  @Override
  public final int hashCode() {
    return hash;
  }
}
