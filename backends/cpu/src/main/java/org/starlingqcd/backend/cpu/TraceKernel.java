package org.starlingqcd.backend.cpu;

/**
 * All sums {@code Σ straight[i][j] · turned[j][i]} of one component of two lists of elements, for
 * real and imaginary parts separately.
 *
 * <p>A few rows of a tile at a time, the turned elements are transposed into scratch memory; then
 * four straight elements at a time are multiplied with all of them as one real product (8 ×
 * numbers) · (numbers × twice the turned elements), for which OpenBLAS needs no packing of its own.
 * Every number is copied once, and pieces stay in the second-level cache from one step to the next.
 */
final class TraceKernel {
  /** Most numbers of a component that are taken at a time: a tile. */
  private static final int PIECE = 1 << 12;

  /** Doubles of transposed numbers that are kept: half of a second-level cache of 1 MiB. */
  private static final int TURNED = 1 << 16;

  /** Most elements transposed together. */
  private static final int MOST_TURNED = 64;

  /** Keeps rows of a power of two of numbers from falling on each other in the cache. */
  private static final int PADDING = 8;

  /** Numbers summed by one product, so that its rows stay in the first-level cache. */
  private static final int SUMMED = 512;

  /** Straight elements multiplied at a time. */
  private static final int STRAIGHT = 4;

  private final Workspace workspace;
  private final Blas blas;
  private final Tiling tiling;
  private final long[] straight;
  private final long[] turned;
  private final long imaginary;
  private final int turnedAtOnce;
  private final int piece;
  private final int columns;
  private final long sums;
  private final long turnedAt;
  private final long straightAt;

  /**
   * Prepares the sums of components at these addresses.
   *
   * @param tiling layout of all of them
   */
  TraceKernel(Workspace workspace, Tiling tiling, long[] straight, long[] turned) {
    this.workspace = workspace;
    this.tiling = tiling;
    this.straight = straight;
    this.turned = turned;
    blas = workspace.blas();
    imaginary = 8L * tiling.extent() * tiling.extent();
    int groups = (turned.length + MOST_TURNED - 1) / MOST_TURNED;
    turnedAtOnce = (turned.length + groups - 1) / groups;
    piece = Math.min(PIECE, TURNED / (2 * turnedAtOnce));
    columns = 2 * turned.length;
    long kinds = 2L * straight.length * columns;
    long numbers = (long) PADDING + Math.max(piece, tiling.edge());
    sums = workspace.scratch(kinds + 2 * numbers * (turnedAtOnce + STRAIGHT));
    turnedAt = sums + 8 * kinds;
    straightAt = turnedAt + 16 * numbers * turnedAtOnce;
  }

  /**
   * The sums in rows for the straight elements, real part and imaginary part in turn, and columns
   * for the turned ones, likewise. The array is overwritten by the next use of the workspace.
   */
  double[] sums() {
    int kinds = 2 * straight.length * columns;
    blas.clear(kinds, sums);
    for (int row = 0; row < tiling.tiles(); row++) {
      for (int column = 0; column < tiling.tiles(); column++) {
        int height = tiling.size(row);
        int width = tiling.size(column);
        // Pieces of equal size, not more than there is room for.
        int pieces = (height + Math.max(1, piece / width) - 1) / Math.max(1, piece / width);
        int atOnce = (height + pieces - 1) / pieces;
        for (int i = 0; i < height; i += atOnce) {
          int rows = Math.min(atOnce, height - i);
          for (int first = 0; first < turned.length; first += turnedAtOnce) {
            int end = Math.min(first + turnedAtOnce, turned.length);
            for (int t = first; t < end; t++) {
              turn(
                  row, column, i, rows, t, turnedAt + 16L * (t - first) * (rows * width + PADDING));
            }
            multiply(row, column, i, rows, first, end);
          }
        }
      }
    }
    double[] read = workspace.numbers(kinds);
    blas.get(sums, read, kinds);
    return read;
  }

  /** Transposes what meets rows i to i + rows - 1 of tile (row, column): that many columns. */
  private void turn(int row, int column, int i, int rows, int element, long to) {
    int height = tiling.size(row);
    int width = tiling.size(column);
    long from = turned[element] + 8 * tiling.offset(/* row= */ column, /* column= */ row);
    for (int part = 0; part < 2; part++) {
      long source = from + part * imaginary;
      long target = to + 8L * part * (rows * width + PADDING);
      if (i == 0) {
        // Columns of a tile that is not in the cache would be read at random.
        blas.touch(height * width, source);
      }
      for (int k = 0; k < rows; k++) {
        blas.copy(width, source + 8L * (i + k), height, target + 8L * k * width, 1);
      }
    }
  }

  /** Adds the products of all straight elements with the transposed ones. */
  private void multiply(int row, int column, int i, int rows, int firstTurned, int endTurned) {
    int width = tiling.size(column);
    int count = rows * width;
    long at = 8 * (tiling.offset(row, column) + (long) i * width);
    int n = 2 * (endTurned - firstTurned);
    for (int first = 0; first < straight.length; first += STRAIGHT) {
      int elements = Math.min(STRAIGHT, straight.length - first);
      long packed;
      int leading;
      if (elements == 1 && imaginary / 8 <= Integer.MAX_VALUE) {
        // Real and imaginary part are two rows as they lie.
        packed = straight[first] + at;
        leading = (int) (imaginary / 8);
      } else {
        packed = straightAt;
        leading = count + PADDING;
        for (int e = 0; e < elements; e++) {
          long from = straight[first + e] + at;
          blas.copy(count, from, 1, packed + 16L * e * leading, 1);
          blas.copy(count, from + imaginary, 1, packed + 16L * e * leading + 8L * leading, 1);
        }
      }
      for (int k = 0; k < count; k += SUMMED) {
        blas.addTimesTransposed(
            2 * elements,
            n,
            Math.min(SUMMED, count - k),
            packed + 8L * k,
            leading,
            turnedAt + 8L * k,
            count + PADDING,
            sums + 8L * (2L * first * columns + 2L * firstTurned),
            columns);
      }
    }
  }
}
