package org.starlingqcd.backend.cpu.product;

import java.util.ArrayList;
import java.util.List;
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

  /** Most tiles in a rectangle. */
  int mostTiles() {
    return rowsAtOnce * columnsAtOnce;
  }

  /**
   * A tile of a rectangle.
   *
   * @param number from 0 on in the rectangle
   * @param destination its spin
   * @param row row of blocks of the matrices
   * @param column column of blocks
   */
  record Tile(int number, int destination, int row, int column) {}

  /** The tiles of a rectangle, column by column; some rows of destinations are shorter. */
  Tile[] tiles(int part) {
    int columnParts = (columns + columnsAtOnce - 1) / columnsAtOnce;
    int firstRow = part / columnParts * rowsAtOnce;
    int firstColumn = part % columnParts * columnsAtOnce;
    List<Tile> tiles = new ArrayList<>();
    for (int column = firstColumn;
        column < Math.min(columns, firstColumn + columnsAtOnce);
        column++) {
      for (int row = firstRow; row < Math.min(rows, firstRow + rowsAtOnce); row++) {
        int r = row / matrix.rowBlocks();
        int d = plan == null ? r : plan.rowStart(r) + column / matrix.columnBlocks();
        if (plan == null || d < plan.rowStart(r + 1)) {
          int i = row % matrix.rowBlocks();
          tiles.add(new Tile(tiles.size(), d, i, column % matrix.columnBlocks()));
        }
      }
    }
    return tiles.toArray(new Tile[0]);
  }
}
