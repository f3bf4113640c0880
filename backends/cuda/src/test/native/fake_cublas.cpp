/*
 * The functions of cuBLAS 12 and 13 that Starling calls through JCublas, on the fake device: each is
 * the fake hipBLAS's function of its name, whose arguments are the same but for the numbers of
 * options. What arrives here has passed through JCublas's own native code.
 */
#include "hip_api.h"

namespace {

using Complex = starlingDoubleComplex;
using SingleComplex = starlingSingleComplex;

/* hipBLAS numbers options by BLAS's own numbers; lower and upper change places. */
int op(int number) { return number + STARLING_HIPBLAS_OP_N; }
int half(int number) { return number == 0 ? STARLING_HIPBLAS_LOWER : STARLING_HIPBLAS_UPPER; }
int diagonal(int number) { return number + STARLING_HIPBLAS_NON_UNIT; }
int side(int number) { return number + STARLING_HIPBLAS_LEFT; }

/* cuBLAS's number of a status. */
int status(int hipblas) {
  switch (hipblas) {
    case 2:
      return 3; /* ALLOC_FAILED */
    case 3:
      return 7; /* INVALID_VALUE */
    case 5:
      return 13; /* EXECUTION_FAILED */
    case 9:
      return 1; /* NOT_INITIALIZED */
    default:
      return hipblas;
  }
}

}  // namespace

extern "C" {

int cublasCreate_v2(void **handle) { return status(hipblasCreate(handle)); }

int cublasDestroy_v2(void *handle) { return status(hipblasDestroy(handle)); }

int cublasSetStream_v2(void *handle, void *stream) {
  return status(hipblasSetStream(handle, stream));
}

int cublasSetPointerMode_v2(void *handle, int mode) {
  return status(hipblasSetPointerMode(handle, mode));
}

#define PRODUCT_CALLS(L, TYPE)                                                                    \
  int cublas##L##gemm_v2(void *handle, int ta, int tb, int m, int n, int k, const TYPE *alpha,    \
                         const TYPE *a, int lda, const TYPE *b, int ldb, const TYPE *beta,        \
                         TYPE *c, int ldc) {                                                      \
    return status(hipblas##L##gemm(handle, op(ta), op(tb), m, n, k, alpha, a, lda, b, ldb, beta,  \
                                   c, ldc));                                                      \
  }                                                                                               \
  int cublas##L##gemmBatched(void *handle, int ta, int tb, int m, int n, int k,                   \
                             const TYPE *alpha, const TYPE *const *a, int lda,                    \
                             const TYPE *const *b, int ldb, const TYPE *beta, TYPE *const *c,     \
                             int ldc, int count) {                                                \
    return status(hipblas##L##gemmBatched(handle, op(ta), op(tb), m, n, k, alpha, a, lda, b, ldb, \
                                          beta, c, ldc, count));                                  \
  }                                                                                               \
  int cublas##L##gemvBatched(void *handle, int trans, int m, int n, const TYPE *alpha,            \
                             const TYPE *const *a, int lda, const TYPE *const *x, int incx,       \
                             const TYPE *beta, TYPE *const *y, int incy, int count) {             \
    return status(hipblas##L##gemvBatched(handle, op(trans), m, n, alpha, a, lda, x, incx, beta,  \
                                          y, incy, count));                                       \
  }

PRODUCT_CALLS(Z, Complex)
PRODUCT_CALLS(C, SingleComplex)

#define MATRIX_CALLS(L, TYPE)                                                                     \
  int cublas##L##axpy_v2(void *handle, int n, const TYPE *alpha, const TYPE *x, int incx,         \
                         TYPE *y, int incy) {                                                     \
    return status(hipblas##L##axpy(handle, n, alpha, x, incx, y, incy));                          \
  }                                                                                               \
  int cublas##L##scal_v2(void *handle, int n, const TYPE *alpha, TYPE *x, int incx) {             \
    return status(hipblas##L##scal(handle, n, alpha, x, incx));                                   \
  }                                                                                               \
  int cublas##L##copy_v2(void *handle, int n, const TYPE *x, int incx, TYPE *y, int incy) {       \
    return status(hipblas##L##copy(handle, n, x, incx, y, incy));                                 \
  }                                                                                               \
  int cublas##L##geam(void *handle, int ta, int tb, int m, int n, const TYPE *alpha,              \
                      const TYPE *a, int lda, const TYPE *beta, const TYPE *b, int ldb, TYPE *c,  \
                      int ldc) {                                                                  \
    return status(hipblas##L##geam(handle, op(ta), op(tb), m, n, alpha, a, lda, beta, b, ldb, c,  \
                                   ldc));                                                         \
  }                                                                                               \
  int cublas##L##dgmm(void *handle, int mode, int m, int n, const TYPE *a, int lda,               \
                      const TYPE *x, int incx, TYPE *c, int ldc) {                                \
    return status(hipblas##L##dgmm(handle, side(mode), m, n, a, lda, x, incx, c, ldc));           \
  }                                                                                               \
  int cublas##L##trsm_v2(void *handle, int mode, int uplo, int trans, int diag, int m, int n,     \
                         const TYPE *alpha, TYPE *a, int lda, TYPE *b, int ldb) {                 \
    return status(hipblas##L##trsm(handle, side(mode), half(uplo), op(trans), diagonal(diag), m,  \
                                   n, alpha, a, lda, b, ldb));                                    \
  }

MATRIX_CALLS(D, double)
MATRIX_CALLS(Z, Complex)

int cublasDgemmStridedBatched(void *handle, int ta, int tb, int m, int n, int k,
                              const double *alpha, const double *a, int lda, long long strideA,
                              const double *b, int ldb, long long strideB, const double *beta,
                              double *c, int ldc, long long strideC, int count) {
  return status(hipblasDgemmStridedBatched(handle, op(ta), op(tb), m, n, k, alpha, a, lda, strideA,
                                           b, ldb, strideB, beta, c, ldc, strideC, count));
}

int cublasZgemmStridedBatched(void *handle, int ta, int tb, int m, int n, int k,
                              const Complex *alpha, const Complex *a, int lda, long long strideA,
                              const Complex *b, int ldb, long long strideB, const Complex *beta,
                              Complex *c, int ldc, long long strideC, int count) {
  return status(hipblasZgemmStridedBatched(handle, op(ta), op(tb), m, n, k, alpha, a, lda, strideA,
                                           b, ldb, strideB, beta, c, ldc, strideC, count));
}

}  // extern "C"
