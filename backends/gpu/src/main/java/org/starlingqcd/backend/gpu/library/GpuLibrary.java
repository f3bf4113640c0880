package org.starlingqcd.backend.gpu.library;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.Precision;

/**
 * A vendor's calls on one opened device, with every status checked. Addresses, streams, events and
 * BLAS handles are plain {@code long}s, as the libraries return them. Methods that take a stream or
 * a BLAS handle return before the work is done.
 *
 * <p>A status other than success becomes a {@link BackendException} with the call's name, its
 * arguments and the library's description. "Out of memory" of an allocation becomes an {@link
 * org.starlingqcd.backend.OutOfDeviceMemoryException} and leaves the library usable.
 */
public final class GpuLibrary implements AutoCloseable {
  /** {@code off} keeps to library calls, should a kernel give trouble on some GPU. */
  private static final String KERNELS = "starling.gpu.kernels";

  private static final Logger LOG = LoggerFactory.getLogger(GpuLibrary.class);

  private final Map<Kernel, Long> functions = new EnumMap<>(Kernel.class);
  private final GpuPlatform platform;
  private final GpuCalls calls;
  private final int device;
  private String kernels = "not loaded";

  /** Opens a device. */
  public GpuLibrary(GpuPlatform platform, int device) {
    this.platform = platform;
    this.device = device;
    this.calls = platform.calls(device);
  }

  private void check(int status, String call, String names, Object... arguments) {
    if (status != GpuCalls.SUCCESS) {
      throw FailedCall.of(calls.name(call), calls.words(status), names, arguments);
    }
  }

  /** Checks a status of the BLAS. */
  public void checkBlas(int status, String call, String names, Object... arguments) {
    if (status != GpuCalls.SUCCESS) {
      throw FailedCall.of(calls.name("blas" + call), calls.blasWords(status), names, arguments);
    }
  }

  /** Makes the device current for the calling thread. Every operation calls this first. */
  public void makeCurrent() {
    check(calls.setDevice(device), "SetDevice", "device", device);
  }

  /** Description of the device, with the memory that is free now and where its kernels are from. */
  public DeviceInfo info() {
    DeviceInfo info = platform.describe(device);
    Map<String, String> details = new LinkedHashMap<>(info.details());
    details.put("kernels", kernels);
    return new DeviceInfo(device, info.name(), info.totalBytes(), info.freeBytes(), details);
  }

  /** Allocates device memory, aligned to 256 bytes at least. */
  public long allocate(long bytes) {
    long[] block = new long[1];
    checkAllocation(calls.allocate(block, bytes), "Malloc", bytes);
    return block[0];
  }

  /** Allocates memory that the driver moves between host and device as either uses it. */
  public long allocateManaged(long bytes) {
    long[] block = new long[1];
    checkAllocation(calls.allocateManaged(block, bytes), "MallocManaged", bytes);
    return block[0];
  }

  /** Frees device or managed memory. */
  public void free(long address) {
    check(calls.free(address), "Free", "address", address);
  }

  /** Allocates page-locked host memory. */
  public long allocateHost(long bytes) {
    long[] block = new long[1];
    checkAllocation(calls.allocateHost(block, bytes), "HostMalloc", bytes);
    return block[0];
  }

  /**
   * Allocates page-locked host memory that kernels can use under its address; {@link #freeHost}
   * frees it.
   */
  public long allocateMapped(long bytes) {
    long[] block = new long[1];
    checkAllocation(calls.allocateMapped(block, bytes), "HostMalloc", bytes);
    return block[0];
  }

  /** Clears the error of a failed allocation, which a later call would otherwise report again. */
  private void checkAllocation(int status, String call, long bytes) {
    if (status == GpuCalls.OUT_OF_MEMORY) {
      String words = calls.words(status);
      calls.clearError();
      throw FailedCall.outOfMemory(calls.name(call), words, bytes);
    }
    check(status, call, "bytes", bytes);
  }

  /** Frees page-locked host memory. */
  public void freeHost(long address) {
    check(calls.freeHost(address), "HostFree", "address", address);
  }

  /** Copies {@code bytes}. */
  public void copy(long target, long source, long bytes, CopyDirection direction, long stream) {
    check(
        calls.copy(target, source, bytes, direction, stream),
        "MemcpyAsync",
        "target source bytes direction stream",
        target,
        source,
        bytes,
        direction,
        stream);
  }

  /** Copies {@code rows} rows of {@code width} bytes; pitches are bytes from row to row. */
  public void copyRows(
      long target,
      long targetPitch,
      long source,
      long sourcePitch,
      long width,
      long rows,
      CopyDirection direction,
      long stream) {
    check(
        calls.copyRows(target, targetPitch, source, sourcePitch, width, rows, direction, stream),
        "Memcpy2DAsync",
        "target targetPitch source sourcePitch width rows direction stream",
        target,
        targetPitch,
        source,
        sourcePitch,
        width,
        rows,
        direction,
        stream);
  }

  /**
   * Lets copies from the memory of another device of the same library come directly where the
   * devices have a link; without one they go through the host.
   */
  public void reach(GpuLibrary other) {
    if (other.device != device && calls.enablePeer(other.device) != GpuCalls.SUCCESS) {
      // There is no link, or it is open already: copies work in both cases.
      calls.clearError();
    }
  }

  /** Sets {@code bytes} of device memory to zero. */
  public void clear(long target, long bytes, long stream) {
    check(
        calls.clear(target, bytes, stream),
        "MemsetAsync",
        "target bytes stream",
        target,
        bytes,
        stream);
  }

  /** Opens a stream that does not wait for the default stream. */
  public long createStream() {
    long[] stream = new long[1];
    check(calls.createStream(stream), "StreamCreateWithFlags", "device", device);
    return stream[0];
  }

  /** Closes a stream. */
  public void destroyStream(long stream) {
    check(calls.destroyStream(stream), "StreamDestroy", "stream", stream);
  }

  /** Blocks until the stream is empty. */
  public void synchronizeStream(long stream) {
    check(calls.synchronizeStream(stream), "StreamSynchronize", "stream", stream);
  }

  /** Creates an event. */
  public long createEvent(boolean timed) {
    long[] event = new long[1];
    check(calls.createEvent(event, timed), "EventCreateWithFlags", "device", device);
    return event[0];
  }

  /** Destroys an event. */
  public void destroyEvent(long event) {
    check(calls.destroyEvent(event), "EventDestroy", "event", event);
  }

  /** Puts the event at the end of the stream. */
  public void recordEvent(long event, long stream) {
    check(calls.recordEvent(event, stream), "EventRecord", "event stream", event, stream);
  }

  /** Seconds on the device from one reached timed event to a later one. */
  public double secondsBetween(long first, long second) {
    float[] milliseconds = new float[1];
    check(
        calls.elapsed(milliseconds, first, second),
        "EventElapsedTime",
        "first second",
        first,
        second);
    return 1e-3 * milliseconds[0];
  }

  /** Whether the event has been reached; never blocks. */
  public boolean isReached(long event) {
    int status = calls.queryEvent(event);
    if (status != GpuCalls.NOT_READY) {
      check(status, "EventQuery", "event", event);
    }
    return status == GpuCalls.SUCCESS;
  }

  /** Blocks until the event is reached. */
  public void synchronizeEvent(long event) {
    check(calls.synchronizeEvent(event), "EventSynchronize", "event", event);
  }

  /** Makes later work in the stream wait for the latest recording of the event. */
  public void waitForEvent(long stream, long event) {
    check(calls.waitForEvent(stream, event), "StreamWaitEvent", "stream event", stream, event);
  }

  /**
   * Creates a BLAS handle whose work goes into {@code stream} and whose scalars are on the host.
   */
  public long createBlas(long stream) {
    long[] handle = new long[1];
    checkBlas(calls.createBlas(handle), "Create", "device", device);
    try {
      checkBlas(calls.setBlasStream(handle[0], stream), "SetStream", "handle", handle[0]);
      checkBlas(calls.setScalarsOnHost(handle[0]), "SetPointerMode", "handle", handle[0]);
    } catch (BackendException e) {
      calls.destroyBlas(handle[0]);
      throw e;
    }
    return handle[0];
  }

  /** Destroys a BLAS handle. */
  public void destroyBlas(long blas) {
    checkBlas(calls.destroyBlas(blas), "Destroy", "handle", blas);
  }

  /** One product. */
  public void multiply(long blas, MatrixProduct product, Operands operands) {
    checkProduct(
        calls.multiply(blas, product, operands), product.precision(), "gemm", product, operands);
  }

  /** Products whose addresses are in arrays. */
  public void multiplyPointers(long blas, MatrixProduct product, Operands operands) {
    checkProduct(
        calls.multiplyPointers(blas, product, operands),
        product.precision(),
        "gemmBatched",
        product,
        operands);
  }

  /** Matrices applied to vectors whose addresses are in arrays. */
  public void applyPointers(long blas, VectorProduct product, Operands operands) {
    checkProduct(
        calls.applyPointers(blas, product, operands),
        product.precision(),
        "gemvBatched",
        product,
        operands);
  }

  private void checkProduct(
      int status, Precision precision, String call, Record product, Operands operands) {
    if (status != GpuCalls.SUCCESS) {
      checkBlas(
          status,
          (precision == Precision.SINGLE ? "C" : "Z") + call,
          "product A B C count",
          product,
          operands.a(),
          operands.b(),
          operands.c(),
          operands.count());
    }
  }

  /**
   * Transposes a column-major matrix of {@code columns} × {@code rows} into one of {@code rows} ×
   * {@code columns}.
   */
  public void transpose(long blas, int rows, int columns, long a, int lda, long c, int ldc) {
    checkBlas(
        calls.transpose(blas, rows, columns, a, lda, c, ldc),
        "Zgeam",
        "rows columns A lda C ldc",
        rows,
        columns,
        a,
        lda,
        c,
        ldc);
  }

  /**
   * Fills device memory with {@code count} doubles uniform in (0, 1], reproducibly from {@code
   * seed}.
   *
   * @return false, without changing the memory, when the library has no generator here
   */
  public boolean fillUniform(long target, long count, long seed, long stream) {
    return calls.fillUniform(target, count, seed, stream);
  }

  /**
   * Loads the kernels of our own. Without them traces are computed by library calls, whose last
   * bits depend on how many traces are launched together.
   *
   * @return false where they cannot be loaded
   */
  public boolean loadKernels() {
    if (System.getProperty(KERNELS, "").equals("off")) {
      return false;
    }
    int status = calls.loadKernels(functions);
    if (status != GpuCalls.SUCCESS) {
      LOG.warn(
          "kernels cannot be loaded, so traces take library calls: {}",
          calls.words(status) + calls.compilersWords());
      calls.clearError();
      return false;
    }
    kernels = calls.origin();
    return true;
  }

  /** Puts a kernel into a stream; {@link #loadKernels} has returned true. */
  public void launch(Kernel kernel, int blocks, long stream, long... arguments) {
    Long function = functions.get(kernel);
    if (function == null) {
      throw new IllegalStateException("not loaded: " + kernel);
    }
    int status = calls.launch(function, blocks, kernel.threads(), stream, arguments);
    if (status != GpuCalls.SUCCESS) {
      check(
          status,
          "ModuleLaunchKernel",
          "kernel blocks arguments stream",
          kernel,
          blocks,
          Arrays.toString(arguments),
          stream);
    }
  }

  /** Calls on matrices; empty where the library lacks one of them. */
  public Optional<MatrixCalls> matrixCalls() {
    return calls.matrixCalls();
  }

  /** Releases the library's own resources. */
  @Override
  public void close() {
    try {
      check(calls.unloadKernels(), "ModuleUnload", "device", device);
    } finally {
      calls.close();
    }
  }
}
