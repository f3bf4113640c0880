package org.starlingqcd.backend;

/**
 * Which spin components a batched contraction multiplies, with which factor, and where each product
 * is added: entry {@code b} adds {@code factor[b] * left[leftSpin[b]] * right[rightSpin[b]]} to
 * {@code destination[destinationSpin[b]]}. Several entries may share a destination, a spin may
 * repeat, and destinations without an entry become zero (MemHC, section 5.2).
 *
 * <p>A meson contraction has 64 entries, four for each of the 16 destination spins; {@link
 * #mesonProduct} creates its mapping.
 */
public final class BatchSpinMapping extends SpinEntries {
  private final boolean coversDestination;

  /**
   * Creates a mapping; the arrays are copied.
   *
   * @param factors interleaved complex, {@code 2 * left.length} numbers
   */
  public BatchSpinMapping(
      int leftSpins,
      int rightSpins,
      int destinationSpins,
      int[] left,
      int[] right,
      int[] destination,
      double[] factors) {
    super(
        factors, 2, new int[] {leftSpins, rightSpins, destinationSpins}, left, right, destination);
    check("left spin", 0);
    check("right spin", 1);
    check("destination spin", 2);
    coversDestination = distinct(2) == destinationSpins;
  }

  /**
   * The contraction {@code A·X·B·Y} of two meson nodes X and Y with monomial spin matrices A and B
   * (every row and column has one nonzero entry): {@code A[α, rowA[α]] = signA[α]}, and likewise
   * for B. Spin index is {@code 4 * row + column}.
   */
  public static BatchSpinMapping mesonProduct(int[] rowA, int[] signA, int[] rowB, int[] signB) {
    int[] left = new int[64];
    int[] right = new int[64];
    int[] destination = new int[64];
    double[] factors = new double[128];
    int b = 0;
    for (int alpha = 0; alpha < 4; alpha++) {
      for (int beta = 0; beta < 4; beta++) {
        for (int gamma = 0; gamma < 4; gamma++, b++) {
          left[b] = 4 * rowA[alpha] + gamma;
          right[b] = 4 * rowB[gamma] + beta;
          destination[b] = 4 * alpha + beta;
          factors[2 * b] = signA[alpha] * signB[gamma];
        }
      }
    }
    return new BatchSpinMapping(16, 16, 16, left, right, destination, factors);
  }

  /** The plain contraction of two meson nodes. */
  public static BatchSpinMapping mesonProduct() {
    int[] identity = {0, 1, 2, 3};
    int[] ones = {1, 1, 1, 1};
    return mesonProduct(identity, ones, identity, ones);
  }

  /**
   * One matrix without spin times each of {@code spins} components: an elemental times a
   * perambulator.
   */
  public static BatchSpinMapping leftScalar(int spins) {
    int[] zero = new int[spins];
    int[] each = new int[spins];
    double[] factors = new double[2 * spins];
    for (int s = 0; s < spins; s++) {
      each[s] = s;
      factors[2 * s] = 1;
    }
    return new BatchSpinMapping(1, spins, spins, zero, each, each, factors);
  }

  /** Whether every spin component of the destination has an entry. */
  public boolean coversDestination() {
    return coversDestination;
  }

  /** Spin components of the left input. */
  public int leftSpins() {
    return size(0);
  }

  /** Spin components of the right input. */
  public int rightSpins() {
    return size(1);
  }

  /** Spin components of the destination. */
  public int destinationSpins() {
    return size(2);
  }

  /** Left spin of entry {@code b}. */
  public int left(int b) {
    return component(0, b);
  }

  /** Right spin of entry {@code b}. */
  public int right(int b) {
    return component(1, b);
  }

  /** Destination spin of entry {@code b}. */
  public int destination(int b) {
    return component(2, b);
  }
}
