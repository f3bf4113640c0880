/*
 * The functions of libcublas.so.12 that Starling calls through JCublas, at once and on host memory:
 * what arrives here has passed through JCublas's own native code. Built with its soname and symbol
 * version.
 */
#include <cstdint>
#include <vector>

#include "../../../../gpu/src/test/native/matrix_reference.h"

namespace {

struct Complex {
  double x, y;
};

struct SingleComplex {
  float x, y;
};

enum { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7 };
enum { N = 0, T = 1 };

struct Handle {
  bool alive;
};

int enter(void *handle) {
  return handle && static_cast<Handle *>(handle)->alive ? SUCCESS : NOT_INITIALIZED;
}

template <typename C>
int product(int ta, int tb, int m, int n, int k, Complex alpha, const C *a, int lda,
            const C *b, int ldb, Complex beta, C *c, int ldc) {
  if ((ta != N && ta != T) || tb != N || m < 1 || n < 1 || k < 1 || lda < (ta == T ? k : m) ||
      ldb < k || ldc < m)
    return INVALID_VALUE;
  std::vector<Complex> column(m);
  for (int64_t j = 0; j < n; j++) {
    for (auto &number : column) number = {0, 0};
    for (int64_t l = 0; l < k; l++) {
      const C y = b[l + j * ldb];
      for (int64_t i = 0; i < m; i++) {
        const C x = ta == T ? a[l + i * lda] : a[i + l * lda];
        column[i].x += 1.0 * x.x * y.x - 1.0 * x.y * y.y;
        column[i].y += 1.0 * x.x * y.y + 1.0 * x.y * y.x;
      }
    }
    for (int64_t i = 0; i < m; i++) {
      C &target = c[i + j * ldc];
      Complex sum = {alpha.x * column[i].x - alpha.y * column[i].y,
                     alpha.x * column[i].y + alpha.y * column[i].x};
      if (beta.x != 0 || beta.y != 0) {
        sum.x += beta.x * target.x - beta.y * target.y;
        sum.y += beta.x * target.y + beta.y * target.x;
      }
      target = {static_cast<decltype(C::x)>(sum.x), static_cast<decltype(C::x)>(sum.y)};
    }
  }
  return SUCCESS;
}

/* A vector is a matrix of one column, or of one row where it has a step. */
template <typename C>
int vector(int trans, int m, int n, Complex alpha, const C *a, int lda, const C *x,
           int incx, Complex beta, C *y, int incy) {
  const int rows = trans == T ? n : m, inner = trans == T ? m : n;
  if (incx < 1 || incy < 1 || lda < m) return INVALID_VALUE;
  std::vector<C> packed(inner), sums(rows);
  for (int64_t l = 0; l < inner; l++) packed[l] = x[l * incx];
  for (int64_t i = 0; i < rows; i++) sums[i] = y[i * incy];
  int status = product(trans, N, rows, 1, inner, alpha, a, lda, packed.data(), inner, beta,
                       sums.data(), rows);
  for (int64_t i = 0; i < rows && !status; i++) y[i * incy] = sums[i];
  return status;
}

reference::Matrix matrix(int width, const double *at, int64_t leading) {
  return {width, const_cast<double *>(at), leading};
}

reference::Number number(int width, const double *at) {
  return width == 1 ? reference::Number(at[0]) : reference::Number(at[0], at[1]);
}

bool tooShort(int op, int rows, int columns, int leading) {
  return op < 0 || op > 2 || rows < 1 || columns < 1 || leading < (op == N ? rows : columns);
}

int gemms(void *handle, int w, int ta, int tb, int m, int n, int k, const double *alpha,
          const double *a, int lda, long long strideA, const double *b, int ldb, long long strideB,
          const double *beta, double *c, int ldc, long long strideC, int count) {
  int status = enter(handle);
  if (status) return status;
  if (tooShort(ta, m, k, lda) || tooShort(tb, k, n, ldb) || ldc < m || count < 1)
    return INVALID_VALUE;
  for (int i = 0; i < count; i++)
    reference::gemm(ta, tb, m, n, k, number(w, alpha), matrix(w, a + w * i * strideA, lda),
                    matrix(w, b + w * i * strideB, ldb), number(w, beta),
                    matrix(w, c + w * i * strideC, ldc));
  return SUCCESS;
}

Complex wide(Complex number) { return number; }

Complex wide(SingleComplex number) { return {number.x, number.y}; }

/* Forms that only matrix calls use. */
int forms(void *handle, int ta, int tb, int m, int n, int k, const Complex *alpha, const Complex *a,
          int lda, long long strideA, const Complex *b, int ldb, long long strideB,
          const Complex *beta, Complex *c, int ldc, long long strideC, int count) {
  return gemms(handle, 2, ta, tb, m, n, k, &alpha->x, &a->x, lda, strideA, &b->x, ldb, strideB,
               &beta->x, &c->x, ldc, strideC, count);
}

int forms(void *, int, int, int, int, int, const SingleComplex *, const SingleComplex *, int,
          long long, const SingleComplex *, int, long long, const SingleComplex *, SingleComplex *,
          int, long long, int) {
  return INVALID_VALUE;
}

}  // namespace

extern "C" {

int cublasCreate_v2(void **handle) {
  *handle = new Handle{true};
  return SUCCESS;
}

int cublasDestroy_v2(void *handle) {
  int status = enter(handle);
  if (status == SUCCESS) static_cast<Handle *>(handle)->alive = false;
  return status;
}

int cublasSetStream_v2(void *handle, void *) { return enter(handle); }

int cublasSetPointerMode_v2(void *handle, int mode) {
  return mode == 0 ? enter(handle) : INVALID_VALUE;
}

#define PRODUCT_CALLS(L, TYPE)                                                                     \
int cublas##L##gemmStridedBatched(void *handle, int ta, int tb, int m, int n, int k,               \
                              const TYPE *alpha, const TYPE *a, int lda, long long strideA,        \
                              const TYPE *b, int ldb, long long strideB, const TYPE *beta,         \
                              TYPE *c, int ldc, long long strideC, int count) {                    \
  int status = enter(handle);                                                                      \
  if (!status && (tb != N || ta > T))                                                              \
    return forms(handle, ta, tb, m, n, k, alpha, a, lda, strideA, b, ldb, strideB, beta, c, ldc,   \
                 strideC, count);                                                                  \
  for (int i = 0; i < count && !status; i++)                                                       \
    status = product(ta, tb, m, n, k, wide(*alpha), a + i * strideA, lda, b + i * strideB, ldb, wide(*beta), \
                     c + i * strideC, ldc);                                                        \
  return status;                                                                                   \
}                                                                                                  \
                                                                                                   \
int cublas##L##gemm_v2(void *handle, int ta, int tb, int m, int n, int k, const TYPE *alpha,       \
                   const TYPE *a, int lda, const TYPE *b, int ldb, const TYPE *beta,               \
                   TYPE *c, int ldc) {                                                             \
  return cublas##L##gemmStridedBatched(handle, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, \
                                   ldc, 0, 1);                                                     \
}                                                                                                  \
                                                                                                   \
int cublas##L##gemmBatched(void *handle, int ta, int tb, int m, int n, int k, const TYPE *alpha,   \
                       const TYPE *const *a, int lda, const TYPE *const *b, int ldb,               \
                       const TYPE *beta, TYPE *const *c, int ldc, int count) {                     \
  int status = enter(handle);                                                                      \
  for (int i = 0; i < count && !status; i++)                                                       \
    status = product(ta, tb, m, n, k, wide(*alpha), a[i], lda, b[i], ldb, wide(*beta), c[i], ldc); \
  return status;                                                                                   \
}                                                                                                  \
                                                                                                   \
int cublas##L##gemvStridedBatched(void *handle, int trans, int m, int n, const TYPE *alpha,        \
                              const TYPE *a, int lda, long long strideA, const TYPE *x,            \
                              int incx, long long strideX, const TYPE *beta, TYPE *y,              \
                              int incy, long long strideY, int count) {                            \
  int status = enter(handle);                                                                      \
  for (int i = 0; i < count && !status; i++)                                                       \
    status = vector(trans, m, n, wide(*alpha), a + i * strideA, lda, x + i * strideX, incx, wide(*beta), \
                    y + i * strideY, incy);                                                        \
  return status;                                                                                   \
}                                                                                                  \
                                                                                                   \
int cublas##L##gemvBatched(void *handle, int trans, int m, int n, const TYPE *alpha,               \
                       const TYPE *const *a, int lda, const TYPE *const *x, int incx,              \
                       const TYPE *beta, TYPE *const *y, int incy, int count) {                    \
  int status = enter(handle);                                                                      \
  for (int i = 0; i < count && !status; i++)                                                       \
    status = vector(trans, m, n, wide(*alpha), a[i], lda, x[i], incx, wide(*beta), y[i], incy);    \
  return status;                                                                                   \
}

PRODUCT_CALLS(Z, Complex)
PRODUCT_CALLS(C, SingleComplex)

/* Calls for D, where width is 1, and for Z. */
#define MATRIX_CALLS(L, TYPE, W)                                                                   \
  int cublas##L##axpy_v2(void *handle, int n, const TYPE *alpha, const TYPE *x, int incx, TYPE *y, \
                         int incy) {                                                               \
    int status = enter(handle);                                                                    \
    if (!status)                                                                                   \
      reference::axpy(n, number(W, D(alpha)), matrix(W, D(x), incx), matrix(W, D(y), incy));       \
    return status;                                                                                 \
  }                                                                                                \
  int cublas##L##scal_v2(void *handle, int n, const TYPE *alpha, TYPE *x, int incx) {              \
    int status = enter(handle);                                                                    \
    if (!status) reference::scal(n, number(W, D(alpha)), matrix(W, D(x), incx));                   \
    return status;                                                                                 \
  }                                                                                                \
  int cublas##L##copy_v2(void *handle, int n, const TYPE *x, int incx, TYPE *y, int incy) {        \
    int status = enter(handle);                                                                    \
    if (!status) reference::copy(n, matrix(W, D(x), incx), matrix(W, D(y), incy));                 \
    return status;                                                                                 \
  }                                                                                                \
  int cublas##L##geam(void *handle, int ta, int tb, int m, int n, const TYPE *alpha, const TYPE *a, \
                      int lda, const TYPE *beta, const TYPE *b, int ldb, TYPE *c, int ldc) {       \
    int status = enter(handle);                                                                    \
    if (status) return status;                                                                     \
    if (tooShort(ta, m, n, lda) || tooShort(tb, m, n, ldb) || ldc < m) return INVALID_VALUE;       \
    reference::geam(ta, tb, m, n, number(W, D(alpha)), matrix(W, D(a), lda), number(W, D(beta)),   \
                    matrix(W, D(b), ldb), matrix(W, D(c), ldc));                                   \
    return SUCCESS;                                                                                \
  }                                                                                                \
  int cublas##L##dgmm(void *handle, int side, int m, int n, const TYPE *a, int lda, const TYPE *x, \
                      int incx, TYPE *c, int ldc) {                                                \
    int status = enter(handle);                                                                    \
    if (status) return status;                                                                     \
    if (m < 1 || n < 1 || lda < m || ldc < m) return INVALID_VALUE;                                \
    reference::dgmm(side == 1, m, n, matrix(W, D(a), lda), matrix(W, D(x), incx),                  \
                    matrix(W, D(c), ldc));                                                         \
    return SUCCESS;                                                                                \
  }                                                                                                \
  int cublas##L##trsm_v2(void *handle, int side, int uplo, int trans, int diag, int m, int n,      \
                         const TYPE *alpha, const TYPE *a, int lda, TYPE *b, int ldb) {            \
    int status = enter(handle);                                                                    \
    if (status) return status;                                                                     \
    if (m < 1 || n < 1 || lda < (side == 0 ? m : n) || ldb < m) return INVALID_VALUE;              \
    reference::trsm(side == 0, uplo == 0, trans, diag == 1, m, n, number(W, D(alpha)),             \
                    matrix(W, D(a), lda), matrix(W, D(b), ldb));                                   \
    return SUCCESS;                                                                                \
  }

#define D(pointer) reinterpret_cast<const double *>(pointer)
MATRIX_CALLS(D, double, 1)
MATRIX_CALLS(Z, Complex, 2)
#undef D

int cublasDgemmStridedBatched(void *handle, int ta, int tb, int m, int n, int k,
                              const double *alpha, const double *a, int lda, long long strideA,
                              const double *b, int ldb, long long strideB, const double *beta,
                              double *c, int ldc, long long strideC, int count) {
  return gemms(handle, 1, ta, tb, m, n, k, alpha, a, lda, strideA, b, ldb, strideB, beta, c, ldc,
               strideC, count);
}

}  // extern "C"
