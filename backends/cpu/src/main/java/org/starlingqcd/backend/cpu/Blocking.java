package org.starlingqcd.backend.cpu;

import java.util.Locale;

/**
 * The products of one batch cut into blocks: where block {@code (row, column)} of the left, right
 * and destination matrix begins, in doubles from the start of the real (or imaginary) part, and its
 * leading dimension. Tiled and plain matrices mix: a plain one is cut where its tiled partner is.
 */
final class Blocking {
  private final int rows;
  private final int columns;
  private final int inner;
  private final Tiling left;
  private final Tiling right;
  private final Tiling destination;
  private final int rowEdge;
  private final int innerEdge;
  private final int columnEdge;

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
    rowEdge = left.isTiled() ? left.edge() : rows;
    columnEdge = right.isTiled() ? right.edge() : columns;
    innerEdge = left.isTiled() ? left.edge() : right.isTiled() ? right.edge() : inner;
  }

  private static void check(String which, Tiling tiling, int rows, int columns) {
    if (tiling.isTiled() && (tiling.extent() != rows || tiling.extent() != columns)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the %s input was written with another shape: extent=%d rows=%d columns=%d",
              which,
              tiling.extent(),
              rows,
              columns));
    }
  }

  /** Layout in which the destination is written. */
  Tiling destination() {
    return destination;
  }

  int rowBlocks() {
    return (rows + rowEdge - 1) / rowEdge;
  }

  int innerBlocks() {
    return (inner + innerEdge - 1) / innerEdge;
  }

  int columnBlocks() {
    return (columns + columnEdge - 1) / columnEdge;
  }

  int rows(int i) {
    return Math.min(rowEdge, rows - i * rowEdge);
  }

  int inner(int k) {
    return Math.min(innerEdge, inner - k * innerEdge);
  }

  int columns(int j) {
    return Math.min(columnEdge, columns - j * columnEdge);
  }

  long left(int i, int k) {
    return left.isTiled() ? left.offset(i, k) : (long) i * rowEdge * inner + (long) k * innerEdge;
  }

  int leftLeading(int k) {
    return left.isTiled() ? left.size(k) : inner;
  }

  long right(int k, int j) {
    return right.isTiled()
        ? right.offset(k, j)
        : (long) k * innerEdge * columns + (long) j * columnEdge;
  }

  int rightLeading(int j) {
    return right.isTiled() ? right.size(j) : columns;
  }

  long destination(int i, int j) {
    return destination.isTiled()
        ? destination.offset(i, j)
        : (long) i * rowEdge * columns + (long) j * columnEdge;
  }

  int destinationLeading(int j) {
    return destination.isTiled() ? destination.size(j) : columns;
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
