package org.starlingqcd.backend.hip;

import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.backend.TriangularShape;
import org.starlingqcd.backend.gpu.library.MatrixCalls;

/** hipBLAS's calls on matrices. */
final class HipMatrixCalls implements MatrixCalls {
  private static boolean complex(NumberKind kind) {
    return kind == NumberKind.COMPLEX;
  }

  @Override
  public int gemm(long handle, ProductShape p, Strides strides, long a, long b, long c) {
    return HipBinding.matrixGemm(
        handle,
        complex(p.kind()),
        p.formB().code(),
        p.formA().code(),
        p.n(),
        p.m(),
        p.k(),
        p.alpha().re(),
        p.alpha().im(),
        b,
        p.ldb(),
        strides.b(),
        a,
        p.lda(),
        strides.a(),
        p.beta().re(),
        p.beta().im(),
        c,
        p.ldc(),
        strides.c(),
        strides.count());
  }

  @Override
  public int axpy(long handle, MatrixShape x, Scalar alpha, long from, int stepY, long to) {
    return HipBinding.matrixAxpy(
        handle, complex(x.kind()), x.rows(), alpha.re(), alpha.im(), from, x.leading(), to, stepY);
  }

  @Override
  public int scal(long handle, NumberKind kind, int count, Scalar alpha, long x, int step) {
    return HipBinding.matrixScal(handle, complex(kind), count, alpha.re(), alpha.im(), x, step);
  }

  @Override
  public int copy(long handle, MatrixShape x, long from, int stepY, long to) {
    return HipBinding.matrixCopy(handle, complex(x.kind()), x.rows(), from, x.leading(), to, stepY);
  }

  @Override
  public int geam(long handle, MatrixShape shape, Term a, Term b, long c) {
    return HipBinding.matrixGeam(
        handle,
        complex(shape.kind()),
        a.form().code(),
        b.form().code(),
        shape.columns(),
        shape.rows(),
        a.factor().re(),
        a.factor().im(),
        a.address(),
        a.leading(),
        b.factor().re(),
        b.factor().im(),
        b.address(),
        b.leading(),
        c,
        shape.leading());
  }

  @Override
  public int dgmm(
      long handle, MatrixShape x, long factors, int step, long from, int leadingY, long to) {
    return HipBinding.matrixDgmm(
        handle,
        complex(x.kind()),
        x.columns(),
        x.rows(),
        from,
        x.leading(),
        factors,
        step,
        to,
        leadingY);
  }

  @Override
  public int trsm(long handle, TriangularShape s, long a, long b) {
    return HipBinding.matrixTrsm(
        handle,
        complex(s.kind()),
        !s.left(),
        !s.lower(),
        s.form().code(),
        s.unitDiagonal(),
        s.columns(),
        s.rows(),
        s.alpha().re(),
        s.alpha().im(),
        a,
        s.lda(),
        b,
        s.ldb());
  }
}
