package org.starlingqcd.backend.cuda;

import jcuda.jcublas.JCublas2;
import jcuda.jcublas.cublasDiagType;
import jcuda.jcublas.cublasFillMode;
import jcuda.jcublas.cublasHandle;
import jcuda.jcublas.cublasOperation;
import jcuda.jcublas.cublasSideMode;
import org.bytedeco.javacpp.DoublePointer;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.backend.TriangularShape;
import org.starlingqcd.backend.gpu.library.MatrixCalls;

/** cuBLAS's calls on matrices. */
final class CudaMatrixCalls implements MatrixCalls {
  private final Handles<cublasHandle> handles;
  private final DoublePointer scalars;
  private final Address first;
  private final Address second;

  /**
   * The calls of a device.
   *
   * @param scalars host memory for alpha and beta, which cuBLAS reads within a call
   */
  CudaMatrixCalls(Handles<cublasHandle> handles, DoublePointer scalars) {
    this.handles = handles;
    this.scalars = scalars;
    first = new Address(scalars.address());
    second = new Address(scalars.address() + 2 * Double.BYTES);
  }

  private void put(Scalar alpha, Scalar beta) {
    scalars.put(0, alpha.re()).put(1, alpha.im()).put(2, beta.re()).put(3, beta.im());
  }

  private static int op(Form form) {
    return switch (form) {
      case PLAIN -> cublasOperation.CUBLAS_OP_N;
      case TRANSPOSED -> cublasOperation.CUBLAS_OP_T;
      case ADJOINT -> cublasOperation.CUBLAS_OP_C;
    };
  }

  private static Address at(long address) {
    return new Address(address);
  }

  @Override
  public int gemm(long handle, ProductShape p, Strides strides, long a, long b, long c) {
    put(p.alpha(), p.beta());
    return p.kind() == NumberKind.REAL
        ? JCublas2.cublasDgemmStridedBatched(
            handles.get(handle),
            op(p.formB()),
            op(p.formA()),
            p.n(),
            p.m(),
            p.k(),
            first,
            at(b),
            p.ldb(),
            strides.b(),
            at(a),
            p.lda(),
            strides.a(),
            second,
            at(c),
            p.ldc(),
            strides.c(),
            strides.count())
        : JCublas2.cublasZgemmStridedBatched(
            handles.get(handle),
            op(p.formB()),
            op(p.formA()),
            p.n(),
            p.m(),
            p.k(),
            first,
            at(b),
            p.ldb(),
            strides.b(),
            at(a),
            p.lda(),
            strides.a(),
            second,
            at(c),
            p.ldc(),
            strides.c(),
            strides.count());
  }

  @Override
  public int axpy(long handle, MatrixShape x, Scalar alpha, long from, int stepY, long to) {
    put(alpha, Scalar.ZERO);
    cublasHandle blas = handles.get(handle);
    return x.kind() == NumberKind.REAL
        ? JCublas2.cublasDaxpy(blas, x.rows(), first, at(from), x.leading(), at(to), stepY)
        : JCublas2.cublasZaxpy(blas, x.rows(), first, at(from), x.leading(), at(to), stepY);
  }

  @Override
  public int scal(long handle, NumberKind kind, int count, Scalar alpha, long x, int step) {
    put(alpha, Scalar.ZERO);
    return kind == NumberKind.REAL
        ? JCublas2.cublasDscal(handles.get(handle), count, first, at(x), step)
        : JCublas2.cublasZscal(handles.get(handle), count, first, at(x), step);
  }

  @Override
  public int copy(long handle, MatrixShape x, long from, int stepY, long to) {
    cublasHandle blas = handles.get(handle);
    return x.kind() == NumberKind.REAL
        ? JCublas2.cublasDcopy(blas, x.rows(), at(from), x.leading(), at(to), stepY)
        : JCublas2.cublasZcopy(blas, x.rows(), at(from), x.leading(), at(to), stepY);
  }

  @Override
  public int geam(long handle, MatrixShape shape, Term a, Term b, long c) {
    put(a.factor(), b.factor());
    return shape.kind() == NumberKind.REAL
        ? JCublas2.cublasDgeam(
            handles.get(handle),
            op(a.form()),
            op(b.form()),
            shape.columns(),
            shape.rows(),
            first,
            at(a.address()),
            a.leading(),
            second,
            at(b.address()),
            b.leading(),
            at(c),
            shape.leading())
        : JCublas2.cublasZgeam(
            handles.get(handle),
            op(a.form()),
            op(b.form()),
            shape.columns(),
            shape.rows(),
            first,
            at(a.address()),
            a.leading(),
            second,
            at(b.address()),
            b.leading(),
            at(c),
            shape.leading());
  }

  @Override
  public int dgmm(
      long handle, MatrixShape x, long factors, int step, long from, int leadingY, long to) {
    return x.kind() == NumberKind.REAL
        ? JCublas2.cublasDdgmm(
            handles.get(handle),
            cublasSideMode.CUBLAS_SIDE_RIGHT,
            x.columns(),
            x.rows(),
            at(from),
            x.leading(),
            at(factors),
            step,
            at(to),
            leadingY)
        : JCublas2.cublasZdgmm(
            handles.get(handle),
            cublasSideMode.CUBLAS_SIDE_RIGHT,
            x.columns(),
            x.rows(),
            at(from),
            x.leading(),
            at(factors),
            step,
            at(to),
            leadingY);
  }

  @Override
  public int trsm(long handle, TriangularShape s, long a, long b) {
    put(s.alpha(), Scalar.ZERO);
    int side = s.left() ? cublasSideMode.CUBLAS_SIDE_RIGHT : cublasSideMode.CUBLAS_SIDE_LEFT;
    int half =
        s.lower() ? cublasFillMode.CUBLAS_FILL_MODE_UPPER : cublasFillMode.CUBLAS_FILL_MODE_LOWER;
    int diagonal =
        s.unitDiagonal() ? cublasDiagType.CUBLAS_DIAG_UNIT : cublasDiagType.CUBLAS_DIAG_NON_UNIT;
    return s.kind() == NumberKind.REAL
        ? JCublas2.cublasDtrsm(
            handles.get(handle),
            side,
            half,
            op(s.form()),
            diagonal,
            s.columns(),
            s.rows(),
            first,
            at(a),
            s.lda(),
            at(b),
            s.ldb())
        : JCublas2.cublasZtrsm(
            handles.get(handle),
            side,
            half,
            op(s.form()),
            diagonal,
            s.columns(),
            s.rows(),
            first,
            at(a),
            s.lda(),
            at(b),
            s.ldb());
  }
}
