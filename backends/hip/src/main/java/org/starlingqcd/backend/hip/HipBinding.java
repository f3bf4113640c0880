package org.starlingqcd.backend.hip;

import org.bytedeco.javacpp.annotation.Cast;
import org.bytedeco.javacpp.annotation.Name;
import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.starlingqcd.backend.natives.NativeLibraries;

/**
 * The JavaCPP preset for the functions of the HIP runtime and hipBLAS that {@code starling_hip.h}
 * wraps. Addresses and handles are {@code long}s, scalars are passed by value, and the result is
 * the library's status.
 */
@Properties(@Platform(include = "starling_hip.h", link = "dl"))
final class HipBinding {
  static {
    NativeLibraries.load(HipBinding.class);
  }

  private HipBinding() {}

  @Name("starling_hip_load")
  static native @Cast("const char*") String load(
      @Cast("const char*") String runtime, @Cast("const char*") String blas);

  @Name("starling_hip_error_name")
  static native @Cast("const char*") String errorName(int error);

  @Name("starling_hip_error_string")
  static native @Cast("const char*") String errorString(int error);

  @Name("starling_hipblas_status")
  static native @Cast("const char*") String blasStatus(int status);

  @Name("starling_hip_clear_error")
  static native int clearError();

  @Name("starling_hip_device_count")
  static native int deviceCount(int[] count);

  @Name("starling_hip_set_device")
  static native int setDevice(int device);

  @Name("starling_hip_device_name")
  static native int deviceName(@Cast("char*") byte[] name, int length, int device);

  @Name("starling_hip_bus_id")
  static native int busId(@Cast("char*") byte[] id, int length, int device);

  @Name("starling_hip_runtime_version")
  static native int runtimeVersion(int[] version);

  @Name("starling_hip_driver_version")
  static native int driverVersion(int[] version);

  @Name("starling_hip_memory")
  static native int memory(@Cast("size_t*") long[] freeBytes, @Cast("size_t*") long[] totalBytes);

  @Name("starling_hip_malloc")
  static native int malloc(@Cast("void**") long[] address, @Cast("size_t") long bytes);

  @Name("starling_hip_malloc_managed")
  static native int mallocManaged(@Cast("void**") long[] address, @Cast("size_t") long bytes);

  @Name("starling_hip_free")
  static native int free(@Cast("void*") long address);

  @Name("starling_hip_host_malloc")
  static native int hostMalloc(
      @Cast("void**") long[] address, @Cast("size_t") long bytes, @Cast("unsigned int") int flags);

  @Name("starling_hip_host_free")
  static native int hostFree(@Cast("void*") long address);

  @Name("starling_hip_copy")
  static native int copy(
      @Cast("void*") long target,
      @Cast("void*") long source,
      @Cast("size_t") long bytes,
      int kind,
      @Cast("void*") long stream);

  @Name("starling_hip_copy_rows")
  static native int copyRows(
      @Cast("void*") long target,
      @Cast("size_t") long targetPitch,
      @Cast("void*") long source,
      @Cast("size_t") long sourcePitch,
      @Cast("size_t") long width,
      @Cast("size_t") long rows,
      int kind,
      @Cast("void*") long stream);

  @Name("starling_hip_clear")
  static native int clear(
      @Cast("void*") long target, @Cast("size_t") long bytes, @Cast("void*") long stream);

  @Name("starling_hip_stream_create")
  static native int streamCreate(@Cast("void**") long[] stream);

  @Name("starling_hip_stream_destroy")
  static native int streamDestroy(@Cast("void*") long stream);

  @Name("starling_hip_stream_synchronize")
  static native int streamSynchronize(@Cast("void*") long stream);

  @Name("starling_hip_stream_wait")
  static native int streamWait(@Cast("void*") long stream, @Cast("void*") long event);

  @Name("starling_hip_event_create")
  static native int eventCreate(@Cast("void**") long[] event, @Cast("bool") boolean timed);

  @Name("starling_hip_event_destroy")
  static native int eventDestroy(@Cast("void*") long event);

  @Name("starling_hip_event_record")
  static native int eventRecord(@Cast("void*") long event, @Cast("void*") long stream);

  @Name("starling_hip_event_elapsed")
  static native int eventElapsed(
      float[] milliseconds, @Cast("void*") long first, @Cast("void*") long second);

  @Name("starling_hip_event_query")
  static native int eventQuery(@Cast("void*") long event);

  @Name("starling_hip_event_synchronize")
  static native int eventSynchronize(@Cast("void*") long event);

  @Name("starling_hip_module_load")
  static native int moduleLoad(@Cast("const char*") String source, @Cast("void**") long[] module);

  @Name("starling_hip_compilers_words")
  static native @Cast("const char*") String compilersWords();

  @Name("starling_hip_module_unload")
  static native int moduleUnload(@Cast("void*") long module);

  @Name("starling_hip_module_function")
  static native int moduleFunction(
      @Cast("void*") long module,
      @Cast("const char*") String name,
      @Cast("void**") long[] function);

  @Name("starling_hip_launch")
  static native int launch(
      @Cast("void*") long function,
      int blocks,
      int threads,
      @Cast("void*") long stream,
      @Cast("const int64_t*") long[] arguments,
      int count);

  @Name("starling_hipblas_create")
  static native int blasCreate(@Cast("void**") long[] handle);

  @Name("starling_hipblas_destroy")
  static native int blasDestroy(@Cast("void*") long handle);

  @Name("starling_hipblas_set_stream")
  static native int blasSetStream(@Cast("void*") long handle, @Cast("void*") long stream);

  @Name("starling_hipblas_scalars_on_host")
  static native int blasScalarsOnHost(@Cast("void*") long handle);

  @Name("starling_hipblas_gemm")
  static native int gemm(
      @Cast("bool") boolean single,
      @Cast("void*") long handle,
      @Cast("bool") boolean transpose,
      int m,
      int n,
      int k,
      double re,
      double im,
      @Cast("void*") long a,
      int lda,
      @Cast("void*") long b,
      int ldb,
      double beta,
      @Cast("void*") long c,
      int ldc);

  @Name("starling_hipblas_gemm_pointers")
  static native int gemmPointers(
      @Cast("bool") boolean single,
      @Cast("void*") long handle,
      @Cast("bool") boolean transpose,
      int m,
      int n,
      int k,
      double re,
      double im,
      @Cast("void*") long a,
      int lda,
      @Cast("void*") long b,
      int ldb,
      double beta,
      @Cast("void*") long c,
      int ldc,
      int count);

  @Name("starling_hipblas_gemv_pointers")
  static native int gemvPointers(
      @Cast("bool") boolean single,
      @Cast("void*") long handle,
      @Cast("bool") boolean transpose,
      int rows,
      int columns,
      double re,
      double im,
      @Cast("void*") long a,
      int lda,
      @Cast("void*") long x,
      int stepX,
      double beta,
      @Cast("void*") long y,
      int stepY,
      int count);

  @Name("starling_hipblas_transpose")
  static native int transpose(
      @Cast("void*") long handle,
      int rows,
      int columns,
      @Cast("void*") long a,
      int lda,
      @Cast("void*") long c,
      int ldc);

  @Name("starling_hip_has_matrices")
  static native @Cast("bool") boolean hasMatrices();

  @Name("starling_hipblas_matrix_gemm")
  static native int matrixGemm(
      @Cast("void*") long handle,
      @Cast("bool") boolean complex,
      int formA,
      int formB,
      int m,
      int n,
      int k,
      double alphaRe,
      double alphaIm,
      @Cast("void*") long a,
      int lda,
      @Cast("int64_t") long strideA,
      @Cast("void*") long b,
      int ldb,
      @Cast("int64_t") long strideB,
      double betaRe,
      double betaIm,
      @Cast("void*") long c,
      int ldc,
      @Cast("int64_t") long strideC,
      int count);

  @Name("starling_hipblas_matrix_axpy")
  static native int matrixAxpy(
      @Cast("void*") long handle,
      @Cast("bool") boolean complex,
      int n,
      double re,
      double im,
      @Cast("void*") long x,
      int stepX,
      @Cast("void*") long y,
      int stepY);

  @Name("starling_hipblas_matrix_scal")
  static native int matrixScal(
      @Cast("void*") long handle,
      @Cast("bool") boolean complex,
      int n,
      double re,
      double im,
      @Cast("void*") long x,
      int step);

  @Name("starling_hipblas_matrix_copy")
  static native int matrixCopy(
      @Cast("void*") long handle,
      @Cast("bool") boolean complex,
      int n,
      @Cast("void*") long x,
      int stepX,
      @Cast("void*") long y,
      int stepY);

  @Name("starling_hipblas_matrix_geam")
  static native int matrixGeam(
      @Cast("void*") long handle,
      @Cast("bool") boolean complex,
      int formA,
      int formB,
      int m,
      int n,
      double alphaRe,
      double alphaIm,
      @Cast("void*") long a,
      int lda,
      double betaRe,
      double betaIm,
      @Cast("void*") long b,
      int ldb,
      @Cast("void*") long c,
      int ldc);

  @Name("starling_hipblas_matrix_dgmm")
  static native int matrixDgmm(
      @Cast("void*") long handle,
      @Cast("bool") boolean complex,
      int m,
      int n,
      @Cast("void*") long a,
      int lda,
      @Cast("void*") long x,
      int step,
      @Cast("void*") long c,
      int ldc);

  @Name("starling_hipblas_matrix_trsm")
  static native int matrixTrsm(
      @Cast("void*") long handle,
      @Cast("bool") boolean complex,
      @Cast("bool") boolean left,
      @Cast("bool") boolean lower,
      int formA,
      @Cast("bool") boolean unitDiagonal,
      int m,
      int n,
      double re,
      double im,
      @Cast("void*") long a,
      int lda,
      @Cast("void*") long b,
      int ldb);
}
