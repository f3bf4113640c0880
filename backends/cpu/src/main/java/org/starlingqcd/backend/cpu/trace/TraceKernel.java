package org.starlingqcd.backend.cpu.trace;

import org.starlingqcd.backend.cpu.blas.Blas;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.blas.VectorLoops;
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * Computes all sums {@code Σ left[i][j] · right[j][i]} of one component of two lists of elements by
 * BLAS calls, where {@link VectorLoops} are missing.
 *
 * <p>Tile by tile, the right elements are transposed into scratch memory, where a row holds the
 * numbers of one part of one element in the order of the left tile. Left elements are then
 * multiplied with all of them in real products (2 · lefts × numbers) · (numbers × 2 · rights),
 * which OpenBLAS runs as dot products on the rows in place. Elements are read from memory in long
 * runs, real and imaginary part at a time: a run of less than some ten thousand bytes reaches only
 * a fraction of the memory's bandwidth.
 *
 * <p>The bits of a sum depend only on the two elements and their tiling, not on the rest of the
 * lists. Numbers are summed in the order of the left element, in pieces set by the tiling. Every
 * product has a multiple of four rows on the right, filled up with rows of zeros, since OpenBLAS
 * adds up its vectors in another order when both sides have less than four rows.
 */
final class TraceKernel {
  /**
   * Approximate count of numbers summed by one product: four rows of each side stay in the
   * first-level cache.
   */
  private static final int PIECE = 1 << 9;

  /** Most numbers of a component that are transposed at a time; a tile has fewer. */
  private static final int STRIP = 10 << 10;

  /**
   * Transposed numbers that are multiplied with all lefts at a time: half of a second-level cache
   * of 1 MiB.
   */
  private static final int PASSED = 1 << 16;

  /** Most rights transposed together. */
  private static final int MOST_RIGHTS = 64;

  /** Most rows of transposed numbers in one product. */
  private static final int PANEL = 64;

  /** Lefts in one product. */
  private static final int LEFTS = 4;

  /** Number of rows below which lefts are multiplied in place instead of in a copy. */
  private static final int FEW_ROWS = 4;

  /** Keeps rows whose length is a power of two from evicting each other from the cache. */
  private static final int PADDING = 8;

  private final Workspace workspace;
  private final Blas blas;
  private final Tiling tiling;
  private final long[] lefts;
  private final long[] rights;
  private final long imaginary;
  private final int rightsAtOnce;
  private final int leading;
  private final int columns;
  private final int passed;
  private final long turned;
  private final long packed;
  private final long sums;

  /**
   * Prepares the sums of components at these addresses.
   *
   * @param tiling layout of all of them
   */
  TraceKernel(Workspace workspace, Tiling tiling, long[] lefts, long[] rights) {
    this.workspace = workspace;
    this.tiling = tiling;
    this.lefts = lefts;
    this.rights = rights;
    blas = workspace.doubles();
    imaginary = 8L * tiling.extent() * tiling.extent();
    int groups = (rights.length + MOST_RIGHTS - 1) / MOST_RIGHTS;
    rightsAtOnce = (rights.length + groups - 1) / groups;
    int longest = Math.max(tiling.edge(), Math.min(STRIP, tiling.edge() * tiling.edge()));
    leading = longest + PADDING;
    columns = roundUp(2 * rightsAtOnce, 4);
    passed = Math.max(PIECE, PASSED / (2 * rightsAtOnce) / PIECE * PIECE);
    turned = workspace.rowsAfterZeros(2 * rightsAtOnce, leading);
    long kinds = 2L * lefts.length * columns;
    long copies = 2L * LEFTS * (Math.min(passed, longest) + PADDING);
    sums = workspace.scratch(kinds + copies);
    packed = sums + 8 * kinds;
  }

  private static int roundUp(int number, int multiple) {
    return (number + multiple - 1) / multiple * multiple;
  }

  /**
   * Writes real and imaginary part of the sum of each pair, the rights of the first left first.
   *
   * @param at index of the first
   */
  void sums(double[] result, int at) {
    double[] read = workspace.numbers(2 * lefts.length * columns);
    for (int first = 0; first < rights.length; first += rightsAtOnce) {
      int count = Math.min(rightsAtOnce, rights.length - first);
      int rows = 2 * lefts.length;
      int width = roundUp(2 * count, 4);
      blas.clear(rows * width, sums);
      for (int row = 0; row < tiling.tiles(); row++) {
        for (int column = 0; column < tiling.tiles(); column++) {
          addTile(row, column, first, count);
        }
      }
      blas.get(sums, read, 0, rows * width);
      for (int l = 0; l < lefts.length; l++) {
        for (int r = 0; r < count; r++) {
          int realRow = 2 * l * width + width - 2 * count + 2 * r;
          int imaginaryRow = realRow + width;
          int to = at + 2 * (l * rights.length + first + r);
          result[to] = read[realRow] - read[imaginaryRow + 1];
          result[to + 1] = read[realRow + 1] + read[imaginaryRow];
        }
      }
    }
  }

  /** Adds the products of tile (row, column) of the lefts with {@code count} rights. */
  private void addTile(int row, int column, int first, int count) {
    int height = tiling.size(row);
    int width = tiling.size(column);
    int most = Math.max(1, (leading - PADDING) / width);
    int strips = (height + most - 1) / most;
    int atOnce = (height + strips - 1) / strips;
    for (int i = 0; i < height; i += atOnce) {
      int rows = Math.min(atOnce, height - i);
      for (int r = 0; r < count; r++) {
        turn(row, column, i, rows, rights[first + r], turned + 16L * r * leading);
      }
      addStrip(8 * (tiling.offset(row, column) + (long) i * width), rows * width, count);
    }
  }

  /**
   * Transposes the {@code rows} columns that are multiplied with rows i to i + rows - 1 of tile
   * (row, column).
   */
  private void turn(int row, int column, int i, int rows, long right, long to) {
    int height = tiling.size(row);
    int width = tiling.size(column);
    long from = right + 8 * tiling.offset(/* row= */ column, /* column= */ row);
    if (i == 0) {
      // Reading columns of a tile that is not in the cache would be random access.
      blas.touch((long) height * width, from, from + imaginary);
    }
    for (int part = 0; part < 2; part++) {
      workspace
          .transposition()
          .run(rows, width, from + part * imaginary + 8L * i, height, to + 8L * part * leading);
    }
  }

  /** Adds the products of {@code count} transposed rights with all lefts from {@code at} on. */
  private void addStrip(long at, int numbers, int count) {
    int pieces = (numbers + PIECE - 1) / PIECE;
    int piece = roundUp((numbers + pieces - 1) / pieces, 8);
    int width = roundUp(2 * count, 4);
    long rows = turned - 8L * (width - 2 * count) * leading;
    int most = passed / PIECE * piece;
    for (int from = 0; from < numbers; from += most) {
      int end = Math.min(numbers, from + most);
      if (width <= FEW_ROWS || lefts.length == 1) {
        for (int l = 0; l < lefts.length; l++) {
          long left = lefts[l] + at + 8L * from;
          blas.touch(end - from, left, left + imaginary);
          multiply(l, 1, left, (int) (imaginary / 8), rows + 8L * from, width, end - from, piece);
        }
        continue;
      }
      int length = end - from + PADDING;
      for (int l = 0; l < lefts.length; l += LEFTS) {
        int together = Math.min(LEFTS, lefts.length - l);
        for (int e = 0; e < together; e++) {
          long left = lefts[l + e] + at + 8L * from;
          blas.touch(end - from, left, left + imaginary);
          blas.move(end - from, left, packed + 16L * e * length);
          blas.move(end - from, left + imaginary, packed + 8L * (2 * e + 1) * length);
        }
        multiply(l, together, packed, length, rows + 8L * from, width, end - from, piece);
      }
    }
  }

  /** Adds the products of some lefts with all transposed rows, piece by piece. */
  private void multiply(
      int l, int together, long left, int stride, long right, int width, int numbers, int piece) {
    for (int k = 0; k < numbers; k += piece) {
      for (int panel = 0; panel < width; panel += PANEL) {
        blas.gemm(
            false,
            true,
            2 * together,
            Math.min(PANEL, width - panel),
            Math.min(piece, numbers - k),
            1,
            left + 8L * k,
            stride,
            right + 8L * ((long) panel * leading + k),
            leading,
            1,
            sums + 8L * (2L * l * width + panel),
            width);
      }
    }
  }
}
