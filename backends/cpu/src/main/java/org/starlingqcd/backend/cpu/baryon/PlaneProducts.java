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
    if (exact) {
      real(blas, transposed, m, columns, k, alpha, a, b, beta, c);
      real(blas, transposed, m, columns, k, -alpha, a + strideA, b + strideB, 1, c);
      real(blas, transposed, m, columns, k, alpha, a, b + strideB, beta, c + strideC);
      real(blas, transposed, m, columns, k, alpha, a + strideA, b, 1, c + strideC);
      return;
    }
    for (int plane = 0; plane < PairWorkspace.PLANES; plane++) {
      real(
          blas,
          transposed,
          m,
          columns,
          k,
          alpha,
          a + plane * strideA,
          b + plane * strideB,
          beta,
          c + plane * strideC);
    }
  }

  private static void real(
      Blas blas,
      boolean transposed,
      int m,
      int columns,
      int k,
      double alpha,
      long a,
      long b,
      double beta,
      long c) {
    if (transposed) {
      blas.gemmTransposed(m, columns, k, alpha, a, k, b, k, beta, c, columns);
    } else {
      blas.gemm(m, columns, k, alpha, a, k, b, columns, beta, c, columns);
    }
  }
}
