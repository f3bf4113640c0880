package org.starlingqcd.backend.cuda;

import jcuda.Pointer;
import jcuda.jcublas.cublasHandle;

/** Calls of cuBLAS on complex numbers, of which there is one for each precision. */
final class ComplexCalls {
  private ComplexCalls() {}

  /** {@code Gemm} in either precision. */
  interface Gemm {
    /** The call; returns its status. */
    int call(
        cublasHandle handle,
        int formA,
        int formB,
        int m,
        int n,
        int k,
        Pointer alpha,
        Pointer a,
        int lda,
        Pointer b,
        int ldb,
        Pointer beta,
        Pointer c,
        int ldc);
  }

  /** {@code GemmBatched} in either precision. */
  interface BatchedGemm {
    /** The call; returns its status. */
    int call(
        cublasHandle handle,
        int formA,
        int formB,
        int m,
        int n,
        int k,
        Pointer alpha,
        Pointer a,
        int lda,
        Pointer b,
        int ldb,
        Pointer beta,
        Pointer c,
        int ldc,
        int count);
  }

  /** {@code GemvBatched} in either precision. */
  interface BatchedGemv {
    /** The call; returns its status. */
    int call(
        cublasHandle handle,
        int form,
        int rows,
        int columns,
        Pointer alpha,
        Pointer a,
        int lda,
        Pointer x,
        int stepX,
        Pointer beta,
        Pointer y,
        int stepY,
        int count);
  }
}
