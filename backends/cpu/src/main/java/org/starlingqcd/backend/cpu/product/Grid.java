package org.starlingqcd.backend.cpu.product;

import org.jspecify.annotations.Nullable;

/**
 * The tiles of one destination as a grid, with a row of tiles for each row of destinations and row
 * of blocks, and a column for each destination within a row and column of blocks. A part is a
 * rectangle of the grid that one thread computes with the whole rectangle in its cache. A left tile
 * then serves all columns and a right tile all rows, so only {@code 1/rows + 1/columns} tiles for
 * each product come from outside the cache.
 */
final class Grid {
  /** Bytes of a rectangle, for a second-level cache of 1 MiB. */
  private static final long CACHE_BYTES = 800L << 10;

  private final @Nullable MappingPlan plan;
  private final Blocking.Matrix matrix;
  private final int rows;
  private final int columns;
  private int rowsAtOnce = 1;
  private int columnsAtOnce = 1;

  /**
   * Cuts a destination.
   *
   * @param plan mapping whose rows are kept together; null to treat every destination separately
   * @param destinations number of destinations
   * @param bytes of a real number
   * @param parts desired number of parts, so that many threads have work
   */
  Grid(@Nullable MappingPlan plan, int destinations, Blocking blocking, int bytes, int parts) {
    this.plan = plan;
    matrix = blocking.destination;
    int rowsOfDestinations = plan == null ? destinations : plan.rows();
    int longest = 1;
    for (int row = 0; plan != null && row < plan.rows(); row++) {
      longest = Math.max(longest, plan.rowStart(row + 1) - plan.rowStart(row));
    }
    rows = rowsOfDestinations * matrix.rowBlocks();
    columns = longest * matrix.columnBlocks();
    long tile = (long) bytes * matrix.rows(0) * matrix.columns(0);
    long leftTile = (long) bytes * matrix.rows(0) * blocking.left.columns(0);
    long rightTile = (long) bytes * blocking.left.columns(0) * matrix.columns(0);
    double best = 0;
    for (int r = 1; r <= rows; r++) {
      for (int c = 1; c <= columns; c++) {
        boolean fits = (long) r * c * tile + r * leftTile + c * rightTile <= CACHE_BYTES;
        boolean enough = parts(r, c) >= Math.min(parts, rows * columns);
        double reuse = (double) r * c / (r + c);
        if (fits && enough && even(r, c) * reuse > best) {
          best = even(r, c) * reuse;
          rowsAtOnce = r;
          columnsAtOnce = c;
        }
      }
    }
  }

  /** Fill of the rectangles: 1 unless those at the border are smaller. */
  private double even(int r, int c) {
    return (double) rows * columns / ((double) parts(r, c) * r * c);
  }

  private int parts(int r, int c) {
    return ((rows + r - 1) / r) * ((columns + c - 1) / c);
  }

  /** Number of rectangles. */
  int parts() {
    return parts(rowsAtOnce, columnsAtOnce);
  }

  /** Most rows of tiles in a rectangle. */
  int rowsAtOnce() {
    return rowsAtOnce;
  }

  /** Most columns of tiles in a rectangle. */
  int columnsAtOnce() {
    return columnsAtOnce;
  }

  /** First row of tiles of a rectangle. */
  int firstRow(int part) {
    return part / columnParts() * rowsAtOnce;
  }

  /** One after the last row of tiles of a rectangle. */
  int endRow(int part) {
    return Math.min(rows, firstRow(part) + rowsAtOnce);
  }

  /** First column of tiles of a rectangle. */
  int firstColumn(int part) {
    return part % columnParts() * columnsAtOnce;
  }

  /** One after the last column of tiles of a rectangle. */
  int endColumn(int part) {
    return Math.min(columns, firstColumn(part) + columnsAtOnce);
  }

  private int columnParts() {
    return (columns + columnsAtOnce - 1) / columnsAtOnce;
  }

  /** Row of blocks of the matrices that a row of tiles belongs to. */
  int blockRow(int row) {
    return row % matrix.rowBlocks();
  }

  /** Column of blocks of the matrices that a column of tiles belongs to. */
  int blockColumn(int column) {
    return column % matrix.columnBlocks();
  }

  /** Destination spin of a tile; -1 where its row of destinations is shorter than others. */
  int destination(int row, int column) {
    int r = row / matrix.rowBlocks();
    int c = column / matrix.columnBlocks();
    if (plan == null) {
      return r;
    }
    int d = plan.rowStart(r) + c;
    return d < plan.rowStart(r + 1) ? d : -1;
  }
}
