package org.starlingqcd.backend;

/**
 * A product {@code C = alpha · a(A) · b(B) + beta · C} of row-major matrices, where a and b stand
 * for the forms in which A and B are read. It counts {@code 2 · m · n · k} flops for real and
 * {@code 8 · m · n · k} for complex numbers.
 *
 * @param m rows of C
 * @param n columns of C
 * @param k length of the summed index
 * @param lda numbers from row to row of A as it is stored
 * @param ldb the same for B
 * @param ldc the same for C
 * @param beta with 0 the old C is not read
 */
public record ProductShape(
    NumberKind kind,
    Form formA,
    Form formB,
    int m,
    int n,
    int k,
    int lda,
    int ldb,
    int ldc,
    Scalar alpha,
    Scalar beta) {
  /** Checks the ranges. */
  public ProductShape {
    alpha.checkFor(kind, "alpha");
    beta.checkFor(kind, "beta");
    if (m < 1 || n < 1 || k < 1) {
      throw new IllegalArgumentException("must be >= 1: m=" + m + " n=" + n + " k=" + k);
    }
    stored(kind, formA, m, k, lda);
    stored(kind, formB, k, n, ldb);
    stored(kind, Form.PLAIN, m, n, ldc);
  }

  /** A product of matrices without gaps that overwrites C. */
  public static ProductShape dense(NumberKind kind, Form formA, Form formB, int m, int n, int k) {
    return new ProductShape(
        kind,
        formA,
        formB,
        m,
        n,
        k,
        formA.exchanges() ? m : k,
        formB.exchanges() ? k : n,
        n,
        Scalar.ONE,
        Scalar.ZERO);
  }

  /** The same product with other factors. */
  public ProductShape scaled(Scalar newAlpha, Scalar newBeta) {
    return new ProductShape(kind, formA, formB, m, n, k, lda, ldb, ldc, newAlpha, newBeta);
  }

  /** The same product with A in rows of so many numbers. */
  public ProductShape fromRowsOf(int numbers) {
    return new ProductShape(kind, formA, formB, m, n, k, numbers, ldb, ldc, alpha, beta);
  }

  /** A as it is stored. */
  public MatrixShape a() {
    return stored(kind, formA, m, k, lda);
  }

  /** B as it is stored. */
  public MatrixShape b() {
    return stored(kind, formB, k, n, ldb);
  }

  /** C. */
  public MatrixShape c() {
    return stored(kind, Form.PLAIN, m, n, ldc);
  }

  /** Real additions and multiplications. */
  public long flops() {
    return (long) kind.flops() * m * n * k;
  }

  private static MatrixShape stored(
      NumberKind kind, Form form, int rows, int columns, int leading) {
    return form.exchanges()
        ? new MatrixShape(kind, columns, rows, leading)
        : new MatrixShape(kind, rows, columns, leading);
  }
}
