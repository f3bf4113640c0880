package org.starlingqcd.backend;

import java.util.List;
import java.util.OptionalDouble;

/**
 * A device that holds elements and contracts them. Memory calls are synchronous; {@code upload},
 * {@code download}, kernels and random numbers are put into a stream and return at once, and their
 * failures surface at the next synchronization of that stream. Buffers given to an asynchronous
 * call stay alive and untouched until the stream has passed it; that is the caller's duty (MemHC
 * pins them).
 *
 * <p>A device is used from one thread at a time.
 */
public interface Device extends AutoCloseable {
  /** The device as it is now. */
  DeviceInfo info();

  /**
   * Allocates a block; its contents are undefined.
   *
   * @throws OutOfDeviceMemoryException when the device has no such block
   */
  DeviceMemory allocate(long bytes);

  /**
   * Frees a block of {@link #allocate}, after all work that uses it has run. Blocks freed twice are
   * a defect.
   */
  void free(DeviceMemory memory);

  /**
   * Sees separately allocated blocks, one for each spin, as one element; nothing is copied. The
   * parts stay owned by the caller and are freed one by one. Exists for MemHC's breakdown without
   * packing.
   */
  DeviceMemory compose(List<DeviceMemory> spins);

  /** Host memory that copies fastest: page-locked where the device has it. */
  HostMemory allocateHost(long bytes);

  /** The stream in which kernels run by default. */
  DeviceStream computeStream();

  /** Opens a further stream; it lives until the device is closed. */
  DeviceStream openStream();

  /** Marks the present end of a stream. */
  DeviceEvent record(DeviceStream stream);

  /** Lets everything put into {@code stream} from now on wait for {@code event}. */
  void waitFor(DeviceStream stream, DeviceEvent event);

  /** Whether the event has been reached; never blocks. */
  boolean isReached(DeviceEvent event);

  /**
   * Seconds that passed on the device from one event to a later one, both reached; empty where the
   * device keeps no time.
   */
  default OptionalDouble secondsBetween(DeviceEvent first, DeviceEvent second) {
    return OptionalDouble.empty();
  }

  /** Blocks until the event is reached; throws what failed before it. */
  void synchronize(DeviceEvent event);

  /** Blocks until the stream is empty; throws what failed in it. */
  void synchronize(DeviceStream stream);

  /**
   * Copies an element from host layout ({@link TensorShape}) at byte {@code offset} of {@code
   * source} to the device, changing to the device's layout on the way.
   */
  void upload(
      HostMemory source, long offset, DeviceMemory target, TensorShape shape, DeviceStream stream);

  /** The reverse of {@link #upload}; the host numbers are those that were uploaded, bit for bit. */
  void download(
      DeviceMemory source, HostMemory target, long offset, TensorShape shape, DeviceStream stream);

  /** Runs one vector pair. The batch may be reused as soon as the call returns. */
  void contract(ContractionBatch batch, DeviceStream stream);

  /**
   * Computes traces into {@code results} (complex, interleaved), which holds them when the stream
   * has passed the call. With equal inputs in equal order the results are equal bit for bit.
   */
  void trace(List<TraceBlock> blocks, HostMemory results, DeviceStream stream);

  /**
   * Runs a stage of a contraction of pairs of lines. What earlier stages left in the scratch memory
   * has to be there still, also if that was downloaded and uploaded again in between.
   */
  void contractPairs(PairContraction contraction, PairContraction.Stage stage, DeviceStream stream);

  /**
   * Adds components of pair blocks ({@link PairContraction}) into a meson node, which is
   * overwritten. Counts {@code 8·N²} flops for each entry.
   */
  void sumSpins(
      DeviceMemory block,
      DeviceMemory node,
      SpinSumMapping mapping,
      int extent,
      DeviceStream stream);

  /**
   * Fills an element with complex numbers, both parts uniform in [-1, 1), reproducibly from {@code
   * seed}.
   */
  void fillRandom(DeviceMemory target, TensorShape shape, long seed, DeviceStream stream);

  /**
   * Frees what the device itself holds; blocks that the caller did not free are reported as a
   * defect.
   */
  @Override
  void close();
}
