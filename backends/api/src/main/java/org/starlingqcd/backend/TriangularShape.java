package org.starlingqcd.backend;

/**
 * A system {@code a(A) · X = alpha · B} or {@code X · a(A) = alpha · B} with a triangular A, where
 * a stands for the form in which A is read. X takes the place of B. It counts {@code order² · rhs}
 * flops for real numbers and four times as many for complex ones.
 *
 * @param left whether A stands on the left of X
 * @param lower whether A as it is stored is lower triangular; the other half is not read
 * @param unitDiagonal whether the diagonal of A counts as ones and is not read
 * @param rows rows of B
 * @param columns columns of B
 * @param lda numbers from row to row of A
 * @param ldb numbers from row to row of B
 */
public record TriangularShape(
    NumberKind kind,
    boolean left,
    boolean lower,
    Form form,
    boolean unitDiagonal,
    int rows,
    int columns,
    int lda,
    int ldb,
    Scalar alpha) {
  /** Checks the ranges. */
  public TriangularShape {
    alpha.checkFor(kind, "alpha");
    int order = left ? rows : columns;
    if (rows < 1 || columns < 1 || lda < order || ldb < columns) {
      throw new IllegalArgumentException(
          "must be >= 1, lda >= order, ldb >= columns: rows=%s columns=%s order=%s lda=%s ldb=%s"
              .formatted(rows, columns, order, lda, ldb));
    }
  }

  /** Rows and columns of A. */
  public int order() {
    return left ? rows : columns;
  }

  /** A. */
  public MatrixShape a() {
    return new MatrixShape(kind, order(), order(), lda);
  }

  /** B, and afterwards X. */
  public MatrixShape b() {
    return new MatrixShape(kind, rows, columns, ldb);
  }

  /** Real additions and multiplications. */
  public long flops() {
    return (kind == NumberKind.REAL ? 1L : 4L) * order() * rows * columns;
  }
}
