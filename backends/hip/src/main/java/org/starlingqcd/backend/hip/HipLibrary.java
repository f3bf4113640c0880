package org.starlingqcd.backend.hip;

import static org.starlingqcd.backend.gpu.FailedCall.address;

import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.gpu.CopyDirection;
import org.starlingqcd.backend.gpu.FailedCall;
import org.starlingqcd.backend.gpu.GpuLibrary;
import org.starlingqcd.backend.gpu.MatrixProduct;

/** The seam's calls in HIP and hipBLAS. Arguments are put into words only when a call failed. */
final class HipLibrary implements GpuLibrary {
  private final HipPlatform platform;
  private final int device;

  HipLibrary(HipPlatform platform, int device) {
    this.platform = platform;
    this.device = device;
  }

  private static BackendException failed(int status, String call, Object... arguments) {
    return FailedCall.of(call, HipStatus.runtime(status), arguments);
  }

  private static BackendException blasFailed(int status, String call, Object... arguments) {
    return FailedCall.of(call, HipStatus.blas(status), arguments);
  }

  @Override
  public void makeCurrent() {
    HipPlatform.setDevice(device);
  }

  @Override
  public DeviceInfo info() {
    return platform.describe(device);
  }

  @Override
  public long allocate(long bytes) {
    long[] block = new long[1];
    return allocated(HipBinding.malloc(block, bytes), "hipMalloc", bytes, block);
  }

  @Override
  public void free(long address) {
    int status = HipBinding.free(address);
    if (status != HipStatus.SUCCESS) {
      throw failed(status, "hipFree", "address", address(address));
    }
  }

  @Override
  public long allocateHost(long bytes) {
    long[] block = new long[1];
    return allocated(HipBinding.hostMalloc(block, bytes), "hipHostMalloc", bytes, block);
  }

  /** Out of memory leaves a mark that a later call would report again; it is taken away. */
  private static long allocated(int status, String call, long bytes, long[] block) {
    if (status == HipStatus.OUT_OF_MEMORY) {
      String words = HipStatus.runtime(status);
      HipBinding.clearError();
      throw FailedCall.outOfMemory(call, words, bytes);
    }
    if (status != HipStatus.SUCCESS) {
      throw failed(status, call, "bytes", bytes);
    }
    return block[0];
  }

  @Override
  public void freeHost(long address) {
    int status = HipBinding.hostFree(address);
    if (status != HipStatus.SUCCESS) {
      throw failed(status, "hipHostFree", "address", address(address));
    }
  }

  @Override
  public void copy(long target, long source, long bytes, CopyDirection direction, long stream) {
    int status = HipBinding.copy(target, source, bytes, direction.code(), stream);
    if (status != HipStatus.SUCCESS) {
      throw failed(
          status,
          "hipMemcpyAsync",
          "target",
          address(target),
          "source",
          address(source),
          "bytes",
          bytes,
          "direction",
          direction,
          "stream",
          address(stream));
    }
  }

  @Override
  public void copyRows(
      long target,
      long targetPitch,
      long source,
      long sourcePitch,
      long width,
      long rows,
      CopyDirection direction,
      long stream) {
    int status =
        HipBinding.copyRows(
            target, targetPitch, source, sourcePitch, width, rows, direction.code(), stream);
    if (status != HipStatus.SUCCESS) {
      throw failed(
          status,
          "hipMemcpy2DAsync",
          "target",
          address(target),
          "targetPitch",
          targetPitch,
          "source",
          address(source),
          "sourcePitch",
          sourcePitch,
          "width",
          width,
          "rows",
          rows,
          "direction",
          direction,
          "stream",
          address(stream));
    }
  }

  @Override
  public void clear(long target, long bytes, long stream) {
    int status = HipBinding.clear(target, bytes, stream);
    if (status != HipStatus.SUCCESS) {
      throw failed(
          status,
          "hipMemsetAsync",
          "target",
          address(target),
          "bytes",
          bytes,
          "stream",
          address(stream));
    }
  }

  @Override
  public long createStream() {
    long[] stream = new long[1];
    int status = HipBinding.streamCreate(stream);
    if (status != HipStatus.SUCCESS) {
      throw failed(status, "hipStreamCreateWithFlags", "device", device);
    }
    return stream[0];
  }

  @Override
  public void destroyStream(long stream) {
    checkStream(HipBinding.streamDestroy(stream), "hipStreamDestroy", stream);
  }

  @Override
  public void synchronizeStream(long stream) {
    checkStream(HipBinding.streamSynchronize(stream), "hipStreamSynchronize", stream);
  }

  private static void checkStream(int status, String call, long stream) {
    if (status != HipStatus.SUCCESS) {
      throw failed(status, call, "stream", address(stream));
    }
  }

  @Override
  public long createEvent() {
    long[] event = new long[1];
    int status = HipBinding.eventCreate(event);
    if (status != HipStatus.SUCCESS) {
      throw failed(status, "hipEventCreateWithFlags", "device", device);
    }
    return event[0];
  }

  @Override
  public void destroyEvent(long event) {
    checkEvent(HipBinding.eventDestroy(event), "hipEventDestroy", event);
  }

  @Override
  public void recordEvent(long event, long stream) {
    int status = HipBinding.eventRecord(event, stream);
    if (status != HipStatus.SUCCESS) {
      throw failed(status, "hipEventRecord", "event", address(event), "stream", address(stream));
    }
  }

  @Override
  public boolean isReached(long event) {
    int status = HipBinding.eventQuery(event);
    if (status != HipStatus.NOT_READY) {
      checkEvent(status, "hipEventQuery", event);
    }
    return status == HipStatus.SUCCESS;
  }

  @Override
  public void synchronizeEvent(long event) {
    checkEvent(HipBinding.eventSynchronize(event), "hipEventSynchronize", event);
  }

  private static void checkEvent(int status, String call, long event) {
    if (status != HipStatus.SUCCESS) {
      throw failed(status, call, "event", address(event));
    }
  }

  @Override
  public void waitForEvent(long stream, long event) {
    int status = HipBinding.streamWait(stream, event);
    if (status != HipStatus.SUCCESS) {
      throw failed(
          status, "hipStreamWaitEvent", "stream", address(stream), "event", address(event));
    }
  }

  @Override
  public long createBlas(long stream) {
    long[] handle = new long[1];
    int status = HipBinding.blasCreate(handle);
    if (status != HipStatus.SUCCESS) {
      throw blasFailed(status, "hipblasCreate", "device", device);
    }
    try {
      checkBlas(HipBinding.blasSetStream(handle[0], stream), "hipblasSetStream", handle[0]);
      checkBlas(HipBinding.blasScalarsOnHost(handle[0]), "hipblasSetPointerMode", handle[0]);
    } catch (BackendException e) {
      HipBinding.blasDestroy(handle[0]);
      throw e;
    }
    return handle[0];
  }

  @Override
  public void destroyBlas(long blas) {
    checkBlas(HipBinding.blasDestroy(blas), "hipblasDestroy", blas);
  }

  private static void checkBlas(int status, String call, long handle) {
    if (status != HipStatus.SUCCESS) {
      throw blasFailed(status, call, "handle", address(handle));
    }
  }

  @Override
  public void multiply(long blas, MatrixProduct p, long a, long b, long c) {
    int status =
        HipBinding.zgemm(
            blas,
            p.transposed(),
            p.m(),
            p.n(),
            p.k(),
            p.alphaRe(),
            p.alphaIm(),
            a,
            p.lda(),
            b,
            p.ldb(),
            p.beta(),
            c,
            p.ldc());
    if (status != HipStatus.SUCCESS) {
      throw productFailed(status, "hipblasZgemm", p, a, b, c, 1);
    }
  }

  @Override
  public void multiplyStrided(
      long blas,
      MatrixProduct p,
      long a,
      long strideA,
      long b,
      long strideB,
      long c,
      long strideC,
      int count) {
    int status =
        HipBinding.zgemmStrided(
            blas,
            p.transposed(),
            p.m(),
            p.n(),
            p.k(),
            p.alphaRe(),
            p.alphaIm(),
            a,
            p.lda(),
            strideA,
            b,
            p.ldb(),
            strideB,
            p.beta(),
            c,
            p.ldc(),
            strideC,
            count);
    if (status != HipStatus.SUCCESS) {
      throw productFailed(status, "hipblasZgemmStridedBatched", p, a, b, c, count);
    }
  }

  @Override
  public void multiplyPointers(long blas, MatrixProduct p, long a, long b, long c, int count) {
    int status =
        HipBinding.zgemmPointers(
            blas,
            p.transposed(),
            p.m(),
            p.n(),
            p.k(),
            p.alphaRe(),
            p.alphaIm(),
            a,
            p.lda(),
            b,
            p.ldb(),
            p.beta(),
            c,
            p.ldc(),
            count);
    if (status != HipStatus.SUCCESS) {
      throw productFailed(status, "hipblasZgemmBatched", p, a, b, c, count);
    }
  }

  private static BackendException productFailed(
      int status, String call, MatrixProduct product, long a, long b, long c, int count) {
    return blasFailed(
        status,
        call,
        "product",
        product,
        "A",
        address(a),
        "B",
        address(b),
        "C",
        address(c),
        "count",
        count);
  }

  @Override
  public void transpose(long blas, int rows, int columns, long a, int lda, long c, int ldc) {
    int status = HipBinding.transpose(blas, rows, columns, a, lda, c, ldc);
    if (status != HipStatus.SUCCESS) {
      throw blasFailed(
          status,
          "hipblasZgeam",
          "rows",
          rows,
          "columns",
          columns,
          "A",
          address(a),
          "lda",
          lda,
          "C",
          address(c),
          "ldc",
          ldc);
    }
  }

  /** ROCm's random numbers are a library more to install; the host's do for synthetic data. */
  @Override
  public boolean fillUniform(long target, long count, long seed, long stream) {
    return false;
  }

  @Override
  public void close() {}
}
