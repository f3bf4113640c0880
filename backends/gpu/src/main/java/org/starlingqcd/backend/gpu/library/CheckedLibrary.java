package org.starlingqcd.backend.gpu.library;

import static org.starlingqcd.backend.gpu.library.FailedCall.address;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.Precision;

/**
 * A vendor's calls with every status checked. Arguments are formatted only after a failed call. The
 * description of the device and random numbers differ between vendors, so subclasses supply them.
 * The class has more than 400 lines because it is every call of {@link GpuCalls} with its message.
 */
public abstract class CheckedLibrary implements GpuLibrary {
  /** {@code off} keeps to library calls, should a kernel give trouble on some GPU. */
  private static final String KERNELS = "starling.gpu.kernels";

  private static final Logger LOG = LoggerFactory.getLogger(CheckedLibrary.class);

  private final Map<Kernel, Long> functions = new EnumMap<>(Kernel.class);
  private final GpuCalls calls;
  private final int device;

  /** The library for one device. */
  protected CheckedLibrary(GpuCalls calls, int device) {
    this.calls = calls;
    this.device = device;
  }

  /** Number of the device. */
  protected final int device() {
    return device;
  }

  private BackendException failed(int status, String call, Object... arguments) {
    return FailedCall.of(calls.prefix() + call, calls.words(status), arguments);
  }

  private BackendException blasFailed(int status, String call, Object... arguments) {
    return FailedCall.of(calls.blasPrefix() + call, calls.blasWords(status), arguments);
  }

  @Override
  public final void makeCurrent() {
    int status = calls.setDevice(device);
    if (status != GpuCalls.SUCCESS) {
      throw failed(status, "SetDevice", "device", device);
    }
  }

  @Override
  public final long allocate(long bytes) {
    long[] block = new long[1];
    int status = calls.allocate(block, bytes);
    if (status != GpuCalls.SUCCESS) {
      throw allocationFailed(status, calls.prefix() + "Malloc", bytes);
    }
    return block[0];
  }

  @Override
  public final void free(long address) {
    int status = calls.free(address);
    if (status != GpuCalls.SUCCESS) {
      throw failed(status, "Free", "address", address(address));
    }
  }

  @Override
  public final long allocateHost(long bytes) {
    long[] block = new long[1];
    return allocatedHost(calls.allocateHost(block, bytes), block, bytes);
  }

  @Override
  public final long allocateMapped(long bytes) {
    long[] block = new long[1];
    return allocatedHost(calls.allocateMapped(block, bytes), block, bytes);
  }

  private long allocatedHost(int status, long[] block, long bytes) {
    if (status != GpuCalls.SUCCESS) {
      throw allocationFailed(status, calls.hostAllocation(), bytes);
    }
    return block[0];
  }

  @Override
  public final void reach(GpuLibrary other) {
    if (other instanceof CheckedLibrary peer && calls.enablePeer(peer.device) != GpuCalls.SUCCESS) {
      // There is no link, or it is open already: copies work in both cases.
      calls.clearError();
    }
  }

  /** Clears the error of a failed allocation, which a later call would otherwise report again. */
  private BackendException allocationFailed(int status, String call, long bytes) {
    String words = calls.words(status);
    if (status == GpuCalls.OUT_OF_MEMORY) {
      calls.clearError();
      return FailedCall.outOfMemory(call, words, bytes);
    }
    return FailedCall.of(call, words, "bytes", bytes);
  }

  @Override
  public final void freeHost(long address) {
    int status = calls.freeHost(address);
    if (status != GpuCalls.SUCCESS) {
      throw FailedCall.of(calls.hostRelease(), calls.words(status), "address", address(address));
    }
  }

  @Override
  public final void copy(
      long target, long source, long bytes, CopyDirection direction, long stream) {
    int status = calls.copy(target, source, bytes, direction.code(), stream);
    if (status != GpuCalls.SUCCESS) {
      throw failed(
          status,
          "MemcpyAsync",
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
  public final void copyRows(
      long target,
      long targetPitch,
      long source,
      long sourcePitch,
      long width,
      long rows,
      CopyDirection direction,
      long stream) {
    int status =
        calls.copyRows(
            target, targetPitch, source, sourcePitch, width, rows, direction.code(), stream);
    if (status != GpuCalls.SUCCESS) {
      throw failed(
          status,
          "Memcpy2DAsync",
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
  public final void clear(long target, long bytes, long stream) {
    int status = calls.clear(target, bytes, stream);
    if (status != GpuCalls.SUCCESS) {
      throw failed(
          status,
          "MemsetAsync",
          "target",
          address(target),
          "bytes",
          bytes,
          "stream",
          address(stream));
    }
  }

  @Override
  public final long createStream() {
    long[] stream = new long[1];
    int status = calls.createStream(stream);
    if (status != GpuCalls.SUCCESS) {
      throw failed(status, "StreamCreateWithFlags", "device", device);
    }
    return stream[0];
  }

  @Override
  public final void destroyStream(long stream) {
    checkStream(calls.destroyStream(stream), "StreamDestroy", stream);
  }

  @Override
  public final void synchronizeStream(long stream) {
    checkStream(calls.synchronizeStream(stream), "StreamSynchronize", stream);
  }

  private void checkStream(int status, String call, long stream) {
    if (status != GpuCalls.SUCCESS) {
      throw failed(status, call, "stream", address(stream));
    }
  }

  @Override
  public final long createEvent() {
    long[] event = new long[1];
    int status = calls.createEvent(event);
    if (status != GpuCalls.SUCCESS) {
      throw failed(status, "EventCreateWithFlags", "device", device);
    }
    return event[0];
  }

  @Override
  public final void destroyEvent(long event) {
    checkEvent(calls.destroyEvent(event), "EventDestroy", event);
  }

  @Override
  public final void recordEvent(long event, long stream) {
    int status = calls.recordEvent(event, stream);
    if (status != GpuCalls.SUCCESS) {
      throw failed(status, "EventRecord", "event", address(event), "stream", address(stream));
    }
  }

  @Override
  public final double secondsBetween(long first, long second) {
    float[] milliseconds = new float[1];
    int status = calls.elapsed(milliseconds, first, second);
    if (status != GpuCalls.SUCCESS) {
      throw failed(status, "EventElapsedTime", "first", address(first), "second", address(second));
    }
    return 1e-3 * milliseconds[0];
  }

  @Override
  public final boolean isReached(long event) {
    int status = calls.queryEvent(event);
    if (status != GpuCalls.NOT_READY) {
      checkEvent(status, "EventQuery", event);
    }
    return status == GpuCalls.SUCCESS;
  }

  @Override
  public final void synchronizeEvent(long event) {
    checkEvent(calls.synchronizeEvent(event), "EventSynchronize", event);
  }

  private void checkEvent(int status, String call, long event) {
    if (status != GpuCalls.SUCCESS) {
      throw failed(status, call, "event", address(event));
    }
  }

  @Override
  public final void waitForEvent(long stream, long event) {
    int status = calls.waitForEvent(stream, event);
    if (status != GpuCalls.SUCCESS) {
      throw failed(status, "StreamWaitEvent", "stream", address(stream), "event", address(event));
    }
  }

  @Override
  public final long createBlas(long stream) {
    long[] handle = new long[1];
    int status = calls.createBlas(handle);
    if (status != GpuCalls.SUCCESS) {
      throw blasFailed(status, "Create", "device", device);
    }
    try {
      checkBlas(calls.setBlasStream(handle[0], stream), "SetStream", handle[0]);
      checkBlas(calls.setScalarsOnHost(handle[0]), "SetPointerMode", handle[0]);
    } catch (BackendException e) {
      calls.destroyBlas(handle[0]);
      throw e;
    }
    return handle[0];
  }

  @Override
  public final void destroyBlas(long blas) {
    checkBlas(calls.destroyBlas(blas), "Destroy", blas);
  }

  private void checkBlas(int status, String call, long handle) {
    if (status != GpuCalls.SUCCESS) {
      throw blasFailed(status, call, "handle", address(handle));
    }
  }

  @Override
  public final void multiply(long blas, MatrixProduct product, Operands operands) {
    checkProduct(
        calls.multiply(blas, product, operands),
        letter(product.precision()) + "gemm",
        product,
        operands);
  }

  @Override
  public final void multiplyStrided(long blas, MatrixProduct product, Operands operands) {
    checkProduct(
        calls.multiplyStrided(blas, product, operands),
        letter(product.precision()) + "gemmStridedBatched",
        product,
        operands);
  }

  @Override
  public final void multiplyPointers(long blas, MatrixProduct product, Operands operands) {
    checkProduct(
        calls.multiplyPointers(blas, product, operands),
        letter(product.precision()) + "gemmBatched",
        product,
        operands);
  }

  @Override
  public final void applyStrided(long blas, VectorProduct product, Operands operands) {
    checkProduct(
        calls.applyStrided(blas, product, operands),
        letter(product.precision()) + "gemvStridedBatched",
        product,
        operands);
  }

  @Override
  public final void applyPointers(long blas, VectorProduct product, Operands operands) {
    checkProduct(
        calls.applyPointers(blas, product, operands),
        letter(product.precision()) + "gemvBatched",
        product,
        operands);
  }

  /** The letter of BLAS for complex numbers of a precision. */
  private static String letter(Precision precision) {
    return precision == Precision.SINGLE ? "C" : "Z";
  }

  private void checkProduct(int status, String call, Record product, Operands operands) {
    if (status != GpuCalls.SUCCESS) {
      throw blasFailed(
          status,
          call,
          "product",
          product,
          "A",
          address(operands.a()),
          "B",
          address(operands.b()),
          "C",
          address(operands.c()),
          "count",
          operands.count());
    }
  }

  @Override
  public final boolean loadKernels() {
    if (System.getProperty(KERNELS, "").equals("off")) {
      return false;
    }
    int status = calls.loadKernels(functions);
    if (status != GpuCalls.SUCCESS) {
      LOG.warn("kernels cannot be loaded, so traces take library calls: {}", calls.words(status));
      calls.clearError();
    }
    return status == GpuCalls.SUCCESS;
  }

  /** Unloads the kernels. */
  protected final void unloadKernels() {
    int status = calls.unloadKernels();
    if (status != GpuCalls.SUCCESS) {
      throw FailedCall.of(calls.kernelRelease(), calls.words(status), "device", device);
    }
  }

  @Override
  public final void launch(Kernel kernel, int blocks, long stream, long... arguments) {
    Long function = functions.get(kernel);
    if (function == null) {
      throw new IllegalStateException("not loaded: " + kernel);
    }
    int status = calls.launch(function, blocks, kernel.threads(), stream, arguments);
    if (status != GpuCalls.SUCCESS) {
      throw FailedCall.of(
          calls.kernelLaunch(),
          calls.words(status),
          "kernel",
          kernel,
          "blocks",
          blocks,
          "arguments",
          Arrays.toString(arguments),
          "stream",
          address(stream));
    }
  }

  @Override
  public final void transpose(long blas, int rows, int columns, long a, int lda, long c, int ldc) {
    int status = calls.transpose(blas, rows, columns, a, lda, c, ldc);
    if (status != GpuCalls.SUCCESS) {
      throw blasFailed(
          status,
          "Zgeam",
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

  @Override
  public final Optional<MatrixCalls> matrixCalls() {
    return calls.matrixCalls();
  }
}
