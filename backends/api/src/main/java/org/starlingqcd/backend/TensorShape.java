package org.starlingqcd.backend;

/**
 * Shape of an element: {@code spins} tensors of {@code rank} indices, each running over {@code
 * extent} eigenvectors. The host layout is {@code [spin][i][j]...}, row-major, interleaved complex;
 * a device may use another layout.
 *
 * @param spins number of spin components; a meson node has 16, a bare elemental 1
 * @param rank number of distillation indices: 2 for a meson, 3 for a baryon
 * @param extent number of eigenvectors N
 * @param precision of its numbers, on the host and on the device
 */
public record TensorShape(int spins, int rank, int extent, Precision precision) {
  /** Bytes of one complex number in double precision. */
  public static final int COMPLEX_BYTES = 16;

  /** Checks that every part is positive. */
  public TensorShape {
    if (spins < 1 || rank < 1 || extent < 1) {
      throw new IllegalArgumentException(
          "must be >= 1: spins=" + spins + " rank=" + rank + " extent=" + extent);
    }
  }

  /** A shape in double precision. */
  public TensorShape(int spins, int rank, int extent) {
    this(spins, rank, extent, Precision.DOUBLE);
  }

  /** The same shape with numbers of another precision. */
  public TensorShape in(Precision other) {
    return new TensorShape(spins, rank, extent, other);
  }

  /** A meson node: 16 matrices, spin index {@code 4 * row + column}. */
  public static TensorShape mesonNode(int extent) {
    return new TensorShape(16, 2, extent);
  }

  /** A meson elemental: one matrix. */
  public static TensorShape elemental(int extent) {
    return new TensorShape(1, 2, extent);
  }

  /** Complex numbers of one spin component. */
  public long componentSize() {
    long size = 1;
    for (int k = 0; k < rank; k++) {
      size = Math.multiplyExact(size, extent);
    }
    return size;
  }

  /** Complex numbers of the whole element. */
  public long size() {
    return Math.multiplyExact(componentSize(), spins);
  }

  /**
   * Bytes of the element, the same on host and device: the device may permute numbers but not pad
   * them.
   */
  public long bytes() {
    return Math.multiplyExact(size(), precision.complexBytes());
  }
}
