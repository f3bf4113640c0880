/*
 * What the Java class HipBinding calls. The ROCm libraries are opened at run time: nothing here is
 * linked against them, so the binding is built and loaded on machines that have none.
 */
#ifndef STARLING_HIP_H
#define STARLING_HIP_H

#include <dlfcn.h>

#include <string>

#include "hip_api.h"

#define STARLING_RUNTIME_FUNCTIONS(X)                                                              \
  X(hipGetDeviceCount) X(hipSetDevice) X(hipDeviceGetName) X(hipDeviceGetPCIBusId)                 \
  X(hipRuntimeGetVersion) X(hipDriverGetVersion) X(hipMemGetInfo) X(hipGetErrorName)               \
  X(hipGetErrorString) X(hipGetLastError) X(hipMalloc) X(hipMallocManaged) X(hipFree) X(hipHostMalloc) \
  X(hipHostFree) X(hipMemcpyAsync) X(hipMemcpy2DAsync) X(hipMemsetAsync)                           \
  X(hipStreamCreateWithFlags) X(hipStreamDestroy) X(hipStreamSynchronize) X(hipStreamWaitEvent)    \
  X(hipEventCreateWithFlags) X(hipEventDestroy) X(hipEventRecord) X(hipEventQuery)                 \
  X(hipEventSynchronize) X(hipEventElapsedTime)

#define STARLING_BLAS_FUNCTIONS(X)                                                                 \
  X(hipblasCreate) X(hipblasDestroy) X(hipblasSetStream) X(hipblasSetPointerMode)                  \
  X(hipblasSetAtomicsMode) X(hipblasZgemm) X(hipblasZgemmBatched) X(hipblasZgemmStridedBatched)    \
  X(hipblasZgemvBatched) X(hipblasZgeam) X(hipblasCgemm) X(hipblasCgemmBatched)                    \
  X(hipblasCgemvBatched)

/* Where one of these is missing, there are no kernels. */
#define STARLING_MODULE_FUNCTIONS(X) \
  X(hipModuleLoadData) X(hipModuleUnload) X(hipModuleGetFunction) X(hipModuleLaunchKernel)

#define STARLING_COMPILER_FUNCTIONS(X)                                        \
  X(hiprtcCreateProgram) X(hiprtcCompileProgram) X(hiprtcGetProgramLogSize)   \
  X(hiprtcGetProgramLog) X(hiprtcGetCodeSize) X(hiprtcGetCode)                \
  X(hiprtcDestroyProgram)

/* Where one of these is missing, there are no matrix calls. */
#define STARLING_MATRIX_FUNCTIONS(X)                                                              \
  X(hipblasDgemmStridedBatched) X(hipblasDgeam) X(hipblasDaxpy) X(hipblasZaxpy) X(hipblasDscal)    \
  X(hipblasZscal) X(hipblasDcopy) X(hipblasZcopy) X(hipblasDdgmm) X(hipblasZdgmm) X(hipblasDtrsm)  \
  X(hipblasZtrsm)

namespace starling {

struct Functions {
#define X(name) decltype(&::name) name;
  STARLING_RUNTIME_FUNCTIONS(X)
  STARLING_BLAS_FUNCTIONS(X)
  STARLING_MODULE_FUNCTIONS(X)
  STARLING_COMPILER_FUNCTIONS(X)
  STARLING_MATRIX_FUNCTIONS(X)
#undef X
  const char *(*hipblasStatusToString)(hipblasStatus_t);
  bool kernels;
  bool matrices;
};

inline Functions &hip() {
  static Functions functions = {};
  return functions;
}

inline std::string &failure() {
  static std::string text;
  return text;
}

/* Some releases of hipBLAS export the complex functions with the suffix alone. */
inline void *symbol(void *library, const char *name) {
  void *address = dlsym(library, name);
  return address ? address : dlsym(library, (std::string(name) + "_v2").c_str());
}

template <typename F>
inline bool resolve(void *library, const char *name, F &target) {
  target = reinterpret_cast<F>(symbol(library, name));
  if (!target) failure() = std::string("the library has no function ") + name;
  return target != nullptr;
}

/*
 * hiprtc is a library of its own beside the runtime, or part of the runtime. That of the runtime's
 * own version comes first: another makes code that the runtime may not take.
 */
inline void *compilerLibrary(const std::string &runtime, void *runtimeLibrary) {
  const size_t slash = runtime.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : runtime.substr(0, slash + 1);
  int version = 0;
  if (hip().hipRuntimeGetVersion(&version)) version = 0;
  const std::string own = "libhiprtc.so." + std::to_string(version / 10000000);
  for (const std::string &name : {own, std::string("libhiprtc.so")}) {
    if (void *library = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  if (dlsym(runtimeLibrary, "hiprtcCreateProgram")) return runtimeLibrary;
  void *library = dlopen(own.c_str(), RTLD_NOW | RTLD_LOCAL);
  return library ? library : runtimeLibrary;
}

/* Finds the functions that kernels need. */
inline void resolveKernels(const char *runtime, void *runtimeLibrary) {
  void *compiler = compilerLibrary(runtime, runtimeLibrary);
  Functions &all = hip();
  all.kernels = true;
#define X(name)                                                                     \
  all.name = reinterpret_cast<decltype(all.name)>(dlsym(runtimeLibrary, #name)); \
  all.kernels = all.kernels && all.name;
  STARLING_MODULE_FUNCTIONS(X)
#undef X
#define X(name)                                                               \
  all.name = reinterpret_cast<decltype(all.name)>(dlsym(compiler, #name)); \
  all.kernels = all.kernels && all.name;
  STARLING_COMPILER_FUNCTIONS(X)
#undef X
}

}  // namespace starling

/*
 * Opens the two libraries, without offering their names to others: hipBLAS brings the runtime that it
 * was linked to. An empty text is success, anything else the loader's reason.
 */
inline const char *starling_hip_load(const char *runtime, const char *blas) {
  using namespace starling;
  failure().clear();
  void *runtimeLibrary = dlopen(runtime, RTLD_NOW | RTLD_LOCAL);
  void *blasLibrary = runtimeLibrary ? dlopen(blas, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!blasLibrary) {
    const char *reason = dlerror();
    failure() = reason ? reason : "dlopen failed";
    return failure().c_str();
  }
#define X(name) \
  if (!resolve(runtimeLibrary, #name, hip().name)) return failure().c_str();
  STARLING_RUNTIME_FUNCTIONS(X)
#undef X
#define X(name) \
  if (!resolve(blasLibrary, #name, hip().name)) return failure().c_str();
  STARLING_BLAS_FUNCTIONS(X)
#undef X
  hip().matrices = true;
#define X(name)                                                                            \
  hip().name = reinterpret_cast<decltype(hip().name)>(symbol(blasLibrary, #name)); \
  hip().matrices = hip().matrices && hip().name;
  STARLING_MATRIX_FUNCTIONS(X)
#undef X
  hip().hipblasStatusToString = reinterpret_cast<const char *(*)(hipblasStatus_t)>(
      dlsym(blasLibrary, "hipblasStatusToString"));
  resolveKernels(runtime, runtimeLibrary);
  return failure().c_str();
}

/* Compiles the source for the current device and loads it. */
namespace starling {
inline std::string &compilersWords() {
  static std::string text;
  return text;
}
}  // namespace starling

/* What hiprtc said about kernels that did not compile; empty if nothing. */
inline const char *starling_hip_compilers_words() { return starling::compilersWords().c_str(); }

inline int starling_hip_module_load(const char *source, void **module) {
  const starling::Functions &f = starling::hip();
  if (!f.kernels) return STARLING_HIP_NOT_FOUND;
  hiprtcProgram program = nullptr;
  if (f.hiprtcCreateProgram(&program, source, "starling_kernels.hip", 0, nullptr, nullptr)) {
    return STARLING_HIP_UNKNOWN;
  }
  const char *options[] = {"-O3", "-ffp-contract=off"};
  size_t size = 0;
  std::string code;
  bool failed = f.hiprtcCompileProgram(program, 2, options) != 0;
  if (failed && !f.hiprtcGetProgramLogSize(program, &size) && size > 1) {
    std::string &log = starling::compilersWords();
    log.resize(size);
    f.hiprtcGetProgramLog(program, &log[0]);
  }
  failed = failed || f.hiprtcGetCodeSize(program, &size);
  if (!failed) {
    code.resize(size);
    failed = f.hiprtcGetCode(program, &code[0]);
  }
  f.hiprtcDestroyProgram(&program);
  return failed ? STARLING_HIP_INVALID_IMAGE : f.hipModuleLoadData(module, code.data());
}
inline int starling_hip_module_unload(void *module) {
  return starling::hip().hipModuleUnload(module);
}
inline int starling_hip_module_function(void *module, const char *name, void **function) {
  return starling::hip().hipModuleGetFunction(function, module, name);
}
inline int starling_hip_launch(void *function, int blocks, int threads, void *stream,
                               const int64_t *arguments, int count) {
  void *parameters[16];
  for (int k = 0; k < count && k < 16; k++) parameters[k] = const_cast<int64_t *>(arguments + k);
  return starling::hip().hipModuleLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream,
                                               parameters, nullptr);
}

inline const char *starling_hip_error_name(int e) { return starling::hip().hipGetErrorName(e); }
inline const char *starling_hip_error_string(int e) { return starling::hip().hipGetErrorString(e); }
inline const char *starling_hipblas_status(int s) {
  auto words = starling::hip().hipblasStatusToString;
  return words ? words(s) : "";
}
inline int starling_hip_clear_error() { return starling::hip().hipGetLastError(); }
inline int starling_hip_device_count(int *n) { return starling::hip().hipGetDeviceCount(n); }
inline int starling_hip_set_device(int d) { return starling::hip().hipSetDevice(d); }
inline int starling_hip_device_name(char *name, int length, int device) {
  return starling::hip().hipDeviceGetName(name, length, device);
}
inline int starling_hip_bus_id(char *id, int length, int device) {
  return starling::hip().hipDeviceGetPCIBusId(id, length, device);
}
inline int starling_hip_runtime_version(int *v) { return starling::hip().hipRuntimeGetVersion(v); }
inline int starling_hip_driver_version(int *v) { return starling::hip().hipDriverGetVersion(v); }
inline int starling_hip_memory(size_t *freeBytes, size_t *total) {
  return starling::hip().hipMemGetInfo(freeBytes, total);
}
inline int starling_hip_malloc(void **p, size_t n) { return starling::hip().hipMalloc(p, n); }
inline int starling_hip_malloc_managed(void **address, size_t bytes) {
  return starling::hip().hipMallocManaged(address, bytes, STARLING_HIP_ATTACH_GLOBAL);
}
inline int starling_hip_free(void *p) { return starling::hip().hipFree(p); }
inline int starling_hip_host_malloc(void **p, size_t n, unsigned int flags) {
  return starling::hip().hipHostMalloc(p, n, flags);
}
inline int starling_hip_host_free(void *p) { return starling::hip().hipHostFree(p); }
inline int starling_hip_copy(void *to, void *from, size_t bytes, int kind, void *stream) {
  return starling::hip().hipMemcpyAsync(to, from, bytes, kind, stream);
}
inline int starling_hip_copy_rows(void *to, size_t toPitch, void *from, size_t fromPitch,
                                  size_t width, size_t rows, int kind, void *stream) {
  return starling::hip().hipMemcpy2DAsync(to, toPitch, from, fromPitch, width, rows, kind, stream);
}
inline int starling_hip_clear(void *to, size_t bytes, void *stream) {
  return starling::hip().hipMemsetAsync(to, 0, bytes, stream);
}
inline int starling_hip_stream_create(void **stream) {
  return starling::hip().hipStreamCreateWithFlags(stream, STARLING_HIP_STREAM_NON_BLOCKING);
}
inline int starling_hip_stream_destroy(void *s) { return starling::hip().hipStreamDestroy(s); }
inline int starling_hip_stream_synchronize(void *s) {
  return starling::hip().hipStreamSynchronize(s);
}
inline int starling_hip_stream_wait(void *stream, void *event) {
  return starling::hip().hipStreamWaitEvent(stream, event, 0);
}
inline int starling_hip_event_create(void **event, bool timed) {
  return starling::hip().hipEventCreateWithFlags(
      event, timed ? STARLING_HIP_EVENT_DEFAULT : STARLING_HIP_EVENT_DISABLE_TIMING);
}
inline int starling_hip_event_destroy(void *e) { return starling::hip().hipEventDestroy(e); }
inline int starling_hip_event_record(void *event, void *stream) {
  return starling::hip().hipEventRecord(event, stream);
}
inline int starling_hip_event_elapsed(float *milliseconds, void *first, void *second) {
  return starling::hip().hipEventElapsedTime(milliseconds, first, second);
}
inline int starling_hip_event_query(void *e) { return starling::hip().hipEventQuery(e); }
inline int starling_hip_event_synchronize(void *e) {
  return starling::hip().hipEventSynchronize(e);
}
inline int starling_hipblas_destroy(void *h) { return starling::hip().hipblasDestroy(h); }

/* Without atomics: they add up in an order that differs from call to call. */
inline int starling_hipblas_create(void **handle) {
  int status = starling::hip().hipblasCreate(handle);
  if (status == STARLING_HIP_SUCCESS) {
    status = starling::hip().hipblasSetAtomicsMode(*handle, STARLING_HIPBLAS_ATOMICS_NOT_ALLOWED);
    if (status != STARLING_HIP_SUCCESS) starling_hipblas_destroy(*handle);
  }
  return status;
}
inline int starling_hipblas_set_stream(void *handle, void *stream) {
  return starling::hip().hipblasSetStream(handle, stream);
}
inline int starling_hipblas_scalars_on_host(void *handle) {
  return starling::hip().hipblasSetPointerMode(handle, STARLING_HIPBLAS_POINTER_MODE_HOST);
}

/* The calls and numbers of a precision. */
namespace starling {

#define STARLING_PRECISION(Name, Letter, Type, Real)                                               \
  struct Name {                                                                                    \
    using Complex = Type;                                                                          \
    static Complex number(double re, double im) {                                                  \
      return {static_cast<Real>(re), static_cast<Real>(im)};                                       \
    }                                                                                              \
    static auto gemm() { return hip().hipblas##Letter##gemm; }                                     \
    static auto gemmBatched() { return hip().hipblas##Letter##gemmBatched; }                       \
    static auto gemvBatched() { return hip().hipblas##Letter##gemvBatched; }                       \
  };
STARLING_PRECISION(Double, Z, starlingDoubleComplex, double)
STARLING_PRECISION(Single, C, starlingSingleComplex, float)
#undef STARLING_PRECISION

/* op(A) = A or its transpose; B is never transposed; beta is real. Scalars are read in the call. */
template <typename P>
inline int gemm(void *handle, bool transpose, int m, int n, int k, double re,
                                  double im, void *a, int lda, void *b, int ldb, double beta,
                                  void *c, int ldc) {
  const typename P::Complex x = P::number(re, im), y = P::number(beta, 0);
  return P::gemm()(
      handle, transpose ? STARLING_HIPBLAS_OP_T : STARLING_HIPBLAS_OP_N, STARLING_HIPBLAS_OP_N, m,
      n, k, &x, static_cast<typename P::Complex *>(a), lda,
      static_cast<typename P::Complex *>(b), ldb, &y, static_cast<typename P::Complex *>(c),
      ldc);
}
template <typename P>
inline int gemm_pointers(void *handle, bool transpose, int m, int n, int k,
                                           double re, double im, void *a, int lda, void *b, int ldb,
                                           double beta, void *c, int ldc, int count) {
  const typename P::Complex x = P::number(re, im), y = P::number(beta, 0);
  return P::gemmBatched()(
      handle, transpose ? STARLING_HIPBLAS_OP_T : STARLING_HIPBLAS_OP_N, STARLING_HIPBLAS_OP_N, m,
      n, k, &x, static_cast<typename P::Complex **>(a), lda,
      static_cast<typename P::Complex **>(b), ldb, &y, static_cast<typename P::Complex **>(c),
      ldc, count);
}
/* y = alpha op(A) x + beta y; A is rows x columns; beta is real. */
template <typename P>
inline int gemv_pointers(void *handle, bool transpose, int rows, int columns,
                                           double re, double im, void *a, int lda, void *x,
                                           int stepX, double beta, void *y, int stepY, int count) {
  const typename P::Complex alpha = P::number(re, im), old = P::number(beta, 0);
  return P::gemvBatched()(
      handle, transpose ? STARLING_HIPBLAS_OP_T : STARLING_HIPBLAS_OP_N, rows, columns, &alpha,
      static_cast<typename P::Complex **>(a), lda, static_cast<typename P::Complex **>(x),
      stepX, &old, static_cast<typename P::Complex **>(y), stepY, count);
}
}  // namespace starling

/* `single` chooses between C and Z. */
inline int starling_hipblas_gemm(bool single, void *handle, bool transpose, int m, int n, int k, double re, double im, void *a, int lda, void *b, int ldb, double beta, void *c, int ldc) {
  return single ? starling::gemm<starling::Single>(handle, transpose, m, n, k, re, im, a, lda, b, ldb, beta, c, ldc)
                : starling::gemm<starling::Double>(handle, transpose, m, n, k, re, im, a, lda, b, ldb, beta, c, ldc);
}
inline int starling_hipblas_gemm_pointers(bool single, void *handle, bool transpose, int m, int n, int k, double re, double im, void *a, int lda, void *b, int ldb, double beta, void *c, int ldc, int count) {
  return single ? starling::gemm_pointers<starling::Single>(handle, transpose, m, n, k, re, im, a, lda, b, ldb, beta, c, ldc, count)
                : starling::gemm_pointers<starling::Double>(handle, transpose, m, n, k, re, im, a, lda, b, ldb, beta, c, ldc, count);
}
inline int starling_hipblas_gemv_pointers(bool single, void *handle, bool transpose, int rows, int columns, double re, double im, void *a, int lda, void *x, int stepX, double beta, void *y, int stepY, int count) {
  return single ? starling::gemv_pointers<starling::Single>(handle, transpose, rows, columns, re, im, a, lda, x, stepX, beta, y, stepY, count)
                : starling::gemv_pointers<starling::Double>(handle, transpose, rows, columns, re, im, a, lda, x, stepX, beta, y, stepY, count);
}
/* C (rows x columns) = transpose of A; B stands for a matrix that is not added. */
inline int starling_hipblas_transpose(void *handle, int rows, int columns, void *a, int lda,
                                      void *c, int ldc) {
  starlingDoubleComplex one = {1, 0}, zero = {0, 0};
  auto matrix = static_cast<starlingDoubleComplex *>(a);
  return starling::hip().hipblasZgeam(handle, STARLING_HIPBLAS_OP_T, STARLING_HIPBLAS_OP_T, rows,
                                      columns, &one, matrix, lda, &zero, matrix, lda,
                                      static_cast<starlingDoubleComplex *>(c), ldc);
}

/*
 * Matrix calls. `complex` chooses between D and Z; a form is 0 plain, 1 transposed, 2 adjoint; factors
 * are passed by value.
 */
inline bool starling_hip_has_matrices() { return starling::hip().matrices; }

namespace starling {

inline int form(int index) { return STARLING_HIPBLAS_OP_N + index; }

template <typename T>
inline T *as(void *address) {
  return static_cast<T *>(address);
}

using Z = starlingDoubleComplex;

}  // namespace starling

inline int starling_hipblas_matrix_gemm(void *handle, bool complex, int formA, int formB, int m,
                                        int n, int k, double alphaRe, double alphaIm, void *a,
                                        int lda, int64_t strideA, void *b, int ldb, int64_t strideB,
                                        double betaRe, double betaIm, void *c, int ldc,
                                        int64_t strideC, int count) {
  using namespace starling;
  const Z alpha = {alphaRe, alphaIm}, beta = {betaRe, betaIm};
  return complex ? hip().hipblasZgemmStridedBatched(
                       handle, form(formA), form(formB), m, n, k, &alpha, as<Z>(a), lda, strideA,
                       as<Z>(b), ldb, strideB, &beta, as<Z>(c), ldc, strideC, count)
                 : hip().hipblasDgemmStridedBatched(
                       handle, form(formA), form(formB), m, n, k, &alpha.x, as<double>(a), lda,
                       strideA, as<double>(b), ldb, strideB, &beta.x, as<double>(c), ldc, strideC,
                       count);
}
inline int starling_hipblas_matrix_axpy(void *handle, bool complex, int n, double re, double im,
                                        void *x, int stepX, void *y, int stepY) {
  using namespace starling;
  const Z alpha = {re, im};
  return complex ? hip().hipblasZaxpy(handle, n, &alpha, as<Z>(x), stepX, as<Z>(y), stepY)
                 : hip().hipblasDaxpy(handle, n, &alpha.x, as<double>(x), stepX, as<double>(y),
                                      stepY);
}
inline int starling_hipblas_matrix_scal(void *handle, bool complex, int n, double re, double im,
                                        void *x, int step) {
  using namespace starling;
  const Z alpha = {re, im};
  return complex ? hip().hipblasZscal(handle, n, &alpha, as<Z>(x), step)
                 : hip().hipblasDscal(handle, n, &alpha.x, as<double>(x), step);
}
inline int starling_hipblas_matrix_copy(void *handle, bool complex, int n, void *x, int stepX,
                                        void *y, int stepY) {
  using namespace starling;
  return complex ? hip().hipblasZcopy(handle, n, as<Z>(x), stepX, as<Z>(y), stepY)
                 : hip().hipblasDcopy(handle, n, as<double>(x), stepX, as<double>(y), stepY);
}
inline int starling_hipblas_matrix_geam(void *handle, bool complex, int formA, int formB, int m,
                                        int n, double alphaRe, double alphaIm, void *a, int lda,
                                        double betaRe, double betaIm, void *b, int ldb, void *c,
                                        int ldc) {
  using namespace starling;
  const Z alpha = {alphaRe, alphaIm}, beta = {betaRe, betaIm};
  return complex ? hip().hipblasZgeam(handle, form(formA), form(formB), m, n, &alpha, as<Z>(a),
                                      lda, &beta, as<Z>(b), ldb, as<Z>(c), ldc)
                 : hip().hipblasDgeam(handle, form(formA), form(formB), m, n, &alpha.x,
                                      as<double>(a), lda, &beta.x, as<double>(b), ldb,
                                      as<double>(c), ldc);
}
inline int starling_hipblas_matrix_dgmm(void *handle, bool complex, int m, int n, void *a, int lda,
                                        void *x, int step, void *c, int ldc) {
  using namespace starling;
  return complex ? hip().hipblasZdgmm(handle, STARLING_HIPBLAS_RIGHT, m, n, as<Z>(a), lda,
                                      as<Z>(x), step, as<Z>(c), ldc)
                 : hip().hipblasDdgmm(handle, STARLING_HIPBLAS_RIGHT, m, n, as<double>(a), lda,
                                      as<double>(x), step, as<double>(c), ldc);
}
inline int starling_hipblas_matrix_trsm(void *handle, bool complex, bool left, bool lower,
                                        int formA, bool unitDiagonal, int m, int n, double re,
                                        double im, void *a, int lda, void *b, int ldb) {
  using namespace starling;
  const Z alpha = {re, im};
  const int side = left ? STARLING_HIPBLAS_LEFT : STARLING_HIPBLAS_RIGHT;
  const int half = lower ? STARLING_HIPBLAS_LOWER : STARLING_HIPBLAS_UPPER;
  const int diagonal = unitDiagonal ? STARLING_HIPBLAS_UNIT : STARLING_HIPBLAS_NON_UNIT;
  return complex ? hip().hipblasZtrsm(handle, side, half, form(formA), diagonal, m, n, &alpha,
                                      as<Z>(a), lda, as<Z>(b), ldb)
                 : hip().hipblasDtrsm(handle, side, half, form(formA), diagonal, m, n, &alpha.x,
                                      as<double>(a), lda, as<double>(b), ldb);
}

#endif
