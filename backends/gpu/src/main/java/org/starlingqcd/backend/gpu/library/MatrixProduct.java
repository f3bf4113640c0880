package org.starlingqcd.backend.gpu.library;

import org.starlingqcd.backend.Precision;

/**
 * Shape and scalars of complex products {@code C = alpha · op(A) · B + beta · C} in the convention
 * of BLAS: column-major, op(A) is m × k, B is k × n, C is m × n, leading dimensions in complex
 * numbers. A product counts {@code 8 · m · n · k} flops.
 *
 * @param transposed whether op(A) is the transpose of A
 * @param beta real; with 0 the old C is not read
 * @param precision of all numbers
 */
public record MatrixProduct(
    boolean transposed,
    int m,
    int n,
    int k,
    int lda,
    int ldb,
    int ldc,
    double alphaRe,
    double alphaIm,
    double beta,
    Precision precision) {
  /** A product in double precision. */
  public MatrixProduct(
      boolean transposed,
      int m,
      int n,
      int k,
      int lda,
      int ldb,
      int ldc,
      double alphaRe,
      double alphaIm,
      double beta) {
    this(transposed, m, n, k, lda, ldb, ldc, alphaRe, alphaIm, beta, Precision.DOUBLE);
  }

  /** The same product of numbers of another precision. */
  public MatrixProduct in(Precision other) {
    return new MatrixProduct(transposed, m, n, k, lda, ldb, ldc, alphaRe, alphaIm, beta, other);
  }

  /** Whether the result is a vector: a single row or column. */
  public boolean isVector() {
    return m == 1 || n == 1;
  }

  /** Whether A is the vector and B the matrix, in a product with one row. */
  public boolean exchanges() {
    return n > 1;
  }

  /** A product with one row or column as a matrix times a vector. */
  public VectorProduct asVector() {
    return exchanges()
        ? new VectorProduct(
            true, k, n, ldb, transposed ? 1 : lda, ldc, alphaRe, alphaIm, beta, precision)
        : new VectorProduct(
            transposed,
            transposed ? k : m,
            transposed ? m : k,
            lda,
            1,
            1,
            alphaRe,
            alphaIm,
            beta,
            precision);
  }
}
