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

  /** {@code GemmStridedBatched} in either precision. */
  interface StridedGemm {
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
        long strideA,
        Pointer b,
        int ldb,
        long strideB,
        Pointer beta,
        Pointer c,
        int ldc,
        long strideC,
        int count);
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

  /** {@code GemvStridedBatched} in either precision. */
  interface StridedGemv {
    /** The call; returns its status. */
    int call(
        cublasHandle handle,
        int form,
        int rows,
        int columns,
        Pointer alpha,
        Pointer a,
        int lda,
        long strideA,
        Pointer x,
        int stepX,
        long strideX,
        Pointer beta,
        Pointer y,
        int stepY,
        long strideY,
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
