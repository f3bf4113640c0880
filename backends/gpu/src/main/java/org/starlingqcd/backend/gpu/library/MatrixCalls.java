package org.starlingqcd.backend.gpu.library;

import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.backend.TriangularShape;

/**
 * A vendor's calls on matrices. Every method is one call and returns its status. D or Z in a call's
 * name follows from the kind of numbers.
 *
 * <p>Shapes are row-major. A vendor's BLAS is column-major, so it sees the transpose of every
 * matrix: rows are columns, a product exchanges its factors, the left side of a system is its right
 * side, and a lower triangle is an upper one.
 */
public interface MatrixCalls {
  /**
   * A matrix of a sum, as it is stored.
   *
   * @param form in which it is read
   * @param leading numbers from row to row
   */
  record Term(Form form, Scalar factor, long address, int leading) {}

  /**
   * {@code gemmStridedBatched}: C = alpha · a(A) · b(B) + beta · C for every product of a batch.
   */
  int gemm(long handle, ProductShape product, Strides strides, long a, long b, long c);

  /** {@code axpy}: y = y + alpha · x for vectors, which are matrices of one column. */
  int axpy(long handle, MatrixShape x, Scalar alpha, long from, int stepY, long to);

  /** {@code scal}: x = alpha · x. */
  int scal(long handle, NumberKind kind, int count, Scalar alpha, long x, int step);

  /** {@code copy}: y = x for vectors, which are matrices of one column. */
  int copy(long handle, MatrixShape x, long from, int stepY, long to);

  /** {@code geam}: C = A + B; a plain B may be C. */
  int geam(long handle, MatrixShape shape, Term a, Term b, long c);

  /** {@code dgmm}: row i of y is number i of the factors times row i of x. */
  int dgmm(long handle, MatrixShape x, long factors, int step, long from, int leadingY, long to);

  /** {@code trsm}: solves a triangular system in place of its right sides. */
  int trsm(long handle, TriangularShape system, long a, long b);
}
