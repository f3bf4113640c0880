package org.starlingqcd.backend.gpu.library;

import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;

/**
 * A vendor's calls on matrices in the convention of BLAS: column-major, leading dimensions and
 * strides in numbers. Every method is one call and returns its status. D or Z in a call's name
 * follows from the kind of numbers.
 */
public interface MatrixCalls {
  /** {@code gemmStridedBatched}: C (m × n) = alpha · a(A) · b(B) + beta · C. */
  int gemm(
      long handle,
      NumberKind kind,
      Form formA,
      Form formB,
      int m,
      int n,
      int k,
      Scalar alpha,
      long a,
      int lda,
      long b,
      int ldb,
      Scalar beta,
      long c,
      int ldc,
      Strides strides);

  /** {@code axpy}: y = y + alpha · x. */
  int axpy(long handle, NumberKind kind, int n, Scalar alpha, long x, int stepX, long y, int stepY);

  /** {@code scal}: x = alpha · x. */
  int scal(long handle, NumberKind kind, int n, Scalar alpha, long x, int step);

  /** {@code copy}: y = x. */
  int copy(long handle, NumberKind kind, int n, long x, int stepX, long y, int stepY);

  /** {@code geam}: C (m × n) = alpha · a(A) + beta · b(B); B may be C where b is plain. */
  int geam(
      long handle,
      NumberKind kind,
      Form formA,
      Form formB,
      int m,
      int n,
      Scalar alpha,
      long a,
      int lda,
      Scalar beta,
      long b,
      int ldb,
      long c,
      int ldc);

  /** {@code dgmm} from the right: column j of C (m × n) is number j of x times column j of A. */
  int dgmm(
      long handle,
      NumberKind kind,
      int m,
      int n,
      long a,
      int lda,
      long x,
      int step,
      long c,
      int ldc);

  /** {@code trsm}: solves a(A) · X = alpha · B or X · a(A) = alpha · B in place of B (m × n). */
  int trsm(
      long handle,
      NumberKind kind,
      boolean left,
      boolean lower,
      Form form,
      boolean unitDiagonal,
      int m,
      int n,
      Scalar alpha,
      long a,
      int lda,
      long b,
      int ldb);
}
