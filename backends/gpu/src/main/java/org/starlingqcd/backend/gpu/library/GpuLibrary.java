package org.starlingqcd.backend.gpu.library;

import java.util.Optional;
import org.starlingqcd.backend.DeviceInfo;

/**
 * The interface between a GPU device and a vendor's libraries: one opened device with its runtime,
 * BLAS and random numbers. Addresses, streams, events and BLAS handles are plain {@code long}s, as
 * the libraries return them.
 *
 * <p>Every method turns a status other than success into a {@link
 * org.starlingqcd.backend.BackendException} with the call's name, its arguments and the library's
 * description; {@link #allocate}, {@link #allocateHost} and {@link #allocateMapped} turn "out of
 * memory" into an {@link org.starlingqcd.backend.OutOfDeviceMemoryException} and leave the library
 * usable. Methods that take a stream or a BLAS handle return before the work is done.
 */
public interface GpuLibrary extends AutoCloseable {
  /** Makes the device current for the calling thread. Every operation calls this first. */
  void makeCurrent();

  /** Description of the device, with the memory that is free now. */
  DeviceInfo info();

  /** Allocates device memory, aligned to 256 bytes at least. */
  long allocate(long bytes);

  /** Frees device memory. */
  void free(long address);

  /** Allocates page-locked host memory. */
  long allocateHost(long bytes);

  /**
   * Allocates page-locked host memory that kernels can use under its address; {@link #freeHost}
   * frees it.
   */
  long allocateMapped(long bytes);

  /** Frees page-locked host memory. */
  void freeHost(long address);

  /** Copies {@code bytes}. */
  void copy(long target, long source, long bytes, CopyDirection direction, long stream);

  /** Copies {@code rows} rows of {@code width} bytes; pitches are bytes from row to row. */
  void copyRows(
      long target,
      long targetPitch,
      long source,
      long sourcePitch,
      long width,
      long rows,
      CopyDirection direction,
      long stream);

  /**
   * Lets copies from the memory of another device of the same library come directly where the
   * devices have a link; without one they go through the host.
   */
  default void reach(GpuLibrary other) {}

  /** Sets {@code bytes} of device memory to zero. */
  void clear(long target, long bytes, long stream);

  /** Opens a stream that does not wait for the default stream. */
  long createStream();

  /** Closes a stream. */
  void destroyStream(long stream);

  /** Blocks until the stream is empty. */
  void synchronizeStream(long stream);

  /** Creates an event. */
  long createEvent();

  /** Destroys an event. */
  void destroyEvent(long event);

  /** Puts the event at the end of the stream. */
  void recordEvent(long event, long stream);

  /** Seconds on the device from one reached event to a later one. */
  double secondsBetween(long first, long second);

  /** Whether the event has been reached; never blocks. */
  boolean isReached(long event);

  /** Blocks until the event is reached. */
  void synchronizeEvent(long event);

  /** Makes later work in the stream wait for the latest recording of the event. */
  void waitForEvent(long stream, long event);

  /**
   * Creates a BLAS handle whose work goes into {@code stream} and whose scalars are on the host.
   */
  long createBlas(long stream);

  /** Destroys a BLAS handle. */
  void destroyBlas(long blas);

  /** One product. */
  void multiply(long blas, MatrixProduct product, Operands operands);

  /** Products at constant strides. */
  void multiplyStrided(long blas, MatrixProduct product, Operands operands);

  /** Products whose addresses are in arrays. */
  void multiplyPointers(long blas, MatrixProduct product, Operands operands);

  /** Matrices applied to vectors at constant strides. */
  void applyStrided(long blas, VectorProduct product, Operands operands);

  /** Matrices applied to vectors whose addresses are in arrays. */
  void applyPointers(long blas, VectorProduct product, Operands operands);

  /**
   * Transposes a column-major matrix of {@code columns} × {@code rows} into one of {@code rows} ×
   * {@code columns}.
   */
  void transpose(long blas, int rows, int columns, long a, int lda, long c, int ldc);

  /**
   * Fills device memory with {@code count} doubles uniform in (0, 1], reproducibly from {@code
   * seed}.
   *
   * @return false, without changing the memory, when the library has no generator here
   */
  boolean fillUniform(long target, long count, long seed, long stream);

  /**
   * Loads the kernels of our own. Without them traces are computed by library calls, whose last
   * bits depend on how many traces are launched together.
   *
   * @return false where they cannot be loaded
   */
  default boolean loadKernels() {
    return false;
  }

  /** Puts a kernel into a stream; {@link #loadKernels} has returned true. */
  default void launch(Kernel kernel, int blocks, long stream, long... arguments) {
    throw new IllegalStateException("there are no kernels here: " + kernel);
  }

  /** Calls on matrices; empty where the library has none. */
  default Optional<MatrixCalls> matrixCalls() {
    return Optional.empty();
  }

  /** Releases the library's own resources. */
  @Override
  void close();
}
