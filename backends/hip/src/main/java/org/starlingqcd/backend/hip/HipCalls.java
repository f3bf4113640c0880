package org.starlingqcd.backend.hip;

import java.util.Map;
import java.util.Optional;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuCalls;
import org.starlingqcd.backend.gpu.library.Kernel;
import org.starlingqcd.backend.gpu.library.MatrixCalls;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;
import org.starlingqcd.backend.gpu.library.VectorProduct;

/** The vendor's calls in HIP and hipBLAS. */
final class HipCalls implements GpuCalls {
  /** {@code hipHostMallocMapped}: kernels use the memory under its host address. */
  private static final int MAPPED = 2;

  /** hipErrorNotFound. */
  private static final int NOT_FOUND = 500;

  /** Names of hipblasStatus_t in order; older releases have no function that returns them. */
  private static final String[] BLAS_NAMES = {
    "HIPBLAS_STATUS_SUCCESS",
    "HIPBLAS_STATUS_NOT_INITIALIZED",
    "HIPBLAS_STATUS_ALLOC_FAILED",
    "HIPBLAS_STATUS_INVALID_VALUE",
    "HIPBLAS_STATUS_MAPPING_ERROR",
    "HIPBLAS_STATUS_EXECUTION_FAILED",
    "HIPBLAS_STATUS_INTERNAL_ERROR",
    "HIPBLAS_STATUS_NOT_SUPPORTED",
    "HIPBLAS_STATUS_ARCH_MISMATCH",
    "HIPBLAS_STATUS_HANDLE_IS_NULLPTR",
    "HIPBLAS_STATUS_INVALID_ENUM",
    "HIPBLAS_STATUS_UNKNOWN"
  };

  private long module;

  @Override
  public String name(String call) {
    return "hip" + call;
  }

  @Override
  public String words(int error) {
    return runtimeWords(error);
  }

  @Override
  public String blasWords(int status) {
    String words = HipBinding.blasStatus(status);
    if (words == null || words.isEmpty()) {
      words = status >= 0 && status < BLAS_NAMES.length ? BLAS_NAMES[status] : "unknown status";
    }
    return status + " " + words;
  }

  /** The runtime's name and description of an error. */
  static String runtimeWords(int error) {
    return error + " " + HipBinding.errorName(error) + ", " + HipBinding.errorString(error);
  }

  @Override
  public int clearError() {
    return HipBinding.clearError();
  }

  @Override
  public int setDevice(int device) {
    return HipBinding.setDevice(device);
  }

  @Override
  public int allocate(long[] address, long bytes) {
    return HipBinding.malloc(address, bytes);
  }

  @Override
  public int allocateManaged(long[] address, long bytes) {
    return HipBinding.mallocManaged(address, bytes);
  }

  @Override
  public int free(long address) {
    return HipBinding.free(address);
  }

  @Override
  public int allocateHost(long[] address, long bytes) {
    return HipBinding.hostMalloc(address, bytes, 0);
  }

  @Override
  public int allocateMapped(long[] address, long bytes) {
    return HipBinding.hostMalloc(address, bytes, MAPPED);
  }

  @Override
  public int freeHost(long address) {
    return HipBinding.hostFree(address);
  }

  @Override
  public int copy(long target, long source, long bytes, CopyDirection direction, long stream) {
    return HipBinding.copy(target, source, bytes, direction.code(), stream);
  }

  @Override
  public int copyRows(
      long target,
      long targetPitch,
      long source,
      long sourcePitch,
      long width,
      long rows,
      CopyDirection direction,
      long stream) {
    return HipBinding.copyRows(
        target, targetPitch, source, sourcePitch, width, rows, direction.code(), stream);
  }

  /** Compiles the kernels with hiprtc, which every installation of the HIP runtime has. */
  @Override
  public int loadKernels(Map<Kernel, Long> functions) {
    long[] result = new long[1];
    int status;
    try {
      status = HipBinding.moduleLoad(Kernel.source(), result);
    } catch (LinkageError e) {
      return NOT_FOUND; // A binding that an older build has left behind.
    }
    if (status == SUCCESS) {
      module = result[0];
    }
    for (Kernel kernel : Kernel.values()) {
      if (status == SUCCESS) {
        status = HipBinding.moduleFunction(module, kernel.function(), result);
        functions.put(kernel, result[0]);
      }
    }
    return status;
  }

  @Override
  public String origin() {
    return "compiled by hiprtc";
  }

  @Override
  public String compilersWords() {
    String words = HipBinding.compilersWords();
    return words == null || words.isBlank() ? "" : "; hiprtc: " + words.strip();
  }

  @Override
  public int unloadKernels() {
    long loaded = module;
    module = 0;
    return loaded == 0 ? SUCCESS : HipBinding.moduleUnload(loaded);
  }

  @Override
  public int launch(long function, int blocks, int threads, long stream, long[] arguments) {
    return HipBinding.launch(function, blocks, threads, stream, arguments, arguments.length);
  }

  @Override
  public int clear(long target, long bytes, long stream) {
    return HipBinding.clear(target, bytes, stream);
  }

  @Override
  public int createStream(long[] stream) {
    return HipBinding.streamCreate(stream);
  }

  @Override
  public int destroyStream(long stream) {
    return HipBinding.streamDestroy(stream);
  }

  @Override
  public int synchronizeStream(long stream) {
    return HipBinding.streamSynchronize(stream);
  }

  @Override
  public int waitForEvent(long stream, long event) {
    return HipBinding.streamWait(stream, event);
  }

  @Override
  public int createEvent(long[] event, boolean timed) {
    return HipBinding.eventCreate(event, timed);
  }

  @Override
  public int destroyEvent(long event) {
    return HipBinding.eventDestroy(event);
  }

  @Override
  public int recordEvent(long event, long stream) {
    return HipBinding.eventRecord(event, stream);
  }

  @Override
  public int elapsed(float[] milliseconds, long first, long second) {
    return HipBinding.eventElapsed(milliseconds, first, second);
  }

  @Override
  public int queryEvent(long event) {
    return HipBinding.eventQuery(event);
  }

  @Override
  public int synchronizeEvent(long event) {
    return HipBinding.eventSynchronize(event);
  }

  @Override
  public int createBlas(long[] handle) {
    return HipBinding.blasCreate(handle);
  }

  @Override
  public int destroyBlas(long handle) {
    return HipBinding.blasDestroy(handle);
  }

  @Override
  public int setBlasStream(long handle, long stream) {
    return HipBinding.blasSetStream(handle, stream);
  }

  @Override
  public int setScalarsOnHost(long handle) {
    return HipBinding.blasScalarsOnHost(handle);
  }

  @Override
  public int multiply(long handle, MatrixProduct p, Operands o) {
    return HipBinding.gemm(
        p.precision() == Precision.SINGLE,
        handle,
        p.transposed(),
        p.m(),
        p.n(),
        p.k(),
        p.alphaRe(),
        p.alphaIm(),
        o.a(),
        p.lda(),
        o.b(),
        p.ldb(),
        p.beta(),
        o.c(),
        p.ldc());
  }

  @Override
  public int multiplyPointers(long handle, MatrixProduct p, Operands o) {
    return HipBinding.gemmPointers(
        p.precision() == Precision.SINGLE,
        handle,
        p.transposed(),
        p.m(),
        p.n(),
        p.k(),
        p.alphaRe(),
        p.alphaIm(),
        o.a(),
        p.lda(),
        o.b(),
        p.ldb(),
        p.beta(),
        o.c(),
        p.ldc(),
        o.count());
  }

  @Override
  public int applyPointers(long handle, VectorProduct p, Operands o) {
    return HipBinding.gemvPointers(
        p.precision() == Precision.SINGLE,
        handle,
        p.transposed(),
        p.rows(),
        p.columns(),
        p.alphaRe(),
        p.alphaIm(),
        o.a(),
        p.lda(),
        o.b(),
        p.stepX(),
        p.beta(),
        o.c(),
        p.stepY(),
        o.count());
  }

  @Override
  public int transpose(long handle, int rows, int columns, long a, int lda, long c, int ldc) {
    return HipBinding.transpose(handle, rows, columns, a, lda, c, ldc);
  }

  @Override
  public Optional<MatrixCalls> matrixCalls() {
    return HipBinding.hasMatrices() ? Optional.of(new HipMatrixCalls()) : Optional.empty();
  }
}
