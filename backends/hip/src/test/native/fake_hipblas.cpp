/* hipBLAS's C interface on the fake device: plain column-major products. */
/* Products are most of what the tests compute. */
#pragma GCC optimize("O3")
#include <algorithm>
#include <cstring>
#include <map>
#include <type_traits>

#include "fake_device.h"
#include "../../../../gpu/src/test/native/matrix_reference.h"

using fake::Device;
using fake::Touch;
using Complex = starlingDoubleComplex;

namespace {

enum { SUCCESS = 0, INVALID_VALUE = 3, EXECUTION_FAILED = 5, HANDLE_IS_NULLPTR = 9 };

/* Libraries give a product of a batch a place in the grid's second or third direction. */
constexpr int MOST_PRODUCTS = 65535;

std::map<void *, fake::Stream *> streamOfHandle;
std::map<void *, bool> atomics;
std::mutex handleMutex;

#define ENTER_BLAS(name)                        \
  do {                                          \
    int injected = Device::get().enter(name);   \
    if (injected) return injected;              \
  } while (0)

struct Product {
  bool transposed;
  int m, n, k, lda, ldb, ldc;
  Complex alpha, beta;

  int summed() const { return k; }
  bool valid() const {
    return m > 0 && n > 0 && k > 0 && lda >= (transposed ? k : m) && ldb >= k && ldc >= m;
  }
};

template <typename C>
struct Operands {
  const C *a, *b;
  C *c;
};

template <typename C>
Operands<C> resolve(Touch &touch, const Product &p, const C *a, const C *b, C *c) {
  Operands<C> o;
  o.a = reinterpret_cast<C *>(
      touch.matrix(a, p.transposed ? p.k : p.m, p.transposed ? p.m : p.k, p.lda, false, sizeof(C)));
  o.b = reinterpret_cast<C *>(touch.matrix(b, p.k, p.n, p.ldb, false, sizeof(C)));
  o.c = reinterpret_cast<C *>(touch.matrix(c, p.m, p.n, p.ldc, true, sizeof(C)));
  return o;
}

/*
 * A library may add up in another order in each entry point, for each number of products and for
 * each alignment. Here every sum starts at a place that is a hash of the three and wraps around, so
 * that a result that depends on any of them shows it in its last bits.
 */
uint64_t order(const char *entry, int count) {
  uint64_t hash = 14695981039346656037u;
  for (const char *c = entry; *c; c++) hash = (hash ^ static_cast<uint64_t>(*c)) * 1099511628211u;
  return (hash ^ static_cast<uint64_t>(count)) * 1099511628211u;
}

template <typename C>
int start(uint64_t order, int length, const Operands<C> &o) {
  const uint64_t all = reinterpret_cast<uint64_t>(o.a) | reinterpret_cast<uint64_t>(o.b) |
                       reinterpret_cast<uint64_t>(o.c) | 256;
  const uint64_t alignment = all & (~all + 1);
  const uint64_t hash = (order ^ alignment) * 1099511628211u;
  return static_cast<int>((hash >> 20) % static_cast<uint64_t>(length));
}

constexpr int TILE_M = 8, TILE_N = 4;

/* The real or imaginary parts of TILE_M numbers of a column. */
typedef double Part __attribute__((vector_size(8 * TILE_M)));

struct Tile {
  Part re[TILE_N], im[TILE_N];
};

/* Sums for TILE_N columns of TILE_M rows; op(A) is packed as [l][real parts, imaginary parts]. */
template <typename C>
Tile tile(const Part *packed, const C *const *columns, int k, int first) {
  Tile sum = {};
  const C *b[TILE_N] = {columns[0], columns[1], columns[2], columns[3]};
  for (int step = 0, l = first; step < k; step++, l = l + 1 < k ? l + 1 : 0) {
    const Part x = packed[2 * l], y = packed[2 * l + 1];
    for (int j = 0; j < TILE_N; j++) {
      const double u = b[j][l].x, v = b[j][l].y;
      sum.re[j] += x * u;
      sum.im[j] += x * v;
      sum.re[j] -= y * v;
      sum.im[j] += y * u;
    }
  }
  return sum;
}

/* Adds beta times the old C, which is not read with beta = 0, and stores the sum. */
template <typename C>
void store(Complex beta, C &c, Complex sum) {
  if (beta.x != 0 || beta.y != 0) {
    sum.x += beta.x * c.x - beta.y * c.y;
    sum.y += beta.x * c.y + beta.y * c.x;
  }
  using Real = std::remove_reference_t<decltype(c.x)>;
  c = {static_cast<Real>(sum.x), static_cast<Real>(sum.y)};
}

/* Computes a product once and stores it in `same` results. */
template <typename C>
void compute(const Product &p, const Operands<C> *all, size_t same, uint64_t order) {
  const Operands<C> &o = *all;
  const int first = start(order, p.k, o);
  const bool fresh = p.beta.x == 0 && p.beta.y == 0; /* then the results are copies of one */
  std::vector<Part> packed(static_cast<size_t>(p.k) * 2);
  std::vector<Complex> results(static_cast<size_t>(p.m) * p.n);
  for (int i0 = 0; i0 < p.m; i0 += TILE_M) {
    const int rows = std::min(TILE_M, p.m - i0);
    for (int64_t l = 0; l < p.k; l++)
      for (int64_t i = 0; i < TILE_M; i++) {
        const int64_t row = i0 + std::min<int64_t>(i, rows - 1);
        const C a = p.transposed ? o.a[l + row * p.lda] : o.a[row + l * p.lda];
        packed[2 * l][i] = a.x;
        packed[2 * l + 1][i] = a.y;
      }
    for (int j0 = 0; j0 < p.n; j0 += TILE_N) {
      const int columns = std::min(TILE_N, p.n - j0);
      const C *b[TILE_N];
      for (int j = 0; j < TILE_N; j++)
        b[j] = o.b + static_cast<int64_t>(j0 + std::min(j, columns - 1)) * p.ldb;
      const Tile sum = tile(packed.data(), b, p.k, first);
      for (int j = 0; j < columns; j++) {
        const Part re = p.alpha.x * sum.re[j] - p.alpha.y * sum.im[j];
        const Part im = p.alpha.x * sum.im[j] + p.alpha.y * sum.re[j];
        Complex *to = results.data() + i0 + static_cast<int64_t>(j0 + j) * p.m;
        for (int i = 0; i < rows; i++) to[i] = {re[i], im[i]};
      }
    }
  }
  for (size_t s = 0; s < (fresh ? 1 : same); s++)
    for (int64_t j = 0; j < p.n; j++)
      for (int64_t i = 0; i < p.m; i++) store(p.beta, all[s].c[i + j * p.ldc], results[i + j * p.m]);
  for (size_t s = 1; fresh && s < same; s++)
    for (int64_t j = 0; j < p.n; j++) memmove(all[s].c + j * p.ldc, o.c + j * p.ldc, p.m * sizeof(C));
}

struct Vectors {
  bool transposed;
  int m, n, lda, incx, incy;
  Complex alpha, beta;

  int summed() const { return lengthX(); }
  int lengthX() const { return transposed ? m : n; }
  int lengthY() const { return transposed ? n : m; }
  bool valid() const { return m > 0 && n > 0 && lda >= m && incx > 0 && incy > 0; }
};

/* A vector with a step is a matrix of one row. */
template <typename C>
Operands<C> resolve(Touch &touch, const Vectors &v, const C *a, const C *x, C *y) {
  Operands<C> o;
  o.a = reinterpret_cast<C *>(touch.matrix(a, v.m, v.n, v.lda, false, sizeof(C)));
  o.b = reinterpret_cast<C *>(touch.matrix(x, 1, v.lengthX(), v.incx, false, sizeof(C)));
  o.c = reinterpret_cast<C *>(touch.matrix(y, 1, v.lengthY(), v.incy, true, sizeof(C)));
  return o;
}

template <typename C>
void compute(const Vectors &v, const Operands<C> *all, size_t same, uint64_t order) {
  const Operands<C> &o = *all;
  const int first = start(order, v.lengthX(), o);
  for (int64_t i = 0; i < v.lengthY(); i++) {
    double re = 0, im = 0;
    for (int64_t step = 0; step < v.lengthX(); step++) {
      const int64_t l = (first + step) % v.lengthX();
      const C a = v.transposed ? o.a[l + i * v.lda] : o.a[i + l * v.lda];
      const C x = o.b[l * v.incx];
      re += a.x * x.x - a.y * x.y;
      im += a.x * x.y + a.y * x.x;
    }
    for (size_t s = 0; s < same; s++)
      store(v.beta, all[s].c[i * v.incy],
            {v.alpha.x * re - v.alpha.y * im, v.alpha.x * im + v.alpha.y * re});
  }
}

/* Runs of products that fill up a batch have the same operands: their sums are computed once. */
template <typename Product, typename C>
void computeAll(const Product &product, const std::vector<Operands<C>> &all, uint64_t order) {
  for (size_t i = 0, next; i < all.size(); i = next) {
    const Operands<C> &o = all[i];
    for (next = i + 1; next < all.size() && all[next].a == o.a && all[next].b == o.b &&
                       start(order, product.summed(), all[next]) == start(order, product.summed(), o);)
      next++;
    compute(product, &o, next - i, order);
  }
}

template <typename Product, typename Find>
int submit(const char *name, hipblasHandle_t handle, const Product &product, int count, Find find) {
  fake::Stream *stream;
  uint64_t any = 0; /* with atomics the order is another one in every call */
  {
    std::lock_guard<std::mutex> guard(handleMutex);
    if (!Device::get().knownHandle(handle)) return HANDLE_IS_NULLPTR;
    stream = streamOfHandle[handle];
    static uint64_t calls = 0;
    if (atomics[handle]) any = ++calls;
  }
  if (!product.valid() || count < 1) {
    Device::get().complain(std::string(name) + ": a size or leading dimension is wrong");
    return INVALID_VALUE;
  }
  if (count > MOST_PRODUCTS) {
    Device::get().complain(std::string(name) + ": more products than a grid has blocks: " +
                           std::to_string(count));
    return INVALID_VALUE;
  }
  int error = Device::get().submit(stream, name, [=](Touch &touch) -> std::function<void()> {
    std::vector<decltype(find(touch, 0))> operands;
    for (int i = 0; i < count && !touch.failed; i++) operands.push_back(find(touch, i));
    return [=] { computeAll(product, operands, order(name, count) + any); };
  });
  return error ? EXECUTION_FAILED : SUCCESS;
}

/* ---- matrix calls ---- */

/* Shadow of a matrix of numbers of `width` doubles; complex numbers count as columns of two. */
reference::Matrix matrix(Touch &touch, int width, const void *at, int64_t rows, int64_t columns,
                         int64_t leading, bool write) {
  const int64_t number = 8 * width;
  const char *start = static_cast<const char *>(at);
  char *shadow = nullptr;
  for (int64_t j = 0; j < columns && !touch.failed; j++) {
    char *column = touch.device(start + number * j * leading, number * rows, write);
    if (j == 0) shadow = column;
  }
  return {width, reinterpret_cast<double *>(shadow), leading};
}

reference::Matrix vector(Touch &touch, int width, const void *at, int64_t length, int64_t step,
                         bool write) {
  return matrix(touch, width, at, 1, length, step, write);
}

reference::Number number(int width, const double *at) {
  return width == 1 ? reference::Number(at[0]) : reference::Number(at[0], at[1]);
}

int op(int form) { return form - STARLING_HIPBLAS_OP_N; }

bool tooShort(int form, int rows, int columns, int leading) {
  return op(form) < 0 || op(form) > 2 || rows < 1 || columns < 1 ||
         leading < (op(form) == 0 ? rows : columns);
}

/* Puts a call into the stream of its handle; `prepare` declares what it touches. */
template <typename Prepare>
int put(const char *name, hipblasHandle_t handle, bool valid, Prepare prepare) {
  ENTER_BLAS(name);
  fake::Stream *stream;
  {
    std::lock_guard<std::mutex> guard(handleMutex);
    if (!Device::get().knownHandle(handle)) return HANDLE_IS_NULLPTR;
    stream = streamOfHandle[handle];
  }
  if (!valid) {
    Device::get().complain(std::string(name) + ": a size or leading dimension is wrong");
    return INVALID_VALUE;
  }
  return Device::get().submit(stream, name, [=](Touch &touch) -> std::function<void()> {
    return prepare(touch);
  }) ? EXECUTION_FAILED : SUCCESS;
}

int gemms(const char *name, hipblasHandle_t handle, int w, int ta, int tb, int m, int n, int k,
          const double *alpha, const void *a, int lda, int64_t strideA, const void *b, int ldb,
          int64_t strideB, const double *beta, void *c, int ldc, int64_t strideC, int count) {
  const bool valid =
      !tooShort(ta, m, k, lda) && !tooShort(tb, k, n, ldb) && ldc >= m && count > 0;
  const reference::Number x = number(w, alpha), y = number(w, beta);
  const bool ea = op(ta) != 0, eb = op(tb) != 0;
  if (count > MOST_PRODUCTS)
    Device::get().complain(std::string(name) + ": more products than a grid has blocks: " +
                           std::to_string(count));
  return put(name, handle, valid, [=](Touch &touch) -> std::function<void()> {
    std::vector<reference::Matrix> all;
    const int64_t bytes = 8 * w;
    for (int64_t i = 0; i < count; i++) {
      all.push_back(matrix(touch, w, static_cast<const char *>(a) + bytes * i * strideA, ea ? k : m,
                           ea ? m : k, lda, false));
      all.push_back(matrix(touch, w, static_cast<const char *>(b) + bytes * i * strideB, eb ? n : k,
                           eb ? k : n, ldb, false));
      all.push_back(matrix(touch, w, static_cast<const char *>(c) + bytes * i * strideC, m, n, ldc,
                           true));
    }
    return [=] {
      for (size_t i = 0; i < all.size(); i += 3)
        reference::gemm(op(ta), op(tb), m, n, k, x, all[i], all[i + 1], y, all[i + 2]);
    };
  });
}

/* Forms that only matrix calls use: -1 done, 0 not one of them, else a status. */
int forms(hipblasHandle_t handle, int transA, int transB, int m, int n, int k, const Complex *alpha,
          const Complex *A, int lda, int64_t strideA, const Complex *B, int ldb, int64_t strideB,
          const Complex *beta, Complex *C, int ldc, int64_t strideC, int count) {
  if (transB == STARLING_HIPBLAS_OP_N && transA != STARLING_HIPBLAS_OP_C) return 0;
  const int status =
      gemms("hipblasZgemmStridedBatched", handle, 2, transA, transB, m, n, k, &alpha->x, A, lda,
            strideA, B, ldb, strideB, &beta->x, C, ldc, strideC, count);
  return status == SUCCESS ? -1 : status;
}

int forms(hipblasHandle_t, int transA, int transB, int, int, int, const starlingSingleComplex *,
          const starlingSingleComplex *, int, int64_t, const starlingSingleComplex *, int, int64_t,
          const starlingSingleComplex *, starlingSingleComplex *, int, int64_t, int) {
  return transB == STARLING_HIPBLAS_OP_N && transA != STARLING_HIPBLAS_OP_C ? 0 : INVALID_VALUE;
}

}  // namespace

extern "C" {

const char *hipblasStatusToString(hipblasStatus_t status) {
  return status == INVALID_VALUE ? "HIPBLAS_STATUS_INVALID_VALUE"
         : status == EXECUTION_FAILED ? "HIPBLAS_STATUS_EXECUTION_FAILED"
                                      : "HIPBLAS_STATUS";
}

hipblasStatus_t hipblasCreate(hipblasHandle_t *handle) {
  ENTER_BLAS("hipblasCreate");
  *handle = Device::get().createHandle();
  std::lock_guard<std::mutex> guard(handleMutex);
  atomics[*handle] = !fake::CUDA; /* unless told otherwise, as in rocBLAS before ROCm 6 */
  return SUCCESS;
}

hipblasStatus_t hipblasDestroy(hipblasHandle_t handle) {
  ENTER_BLAS("hipblasDestroy");
  std::lock_guard<std::mutex> guard(handleMutex);
  streamOfHandle.erase(handle);
  return Device::get().destroyHandle(handle) ? HANDLE_IS_NULLPTR : SUCCESS;
}

hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t stream) {
  ENTER_BLAS("hipblasSetStream");
  std::lock_guard<std::mutex> guard(handleMutex);
  if (!Device::get().knownHandle(handle)) return HANDLE_IS_NULLPTR;
  streamOfHandle[handle] = static_cast<fake::Stream *>(stream);
  return SUCCESS;
}

hipblasStatus_t hipblasSetPointerMode(hipblasHandle_t handle, int mode) {
  ENTER_BLAS("hipblasSetPointerMode");
  if (!Device::get().knownHandle(handle)) return HANDLE_IS_NULLPTR;
  return mode == STARLING_HIPBLAS_POINTER_MODE_HOST ? SUCCESS : INVALID_VALUE;
}

hipblasStatus_t hipblasSetAtomicsMode(hipblasHandle_t handle, int mode) {
  ENTER_BLAS("hipblasSetAtomicsMode");
  std::lock_guard<std::mutex> guard(handleMutex);
  if (!Device::get().knownHandle(handle)) return HANDLE_IS_NULLPTR;
  atomics[handle] = mode != STARLING_HIPBLAS_ATOMICS_NOT_ALLOWED;
  return SUCCESS;
}

#define PRODUCT_CALLS(L, TYPE)                                                                     \
hipblasStatus_t hipblas##L##gemm(hipblasHandle_t handle, int transA, int transB, int m, int n, int k, \
                             const TYPE *alpha, const TYPE *A, int lda, const TYPE *B,             \
                             int ldb, const TYPE *beta, TYPE *C, int ldc) {                        \
  ENTER_BLAS("hipblas" #L "gemm");                                                                 \
  if (transB != STARLING_HIPBLAS_OP_N) return INVALID_VALUE;                                       \
  Product p = {transA == STARLING_HIPBLAS_OP_T, m, n, k, lda, ldb, ldc, {alpha->x, alpha->y}, {beta->x, beta->y}}; \
  return submit("hipblas" #L "gemm", handle, p, 1,                                                 \
                [=](Touch &touch, int) { return resolve(touch, p, A, B, C); });                    \
}                                                                                                  \
                                                                                                   \
hipblasStatus_t hipblas##L##gemmBatched(hipblasHandle_t handle, int transA, int transB, int m, int n, \
                                    int k, const TYPE *alpha, const TYPE *const *A, int lda,       \
                                    const TYPE *const *B, int ldb, const TYPE *beta,               \
                                    TYPE *const *C, int ldc, int count) {                          \
  ENTER_BLAS("hipblas" #L "gemmBatched");                                                          \
  if (transB != STARLING_HIPBLAS_OP_N) return INVALID_VALUE;                                       \
  Product p = {transA == STARLING_HIPBLAS_OP_T, m, n, k, lda, ldb, ldc, {alpha->x, alpha->y}, {beta->x, beta->y}}; \
  return submit("hipblas" #L "gemmBatched", handle, p, count, [=](Touch &touch, int i) {           \
    auto a = reinterpret_cast<TYPE **>(touch.device(A + i, sizeof *A, false));                     \
    auto b = reinterpret_cast<TYPE **>(touch.device(B + i, sizeof *B, false));                     \
    auto c = reinterpret_cast<TYPE **>(touch.device(C + i, sizeof *C, false));                     \
    if (touch.failed) return Operands<TYPE>{};                                                     \
    return resolve(touch, p, *a, *b, *c);                                                          \
  });                                                                                              \
}                                                                                                  \
                                                                                                   \
hipblasStatus_t hipblas##L##gemvBatched(hipblasHandle_t handle, int trans, int m, int n,           \
                                    const TYPE *alpha, const TYPE *const *A, int lda,              \
                                    const TYPE *const *x, int incx, const TYPE *beta,              \
                                    TYPE *const *y, int incy, int count) {                         \
  ENTER_BLAS("hipblas" #L "gemvBatched");                                                          \
  Vectors v = {trans == STARLING_HIPBLAS_OP_T, m, n, lda, incx, incy, {alpha->x, alpha->y}, {beta->x, beta->y}}; \
  return submit("hipblas" #L "gemvBatched", handle, v, count, [=](Touch &touch, int i) {           \
    auto a = reinterpret_cast<TYPE **>(touch.device(A + i, sizeof *A, false));                     \
    auto b = reinterpret_cast<TYPE **>(touch.device(x + i, sizeof *x, false));                     \
    auto c = reinterpret_cast<TYPE **>(touch.device(y + i, sizeof *y, false));                     \
    if (touch.failed) return Operands<TYPE>{};                                                     \
    return resolve(touch, v, *a, *b, *c);                                                          \
  });                                                                                              \
}

PRODUCT_CALLS(Z, Complex)
PRODUCT_CALLS(C, starlingSingleComplex)

#define MATRIX_CALLS(L, TYPE, W)                                                                  \
  hipblasStatus_t hipblas##L##axpy(hipblasHandle_t handle, int n, const TYPE *alpha, const TYPE *X, \
                                   int incx, TYPE *Y, int incy) {                                 \
    const reference::Number f = number(W, D(alpha));                                              \
    return put("hipblas" #L "axpy", handle, n > 0, [=](Touch &touch) -> std::function<void()> {   \
      auto x = vector(touch, W, X, n, incx, false), y = vector(touch, W, Y, n, incy, true);       \
      return [=] { reference::axpy(n, f, x, y); };                                                \
    });                                                                                           \
  }                                                                                               \
  hipblasStatus_t hipblas##L##scal(hipblasHandle_t handle, int n, const TYPE *alpha, TYPE *X,     \
                                   int incx) {                                                    \
    const reference::Number f = number(W, D(alpha));                                              \
    return put("hipblas" #L "scal", handle, n > 0, [=](Touch &touch) -> std::function<void()> {   \
      auto x = vector(touch, W, X, n, incx, true);                                                \
      return [=] { reference::scal(n, f, x); };                                                   \
    });                                                                                           \
  }                                                                                               \
  hipblasStatus_t hipblas##L##copy(hipblasHandle_t handle, int n, const TYPE *X, int incx,        \
                                   TYPE *Y, int incy) {                                           \
    return put("hipblas" #L "copy", handle, n > 0, [=](Touch &touch) -> std::function<void()> {   \
      auto x = vector(touch, W, X, n, incx, false), y = vector(touch, W, Y, n, incy, true);       \
      return [=] { reference::copy(n, x, y); };                                                   \
    });                                                                                           \
  }                                                                                               \
  hipblasStatus_t hipblas##L##geam(hipblasHandle_t handle, int ta, int tb, int m, int n,          \
                                   const TYPE *alpha, const TYPE *A, int lda, const TYPE *beta,   \
                                   const TYPE *B, int ldb, TYPE *C, int ldc) {                    \
    const reference::Number f = number(W, D(alpha)), g = number(W, D(beta));                      \
    const bool valid = !tooShort(ta, m, n, lda) && !tooShort(tb, m, n, ldb) && ldc >= m;          \
    const bool ea = op(ta) != 0, eb = op(tb) != 0;                                                \
    return put("hipblas" #L "geam", handle, valid, [=](Touch &touch) -> std::function<void()> {   \
      /* In place is allowed, and then counts as writing alone. */                                \
      auto c = matrix(touch, W, C, m, n, ldc, true);                                              \
      auto a = A == C ? c : matrix(touch, W, A, ea ? n : m, ea ? m : n, lda, false);              \
      auto b = B == C ? c                                                                         \
               : B == A ? a                                                                       \
                        : matrix(touch, W, B, eb ? n : m, eb ? m : n, ldb, false);                \
      return [=] { reference::geam(op(ta), op(tb), m, n, f, a, g, b, c); };                       \
    });                                                                                           \
  }                                                                                               \
  hipblasStatus_t hipblas##L##dgmm(hipblasHandle_t handle, int side, int m, int n, const TYPE *A, \
                                   int lda, const TYPE *X, int incx, TYPE *C, int ldc) {          \
    const bool right = side == STARLING_HIPBLAS_RIGHT;                                            \
    const bool valid = m > 0 && n > 0 && lda >= m && ldc >= m;                                    \
    return put("hipblas" #L "dgmm", handle, valid, [=](Touch &touch) -> std::function<void()> {   \
      auto c = matrix(touch, W, C, m, n, ldc, true);                                              \
      auto a = A == C ? c : matrix(touch, W, A, m, n, lda, false);                                \
      auto x = vector(touch, W, X, right ? n : m, incx, false);                                   \
      return [=] { reference::dgmm(right, m, n, a, x, c); };                                      \
    });                                                                                           \
  }                                                                                               \
  hipblasStatus_t hipblas##L##trsm(hipblasHandle_t handle, int side, int uplo, int transA,        \
                                   int diag, int m, int n, const TYPE *alpha, TYPE *A, int lda,   \
                                   TYPE *B, int ldb) {                                            \
    const reference::Number f = number(W, D(alpha));                                              \
    const bool left = side == STARLING_HIPBLAS_LEFT, lower = uplo == STARLING_HIPBLAS_LOWER;      \
    const bool unit = diag == STARLING_HIPBLAS_UNIT;                                              \
    const int order = left ? m : n;                                                               \
    const bool valid = m > 0 && n > 0 && lda >= order && ldb >= m;                                \
    return put("hipblas" #L "trsm", handle, valid, [=](Touch &touch) -> std::function<void()> {   \
      auto a = matrix(touch, W, A, order, order, lda, false);                                     \
      auto b = matrix(touch, W, B, m, n, ldb, true);                                              \
      return [=] { reference::trsm(left, lower, op(transA), unit, m, n, f, a, b); };              \
    });                                                                                           \
  }

#define D(pointer) reinterpret_cast<const double *>(pointer)
MATRIX_CALLS(D, double, 1)
MATRIX_CALLS(Z, Complex, 2)
#undef D

hipblasStatus_t hipblasZgemmStridedBatched(hipblasHandle_t handle, int transA, int transB, int m,
                                           int n, int k, const starlingDoubleComplex *alpha, const starlingDoubleComplex *A,
                                           int lda, int64_t strideA, const starlingDoubleComplex *B, int ldb,
                                           int64_t strideB, const starlingDoubleComplex *beta, starlingDoubleComplex *C,
                                           int ldc, int64_t strideC, int count) {
  if (int status = forms(handle, transA, transB, m, n, k, alpha, A, lda, strideA, B, ldb, strideB,
                         beta, C, ldc, strideC, count))
    return status > 0 ? status : SUCCESS;
  ENTER_BLAS("hipblasZgemmStridedBatched");
  Product p = {transA == STARLING_HIPBLAS_OP_T, m, n, k, lda, ldb, ldc, {alpha->x, alpha->y}, {beta->x, beta->y}};
  return submit("hipblasZgemmStridedBatched", handle, p, count, [=](Touch &touch, int i) {
    return resolve(touch, p, A + i * strideA, B + i * strideB, C + i * strideC);
  });
}

hipblasStatus_t hipblasDgemmStridedBatched(hipblasHandle_t handle, int transA, int transB, int m,
                                           int n, int k, const double *alpha, const double *A,
                                           int lda, int64_t strideA, const double *B, int ldb,
                                           int64_t strideB, const double *beta, double *C, int ldc,
                                           int64_t strideC, int count) {
  return gemms("hipblasDgemmStridedBatched", handle, 1, transA, transB, m, n, k, alpha, A, lda,
               strideA, B, ldb, strideB, beta, C, ldc, strideC, count);
}

}  // extern "C"
