package org.starlingqcd.backend.cpu.blas;

/**
 * The layout of a matrix in memory: real parts, then imaginary parts. Each plane is row-major
 * ({@link #PLAIN}) or, for square matrices, cut into tiles that lie one after the other (tile
 * {@code (0,0)}, {@code (0,1)}, ...), every tile row-major.
 *
 * <p>OpenBLAS has kernels for small contiguous matrices that need no packing and run faster than
 * its large products (see {@code benchmarks/README.md}); tiles of suitable size run every product
 * on these kernels and fit into the first-level cache. A tiling with one tile is the plain layout.
 *
 * @param extent rows and columns of the matrix; 0 for {@link #PLAIN}
 * @param edge rows and columns of a tile; those at the lower and right border are smaller
 */
public record Tiling(int extent, int edge) {
  /** Row-major without tiles, for any rank. */
  public static final Tiling PLAIN = new Tiling(0, 0);

  /** Whether there are tiles. */
  public boolean isTiled() {
    return extent > 0;
  }

  /** The layout for matrices of so many rows and columns: one tile if it is plain. */
  public Tiling of(int size) {
    return isTiled() ? this : new Tiling(size, size);
  }

  /** Whether both layouts put every number of a matrix at the same place. */
  public boolean sameNumbers(Tiling other) {
    return equals(other)
        || ((!isTiled() || tiles() == 1) && (!other.isTiled() || other.tiles() == 1));
  }

  /** Tiles in a row of tiles. */
  public int tiles() {
    return (extent + edge - 1) / edge;
  }

  /** Rows (or columns) of tile row (or column) {@code k}. */
  public int size(int k) {
    return Math.min(edge, extent - k * edge);
  }

  /** Doubles before tile {@code (row, column)}. */
  public long offset(int row, int column) {
    return (long) row * edge * extent + (long) column * edge * size(row);
  }

  /** Doubles before the part of matrix row {@code row} that lies in tile column {@code column}. */
  public long rowStart(int row, int column) {
    return offset(row / edge, column) + (long) (row % edge) * size(column);
  }
}
