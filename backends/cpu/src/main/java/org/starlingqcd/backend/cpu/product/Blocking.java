package org.starlingqcd.backend.cpu.product;

import java.util.Arrays;
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

  /** One of the matrices, cut into blocks. */
  static final class Matrix {
    final Tiling tiling;
    final int rows;
    final int columns;

    // Every product looks these up. Small tables keep the loops around it small, which would
    // otherwise cost the just-in-time compiler seconds.
    private final int[] heights;
    private final int[] widths;

    /** Doubles before each block, row by row of blocks. */
    private final long[] offsets;

    private Matrix(Tiling tiling, int[] heights, int[] widths) {
      this.tiling = tiling;
      this.heights = heights;
      this.widths = widths;
      rows = Arrays.stream(heights).sum();
      columns = Arrays.stream(widths).sum();
      offsets = new long[heights.length * widths.length];
      long row = 0;
      for (int i = 0; i < heights.length; i++) {
        long column = 0;
        for (int j = 0; j < widths.length; j++) {
          offsets[i * widths.length + j] =
              tiling.isTiled() ? tiling.offset(i, j) : row * columns + column;
          column += widths[j];
        }
        row += heights[i];
      }
    }

    int rowBlocks() {
      return heights.length;
    }

    int columnBlocks() {
      return widths.length;
    }

    int rows(int i) {
      return heights[i];
    }

    int columns(int j) {
      return widths[j];
    }

    /** Doubles before block (i, j). */
    long offset(int i, int j) {
      return offsets[i * widths.length + j];
    }

    int leading(int j) {
      return tiling.isTiled() ? widths[j] : columns;
    }

    /** Doubles of the real part of a component. */
    long size() {
      return (long) rows * columns;
    }
  }

  final Matrix left;
  final Matrix right;

  /** The destination, in the layout in which it is written. */
  final Matrix destination;

  Blocking(int rows, int columns, int inner, Tiling left, Tiling right) {
    check("left", left, rows, inner);
    check("right", right, inner, columns);
    if (left.isTiled() && right.isTiled() && !left.equals(right)) {
      throw new IllegalArgumentException("tilings differ: left=" + left + " right=" + right);
    }
    int innerEdge = left.isTiled() ? left.edge() : right.isTiled() ? right.edge() : inner;
    int[] rowCounts = counts(rows, left.isTiled() ? left.edge() : tallEdge(rows, columns, inner));
    int[] innerCounts = counts(inner, innerEdge);
    int[] columnCounts = counts(columns, right.isTiled() ? right.edge() : columns);
    this.left = new Matrix(left, rowCounts, innerCounts);
    this.right = new Matrix(right, innerCounts, columnCounts);
    Tiling written = left.isTiled() && right.isTiled() ? left : Tiling.PLAIN;
    destination = new Matrix(written, rowCounts, columnCounts);
  }

  private static int[] counts(int extent, int edge) {
    int[] counts = new int[(extent + edge - 1) / edge];
    for (int k = 0; k < counts.length; k++) {
      counts[k] = Math.min(edge, extent - k * edge);
    }
    return counts;
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
}
