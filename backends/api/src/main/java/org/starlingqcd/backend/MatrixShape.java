package org.starlingqcd.backend;

/**
 * A row-major matrix: element (i, j) is number {@code i · leading + j}. A vector is a matrix of one
 * column, whose leading dimension is the step from number to number.
 *
 * @param leading numbers from the start of a row to that of the next, at least {@code columns}
 */
public record MatrixShape(NumberKind kind, int rows, int columns, int leading) {
  /** Checks the ranges. */
  public MatrixShape {
    if (rows < 1 || columns < 1 || leading < columns) {
      throw new IllegalArgumentException(
          "must be >= 1, and leading >= columns: rows=%s columns=%s leading=%s"
              .formatted(rows, columns, leading));
    }
  }

  /** A matrix without gaps between its rows. */
  public static MatrixShape dense(NumberKind kind, int rows, int columns) {
    return new MatrixShape(kind, rows, columns, columns);
  }

  /** A vector with {@code step} numbers from one of its numbers to the next. */
  public static MatrixShape vector(NumberKind kind, int length, int step) {
    return new MatrixShape(kind, length, 1, step);
  }

  /** The same matrix with another distance from row to row, in numbers. */
  public MatrixShape inRowsOf(int numbers) {
    return new MatrixShape(kind, rows, columns, numbers);
  }

  /** Bytes from the first number to the end of the last one. */
  public long bytes() {
    return ((rows - 1L) * leading + columns) * kind.bytes();
  }
}
