package org.starlingqcd.backend.hip;

import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.backend.gpu.library.MatrixCalls;

/** hipBLAS's calls on matrices. */
final class HipMatrixCalls implements MatrixCalls {
  private static boolean complex(NumberKind kind) {
    return kind == NumberKind.COMPLEX;
  }

  @Override
  public int gemm(
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
      Strides strides) {
    return HipBinding.matrixGemm(
        handle,
        complex(kind),
        formA.code(),
        formB.code(),
        m,
        n,
        k,
        alpha.re(),
        alpha.im(),
        a,
        lda,
        strides.a(),
        b,
        ldb,
        strides.b(),
        beta.re(),
        beta.im(),
        c,
        ldc,
        strides.c(),
        strides.count());
  }

  @Override
  public int axpy(
      long handle, NumberKind kind, int n, Scalar alpha, long x, int stepX, long y, int stepY) {
    return HipBinding.matrixAxpy(
        handle, complex(kind), n, alpha.re(), alpha.im(), x, stepX, y, stepY);
  }

  @Override
  public int scal(long handle, NumberKind kind, int n, Scalar alpha, long x, int step) {
    return HipBinding.matrixScal(handle, complex(kind), n, alpha.re(), alpha.im(), x, step);
  }

  @Override
  public int copy(long handle, NumberKind kind, int n, long x, int stepX, long y, int stepY) {
    return HipBinding.matrixCopy(handle, complex(kind), n, x, stepX, y, stepY);
  }

  @Override
  public int geam(
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
      int ldc) {
    return HipBinding.matrixGeam(
        handle,
        complex(kind),
        formA.code(),
        formB.code(),
        m,
        n,
        alpha.re(),
        alpha.im(),
        a,
        lda,
        beta.re(),
        beta.im(),
        b,
        ldb,
        c,
        ldc);
  }

  @Override
  public int dgmm(
      long handle,
      NumberKind kind,
      int m,
      int n,
      long a,
      int lda,
      long x,
      int step,
      long c,
      int ldc) {
    return HipBinding.matrixDgmm(handle, complex(kind), m, n, a, lda, x, step, c, ldc);
  }

  @Override
  public int trsm(
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
      int ldb) {
    return HipBinding.matrixTrsm(
        handle,
        complex(kind),
        left,
        lower,
        form.code(),
        unitDiagonal,
        m,
        n,
        alpha.re(),
        alpha.im(),
        a,
        lda,
        b,
        ldb);
  }
}
