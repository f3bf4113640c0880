package org.starlingqcd.backend.gpu.memory;

import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/**
 * The layout of the spin components of an element in device memory. Component {@code s} is block
 * {@code (s / columns, s % columns)} of one row-major matrix whose blocks are the components'
 * matrices.
 *
 * <p>A meson node is a single 4N × 4N matrix (columns = 4): the plain product of two nodes is one
 * matrix product, and a monomial spin matrix between them splits it into at most four. All other
 * elements have the host's layout {@code [spin][i][j]} (columns = 1), whose components follow each
 * other without gaps.
 *
 * @param spins number of components
 * @param columns blocks in a row of blocks
 * @param separate whether the components are separate blocks of memory
 */
public record ElementLayout(int spins, int columns, boolean separate) {
  /** The form of elements that stay in the host's layout. */
  public static final Object AS_GIVEN = new Object();

  private static final int NODE_SPINS = 16;
  private static final int NODE_COLUMNS = 4;

  /** The layout in which an element of this shape is uploaded. */
  public static ElementLayout of(TensorShape shape) {
    return shape.rank() == 2 ? square(shape.spins()) : packed(shape.spins());
  }

  /** The layout of an element whose components are square matrices. */
  public static ElementLayout square(int spins) {
    return spins == NODE_SPINS ? new ElementLayout(spins, NODE_COLUMNS, false) : packed(spins);
  }

  /** The host's layout. */
  public static ElementLayout packed(int spins) {
    return new ElementLayout(spins, 1, false);
  }

  /** Components that are separate blocks of memory. */
  public static ElementLayout separate(int spins) {
    return new ElementLayout(spins, 1, true);
  }

  /** Equality of numbers, without the way through a record's general method. */
  public boolean isSame(ElementLayout other) {
    return spins == other.spins && columns == other.columns && separate == other.separate;
  }

  /** Rows of blocks. */
  public int rows() {
    return spins / columns;
  }

  /** Numbers from one row to the next, for components of {@code width} columns. */
  public int leadingDimension(int width) {
    return columns * width;
  }

  /** Offset of component {@code spin} in complex numbers, for components of height × width. */
  public long offset(int spin, int height, int width) {
    long row = (long) (spin / columns) * height;
    return (row * columns + spin % columns) * width;
  }

  /** Copies square matrices in this layout to host layout. */
  public void unpack(HostMemory source, long from, HostMemory target, long to, TensorShape shape) {
    int bytes = shape.precision().complexBytes();
    int extent = (int) Math.round(Math.sqrt((double) shape.componentSize()));
    long row = (long) extent * bytes;
    for (int spin = 0; spin < spins; spin++) {
      long first = from + offset(spin, extent, extent) * bytes;
      long matrix = to + row * extent * spin;
      for (int i = 0; i < extent; i++) {
        source.copyTo(first + i * row * columns, target, matrix + i * row, row);
      }
    }
  }
}
