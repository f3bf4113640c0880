package org.starlingqcd.backend.gpu.library;

import java.util.Map;
import java.util.Optional;

/**
 * A vendor's functions. Every method is one call and returns its status; arrays of length 1 receive
 * results. {@link GpuLibrary} turns statuses into exceptions. CUDA and HIP agree on the codes named
 * here.
 */
public interface GpuCalls extends AutoCloseable {
  /** The call succeeded. */
  int SUCCESS = 0;

  /** The runtime has no block of the requested size. */
  int OUT_OF_MEMORY = 2;

  /** The runtime sees no device. */
  int NO_DEVICE = 100;

  /** An event is not reached yet. */
  int NOT_READY = 600;

  /**
   * The vendor's name of a function, from HIP's without its prefix, such as {@code Malloc} or
   * {@code blasZgemm}.
   */
  String name(String call);

  /** Code, name and description of a runtime error. */
  String words(int error);

  /** Code and name of a BLAS status. */
  String blasWords(int status);

  /** Clears the last error if it can be cleared. */
  int clearError();

  /** Makes a device current. */
  int setDevice(int device);

  /** Allocates device memory. */
  int allocate(long[] address, long bytes);

  /** Allocates memory that moves between host and device as either uses it. */
  int allocateManaged(long[] address, long bytes);

  /** Frees device or managed memory. */
  int free(long address);

  /** Allocates page-locked memory. */
  int allocateHost(long[] address, long bytes);

  /** Allocates page-locked memory that kernels can use under its address. */
  int allocateMapped(long[] address, long bytes);

  /** Frees page-locked memory. */
  int freeHost(long address);

  /** Asynchronous copy. */
  int copy(long target, long source, long bytes, CopyDirection direction, long stream);

  /** Asynchronous copy of rows. */
  int copyRows(
      long target,
      long targetPitch,
      long source,
      long sourcePitch,
      long width,
      long rows,
      CopyDirection direction,
      long stream);

  /** Lets the current device read the memory of another one; unsupported is no error. */
  default int enablePeer(int device) {
    return SUCCESS;
  }

  /** Asynchronous zeroing. */
  int clear(long target, long bytes, long stream);

  /** Opens a stream that does not wait for the default stream. */
  int createStream(long[] stream);

  /** Closes a stream. */
  int destroyStream(long stream);

  /** Waits for a stream. */
  int synchronizeStream(long stream);

  /** Makes a stream wait for an event. */
  int waitForEvent(long stream, long event);

  /** Creates an event, which keeps its time if {@code timed}. */
  int createEvent(long[] event, boolean timed);

  /** Destroys an event. */
  int destroyEvent(long event);

  /** Records an event. */
  int recordEvent(long event, long stream);

  /** Milliseconds between two reached events. */
  int elapsed(float[] milliseconds, long first, long second);

  /** Asks whether an event is reached. */
  int queryEvent(long event);

  /** Waits for an event. */
  int synchronizeEvent(long event);

  /** Creates a BLAS handle. */
  int createBlas(long[] handle);

  /** Destroys a BLAS handle. */
  int destroyBlas(long handle);

  /** Puts the handle's work into a stream. */
  int setBlasStream(long handle, long stream);

  /** Tells the handle that scalars are in host memory. */
  int setScalarsOnHost(long handle);

  /** {@code Zgemm} of the first operands. */
  int multiply(long handle, MatrixProduct product, Operands operands);

  /** {@code ZgemmBatched}. */
  int multiplyPointers(long handle, MatrixProduct product, Operands operands);

  /** {@code ZgemvBatched}. */
  int applyPointers(long handle, VectorProduct product, Operands operands);

  /**
   * Loads the kernels of our own on the current device.
   *
   * @param functions receives the function of each {@link Kernel}
   */
  int loadKernels(Map<Kernel, Long> functions);

  /** Where the loaded kernels are from. */
  default String origin() {
    return "";
  }

  /** What the compiler said when the kernels could not be loaded; empty if nothing. */
  default String compilersWords() {
    return "";
  }

  /** Unloads what {@link #loadKernels} loaded, if anything. */
  int unloadKernels();

  /** Launches a function with 64-bit arguments. */
  int launch(long function, int blocks, int threads, long stream, long[] arguments);

  /** {@code Zgeam} as a transposition; nothing is added. */
  int transpose(long handle, int rows, int columns, long a, int lda, long c, int ldc);

  /** Fills device memory with doubles uniform in (0, 1]; false where there is no generator. */
  default boolean fillUniform(long target, long count, long seed, long stream) {
    return false;
  }

  /** Calls on matrices; empty where the library lacks one of them. */
  Optional<MatrixCalls> matrixCalls();

  /** Releases what belongs to these calls; the kernels are unloaded. */
  @Override
  default void close() {}
}
