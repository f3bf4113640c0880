package org.starlingqcd.backend.cuda;

import jcuda.jcublas.JCublas2;
import jcuda.jcublas.cublasDiagType;
import jcuda.jcublas.cublasFillMode;
import jcuda.jcublas.cublasHandle;
import jcuda.jcublas.cublasOperation;
import jcuda.jcublas.cublasSideMode;
import org.bytedeco.javacpp.DoublePointer;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
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
    put(alpha, beta);
    return kind == NumberKind.REAL
        ? JCublas2.cublasDgemmStridedBatched(
            handles.get(handle),
            op(formA),
            op(formB),
            m,
            n,
            k,
            first,
            at(a),
            lda,
            strides.a(),
            at(b),
            ldb,
            strides.b(),
            second,
            at(c),
            ldc,
            strides.c(),
            strides.count())
        : JCublas2.cublasZgemmStridedBatched(
            handles.get(handle),
            op(formA),
            op(formB),
            m,
            n,
            k,
            first,
            at(a),
            lda,
            strides.a(),
            at(b),
            ldb,
            strides.b(),
            second,
            at(c),
            ldc,
            strides.c(),
            strides.count());
  }

  @Override
  public int axpy(
      long handle, NumberKind kind, int n, Scalar alpha, long x, int stepX, long y, int stepY) {
    put(alpha, Scalar.ZERO);
    return kind == NumberKind.REAL
        ? JCublas2.cublasDaxpy(handles.get(handle), n, first, at(x), stepX, at(y), stepY)
        : JCublas2.cublasZaxpy(handles.get(handle), n, first, at(x), stepX, at(y), stepY);
  }

  @Override
  public int scal(long handle, NumberKind kind, int n, Scalar alpha, long x, int step) {
    put(alpha, Scalar.ZERO);
    return kind == NumberKind.REAL
        ? JCublas2.cublasDscal(handles.get(handle), n, first, at(x), step)
        : JCublas2.cublasZscal(handles.get(handle), n, first, at(x), step);
  }

  @Override
  public int copy(long handle, NumberKind kind, int n, long x, int stepX, long y, int stepY) {
    return kind == NumberKind.REAL
        ? JCublas2.cublasDcopy(handles.get(handle), n, at(x), stepX, at(y), stepY)
        : JCublas2.cublasZcopy(handles.get(handle), n, at(x), stepX, at(y), stepY);
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
    put(alpha, beta);
    return kind == NumberKind.REAL
        ? JCublas2.cublasDgeam(
            handles.get(handle),
            op(formA),
            op(formB),
            m,
            n,
            first,
            at(a),
            lda,
            second,
            at(b),
            ldb,
            at(c),
            ldc)
        : JCublas2.cublasZgeam(
            handles.get(handle),
            op(formA),
            op(formB),
            m,
            n,
            first,
            at(a),
            lda,
            second,
            at(b),
            ldb,
            at(c),
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
    return kind == NumberKind.REAL
        ? JCublas2.cublasDdgmm(
            handles.get(handle),
            cublasSideMode.CUBLAS_SIDE_RIGHT,
            m,
            n,
            at(a),
            lda,
            at(x),
            step,
            at(c),
            ldc)
        : JCublas2.cublasZdgmm(
            handles.get(handle),
            cublasSideMode.CUBLAS_SIDE_RIGHT,
            m,
            n,
            at(a),
            lda,
            at(x),
            step,
            at(c),
            ldc);
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
    put(alpha, Scalar.ZERO);
    int side = left ? cublasSideMode.CUBLAS_SIDE_LEFT : cublasSideMode.CUBLAS_SIDE_RIGHT;
    int half =
        lower ? cublasFillMode.CUBLAS_FILL_MODE_LOWER : cublasFillMode.CUBLAS_FILL_MODE_UPPER;
    int diagonal =
        unitDiagonal ? cublasDiagType.CUBLAS_DIAG_UNIT : cublasDiagType.CUBLAS_DIAG_NON_UNIT;
    return kind == NumberKind.REAL
        ? JCublas2.cublasDtrsm(
            handles.get(handle),
            side,
            half,
            op(form),
            diagonal,
            m,
            n,
            first,
            at(a),
            lda,
            at(b),
            ldb)
        : JCublas2.cublasZtrsm(
            handles.get(handle),
            side,
            half,
            op(form),
            diagonal,
            m,
            n,
            first,
            at(a),
            lda,
            at(b),
            ldb);
  }
}
