package org.starlingqcd.backend.cpu.product;

import org.starlingqcd.backend.cpu.blas.Tiling;

/**
 * The products of one batch cut into blocks: where block {@code (row, column)} of the left, right
 * and destination matrix begins, in doubles from the start of the real (or imaginary) part, and its
 * leading dimension. Tiled and plain matrices can be mixed: a plain matrix is cut like its tiled
 * partner.
 */
final class Blocking {
  /**
   * m·n·k of the products that a tall matrix is cut into. It is small enough for BLAS's kernels for
   * small matrices, which read their inputs in place.
   */
  private static final long SMALL_PRODUCT = 500_000;

  private final int rows;
  private final int columns;
  private final int inner;
  private final Tiling left;
  private final Tiling right;
  private final Tiling destination;
  private final int[] rowCounts;
  private final int[] innerCounts;
  private final int[] columnCounts;
  private final long[] leftOffsets;
  private final long[] rightOffsets;
  private final long[] destinationOffsets;

  Blocking(int rows, int columns, int inner, Tiling left, Tiling right) {
    check("left", left, rows, inner);
    check("right", right, inner, columns);
    if (left.isTiled() && right.isTiled() && !left.equals(right)) {
      throw new IllegalArgumentException("tilings differ: left=" + left + " right=" + right);
    }
    this.rows = rows;
    this.columns = columns;
    this.inner = inner;
    this.left = left;
    this.right = right;
    this.destination = left.isTiled() && right.isTiled() ? left : Tiling.PLAIN;
    int rowEdge = left.isTiled() ? left.edge() : tallEdge(rows, columns, inner);
    int columnEdge = right.isTiled() ? right.edge() : columns;
    int innerEdge = left.isTiled() ? left.edge() : right.isTiled() ? right.edge() : inner;
    // Every product looks these up. Small tables keep the loops around it small, which would
    // otherwise cost the just-in-time compiler seconds.
    rowCounts = counts(rows, rowEdge);
    innerCounts = counts(inner, innerEdge);
    columnCounts = counts(columns, columnEdge);
    leftOffsets = offsets(left, rowCounts, innerCounts);
    rightOffsets = offsets(right, innerCounts, columnCounts);
    destinationOffsets = offsets(destination, rowCounts, columnCounts);
  }

  private static int[] counts(int extent, int edge) {
    int[] counts = new int[(extent + edge - 1) / edge];
    for (int k = 0; k < counts.length; k++) {
      counts[k] = Math.min(edge, extent - k * edge);
    }
    return counts;
  }

  /** Doubles before each block of a matrix, row by row of blocks. */
  private static long[] offsets(Tiling tiling, int[] rowCounts, int[] columnCounts) {
    long[] offsets = new long[rowCounts.length * columnCounts.length];
    long extent = 0;
    for (int count : columnCounts) {
      extent += count;
    }
    long row = 0;
    for (int i = 0; i < rowCounts.length; i++) {
      long column = 0;
      for (int j = 0; j < columnCounts.length; j++) {
        offsets[i * columnCounts.length + j] =
            tiling.isTiled() ? tiling.offset(i, j) : row * extent + column;
        column += columnCounts[j];
      }
      row += rowCounts[i];
    }
    return offsets;
  }

  /**
   * Rows of a block of a plain left matrix: all, or few enough that the products of a tall matrix,
   * such as a leg of a baryon with N² rows, are small and their results stay in the cache.
   */
  private static int tallEdge(int rows, int columns, int inner) {
    long most = Math.max(1, SMALL_PRODUCT / ((long) columns * inner));
    if (rows <= 2L * Math.max(columns, inner) || rows <= most) {
      return rows;
    }
    long blocks = (rows + most - 1) / most;
    return (int) ((rows + blocks - 1) / blocks);
  }

  private static void check(String which, Tiling tiling, int rows, int columns) {
    if (tiling.isTiled() && (tiling.extent() != rows || tiling.extent() != columns)) {
      throw new IllegalArgumentException(
          "the %s input was written with another shape: extent=%s rows=%s columns=%s"
              .formatted(which, tiling.extent(), rows, columns));
    }
  }

  /** Layout of the left input. */
  Tiling left() {
    return left;
  }

  /** Layout of the right input. */
  Tiling right() {
    return right;
  }

  /** Layout in which the destination is written. */
  Tiling destination() {
    return destination;
  }

  int rowBlocks() {
    return rowCounts.length;
  }

  int innerBlocks() {
    return innerCounts.length;
  }

  int columnBlocks() {
    return columnCounts.length;
  }

  int rows(int i) {
    return rowCounts[i];
  }

  int inner(int k) {
    return innerCounts[k];
  }

  int columns(int j) {
    return columnCounts[j];
  }

  long left(int i, int k) {
    return leftOffsets[i * innerCounts.length + k];
  }

  int leftLeading(int k) {
    return left.isTiled() ? innerCounts[k] : inner;
  }

  long right(int k, int j) {
    return rightOffsets[k * columnCounts.length + j];
  }

  int rightLeading(int j) {
    return right.isTiled() ? columnCounts[j] : columns;
  }

  long destination(int i, int j) {
    return destinationOffsets[i * columnCounts.length + j];
  }

  int destinationLeading(int j) {
    return destination.isTiled() ? columnCounts[j] : columns;
  }

  /** Rows of the left and destination matrices. */
  int rows() {
    return rows;
  }

  /** Length of the summed index. */
  int inner() {
    return inner;
  }

  /** Columns of the right and destination matrices. */
  int columns() {
    return columns;
  }

  /** Doubles of the real part of a left component. */
  long leftSize() {
    return (long) rows * inner;
  }

  /** Doubles of the real part of a right component. */
  long rightSize() {
    return (long) inner * columns;
  }

  /** Doubles of the real part of a destination component. */
  long destinationSize() {
    return (long) rows * columns;
  }
}
