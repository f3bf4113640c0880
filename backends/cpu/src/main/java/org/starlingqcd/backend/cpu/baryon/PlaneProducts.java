package org.starlingqcd.backend.cpu.baryon;

import org.starlingqcd.backend.cpu.blas.Blas;

/**
 * Products of complex matrices in planes of real parts, imaginary parts and, perhaps, their sum.
 */
final class PlaneProducts {
  private PlaneProducts() {}

  /**
   * {@code alpha} times a complex product of an m × k matrix with a k × columns one (or the
   * transpose of a columns × k one). Strides are in bytes, from one plane to the next.
   *
   * @param exact whether to compute the conventional product in two planes; otherwise three real
   *     products are computed, which {@link Blas#finishThree} combines into planes
   */
  static void multiply(
      Blas blas,
      boolean exact,
      boolean transposed,
      int m,
      int columns,
      int k,
      double alpha,
      long a,
      long strideA,
      long b,
      long strideB,
      boolean add,
      long c,
      long strideC) {
    double beta = add ? 1 : 0;
    int ldb = transposed ? k : columns;
    int products = exact ? 4 : PairWorkspace.PLANES;
    for (int p = 0; p < products; p++) {
      // Conventional: re·re, -im·im, re·im, im·re.
      int ofA = exact ? p % 2 : p;
      int ofB = exact ? (p + 1) / 2 % 2 : p;
      int ofC = exact ? p / 2 : p;
      blas.gemm(
          false,
          transposed,
          m,
          columns,
          k,
          exact && p == 1 ? -alpha : alpha,
          a + ofA * strideA,
          k,
          b + ofB * strideB,
          ldb,
          exact && p % 2 == 1 ? 1 : beta,
          c + ofC * strideC,
          columns);
    }
  }
}
