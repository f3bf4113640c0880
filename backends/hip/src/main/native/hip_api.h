/*
 * The parts of the C interfaces of the HIP runtime and of hipBLAS that Starling calls, declared by
 * ourselves: they are the same, to the binary interface, in ROCm 5, 6 and 7. Structures whose layout
 * differs between versions (hipDeviceProp_t above all) and device attributes, whose numbers moved,
 * are not used. In hipBLAS a complex number is two doubles whatever the type is called
 * (hipblasDoubleComplex up to 2.x, hipDoubleComplex from 3.0 on), or two floats.
 */
#ifndef STARLING_HIP_API_H
#define STARLING_HIP_API_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int hipError_t;
typedef int hipblasStatus_t;
typedef void *hipStream_t;
typedef void *hipEvent_t;
typedef void *hipblasHandle_t;
typedef void *hipModule_t;
typedef void *hipFunction_t;
typedef void *hiprtcProgram;
typedef int hiprtcResult;

typedef struct {
  double x, y;
} starlingDoubleComplex;

typedef struct {
  float x, y;
} starlingSingleComplex;

enum {
  STARLING_HIP_SUCCESS = 0,
  STARLING_HIP_INVALID_VALUE = 1,
  STARLING_HIP_OUT_OF_MEMORY = 2,
  STARLING_HIP_INVALID_DEVICE = 101,
  STARLING_HIP_INVALID_IMAGE = 200,
  STARLING_HIP_INVALID_HANDLE = 400,
  STARLING_HIP_NOT_FOUND = 500,
  STARLING_HIP_NOT_READY = 600,
  STARLING_HIP_ILLEGAL_ADDRESS = 700,
  STARLING_HIP_UNKNOWN = 999,

  STARLING_HIP_STREAM_NON_BLOCKING = 1,
  STARLING_HIP_EVENT_DEFAULT = 0,
  STARLING_HIP_EVENT_DISABLE_TIMING = 2,
  STARLING_HIP_ATTACH_GLOBAL = 1,

  STARLING_HIPBLAS_OP_N = 111,
  STARLING_HIPBLAS_OP_T = 112,
  STARLING_HIPBLAS_OP_C = 113,
  STARLING_HIPBLAS_UPPER = 121,
  STARLING_HIPBLAS_LOWER = 122,
  STARLING_HIPBLAS_NON_UNIT = 131,
  STARLING_HIPBLAS_UNIT = 132,
  STARLING_HIPBLAS_LEFT = 141,
  STARLING_HIPBLAS_RIGHT = 142,
  STARLING_HIPBLAS_POINTER_MODE_HOST = 0,
  STARLING_HIPBLAS_ATOMICS_NOT_ALLOWED = 0
};

/* Runtime (libamdhip64). */
hipError_t hipGetDeviceCount(int *count);
hipError_t hipSetDevice(int device);
hipError_t hipDeviceGetName(char *name, int length, int device);
hipError_t hipDeviceGetPCIBusId(char *busId, int length, int device);
hipError_t hipRuntimeGetVersion(int *version);
hipError_t hipDriverGetVersion(int *version);
hipError_t hipMemGetInfo(size_t *freeBytes, size_t *totalBytes);
const char *hipGetErrorName(hipError_t error);
const char *hipGetErrorString(hipError_t error);
hipError_t hipGetLastError(void);
hipError_t hipMalloc(void **address, size_t bytes);
hipError_t hipMallocManaged(void **address, size_t bytes, unsigned int flags);
hipError_t hipFree(void *address);
hipError_t hipHostMalloc(void **address, size_t bytes, unsigned int flags);
hipError_t hipHostFree(void *address);
hipError_t hipMemcpyAsync(void *target, const void *source, size_t bytes, int kind,
                          hipStream_t stream);
hipError_t hipMemcpy2DAsync(void *target, size_t targetPitch, const void *source,
                            size_t sourcePitch, size_t width, size_t height, int kind,
                            hipStream_t stream);
hipError_t hipMemsetAsync(void *target, int value, size_t bytes, hipStream_t stream);
hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags);
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned int flags);
hipError_t hipEventDestroy(hipEvent_t event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream);
hipError_t hipEventQuery(hipEvent_t event);
hipError_t hipEventSynchronize(hipEvent_t event);
hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t first, hipEvent_t second);
hipError_t hipModuleLoadData(hipModule_t *module, const void *image);
hipError_t hipModuleUnload(hipModule_t module);
hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name);
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int blocksX, unsigned int blocksY,
                                 unsigned int blocksZ, unsigned int threadsX, unsigned int threadsY,
                                 unsigned int threadsZ, unsigned int sharedBytes,
                                 hipStream_t stream, void **parameters, void **extra);

/* Compiler (libhiprtc, or part of libamdhip64). */
hiprtcResult hiprtcCreateProgram(hiprtcProgram *program, const char *source, const char *name,
                                 int headerCount, const char *const *headers,
                                 const char *const *includeNames);
hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int optionCount,
                                  const char *const *options);
hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t *size);
hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char *log);
hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *size);
hiprtcResult hiprtcGetCode(hiprtcProgram program, char *code);
hiprtcResult hiprtcDestroyProgram(hiprtcProgram *program);

/* BLAS (libhipblas). */
hipblasStatus_t hipblasCreate(hipblasHandle_t *handle);
hipblasStatus_t hipblasDestroy(hipblasHandle_t handle);
hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t stream);
hipblasStatus_t hipblasSetPointerMode(hipblasHandle_t handle, int mode);
hipblasStatus_t hipblasSetAtomicsMode(hipblasHandle_t handle, int mode);
hipblasStatus_t hipblasZgemm(hipblasHandle_t handle, int transA, int transB, int m, int n, int k,
                             const starlingDoubleComplex *alpha, const starlingDoubleComplex *A,
                             int lda, const starlingDoubleComplex *B, int ldb,
                             const starlingDoubleComplex *beta, starlingDoubleComplex *C, int ldc);
hipblasStatus_t hipblasZgemmBatched(hipblasHandle_t handle, int transA, int transB, int m, int n,
                                    int k, const starlingDoubleComplex *alpha,
                                    const starlingDoubleComplex *const *A, int lda,
                                    const starlingDoubleComplex *const *B, int ldb,
                                    const starlingDoubleComplex *beta,
                                    starlingDoubleComplex *const *C, int ldc, int batchCount);
hipblasStatus_t hipblasZgemmStridedBatched(
    hipblasHandle_t handle, int transA, int transB, int m, int n, int k,
    const starlingDoubleComplex *alpha, const starlingDoubleComplex *A, int lda, int64_t strideA,
    const starlingDoubleComplex *B, int ldb, int64_t strideB, const starlingDoubleComplex *beta,
    starlingDoubleComplex *C, int ldc, int64_t strideC, int batchCount);
hipblasStatus_t hipblasZgemvBatched(hipblasHandle_t handle, int transA, int m, int n,
                                    const starlingDoubleComplex *alpha,
                                    const starlingDoubleComplex *const *A, int lda,
                                    const starlingDoubleComplex *const *x, int incx,
                                    const starlingDoubleComplex *beta,
                                    starlingDoubleComplex *const *y, int incy, int batchCount);
hipblasStatus_t hipblasCgemm(hipblasHandle_t handle, int transA, int transB, int m, int n, int k,
                             const starlingSingleComplex *alpha, const starlingSingleComplex *A,
                             int lda, const starlingSingleComplex *B, int ldb,
                             const starlingSingleComplex *beta, starlingSingleComplex *C, int ldc);
hipblasStatus_t hipblasCgemmBatched(hipblasHandle_t handle, int transA, int transB, int m, int n,
                                    int k, const starlingSingleComplex *alpha,
                                    const starlingSingleComplex *const *A, int lda,
                                    const starlingSingleComplex *const *B, int ldb,
                                    const starlingSingleComplex *beta,
                                    starlingSingleComplex *const *C, int ldc, int batchCount);
hipblasStatus_t hipblasCgemvBatched(hipblasHandle_t handle, int transA, int m, int n,
                                    const starlingSingleComplex *alpha,
                                    const starlingSingleComplex *const *A, int lda,
                                    const starlingSingleComplex *const *x, int incx,
                                    const starlingSingleComplex *beta,
                                    starlingSingleComplex *const *y, int incy, int batchCount);
hipblasStatus_t hipblasZgeam(hipblasHandle_t handle, int transA, int transB, int m, int n,
                             const starlingDoubleComplex *alpha, const starlingDoubleComplex *A,
                             int lda, const starlingDoubleComplex *beta,
                             const starlingDoubleComplex *B, int ldb, starlingDoubleComplex *C,
                             int ldc);

/* BLAS on matrices of one's own; where one of these is missing, there are no matrix calls. */
hipblasStatus_t hipblasDgemmStridedBatched(
    hipblasHandle_t handle, int transA, int transB, int m, int n, int k, const double *alpha,
    const double *A, int lda, int64_t strideA, const double *B, int ldb, int64_t strideB,
    const double *beta, double *C, int ldc, int64_t strideC, int batchCount);
hipblasStatus_t hipblasDgeam(hipblasHandle_t handle, int transA, int transB, int m, int n,
                             const double *alpha, const double *A, int lda, const double *beta,
                             const double *B, int ldb, double *C, int ldc);
hipblasStatus_t hipblasDaxpy(hipblasHandle_t handle, int n, const double *alpha, const double *x,
                             int incx, double *y, int incy);
hipblasStatus_t hipblasDscal(hipblasHandle_t handle, int n, const double *alpha, double *x, int incx);
hipblasStatus_t hipblasDcopy(hipblasHandle_t handle, int n, const double *x, int incx, double *y,
                             int incy);
hipblasStatus_t hipblasDdgmm(hipblasHandle_t handle, int side, int m, int n, const double *A, int lda,
                             const double *x, int incx, double *C, int ldc);
hipblasStatus_t hipblasDtrsm(hipblasHandle_t handle, int side, int uplo, int transA, int diag,
                             int m, int n, const double *alpha, double *A, int lda, double *B, int ldb);
hipblasStatus_t hipblasZaxpy(hipblasHandle_t handle, int n, const starlingDoubleComplex *alpha, const starlingDoubleComplex *x,
                             int incx, starlingDoubleComplex *y, int incy);
hipblasStatus_t hipblasZscal(hipblasHandle_t handle, int n, const starlingDoubleComplex *alpha, starlingDoubleComplex *x, int incx);
hipblasStatus_t hipblasZcopy(hipblasHandle_t handle, int n, const starlingDoubleComplex *x, int incx, starlingDoubleComplex *y,
                             int incy);
hipblasStatus_t hipblasZdgmm(hipblasHandle_t handle, int side, int m, int n, const starlingDoubleComplex *A, int lda,
                             const starlingDoubleComplex *x, int incx, starlingDoubleComplex *C, int ldc);
hipblasStatus_t hipblasZtrsm(hipblasHandle_t handle, int side, int uplo, int transA, int diag,
                             int m, int n, const starlingDoubleComplex *alpha, starlingDoubleComplex *A, int lda, starlingDoubleComplex *B, int ldb);

#ifdef __cplusplus
}
#endif

#endif
