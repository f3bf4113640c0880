package org.starlingqcd.backend.gpu;

import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.memory.GpuEvent;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;

/**
 * The slow memory of a GPU: page-locked memory of the host, which kernels read and write through
 * the bus.
 */
final class SlowMemory {
  private static final Logger LOG = LoggerFactory.getLogger(SlowMemory.class);

  /** As of device memory: the bits of a product may depend on the alignment of its operands. */
  private static final long ALIGNMENT = 256;

  /** Bytes of the copies that are timed. */
  private static final long PROBE_BYTES = 16L << 20;

  /** Slow memory that is at least this fast, in parts of device memory, is fast enough. */
  private static final double FAST_ENOUGH = 0.5;

  private final GpuLibrary library;

  /** What the library has allocated, by the aligned address. */
  private final Map<Long, Long> allocations = new HashMap<>();

  private boolean refusalTold;

  SlowMemory(GpuLibrary library) {
    this.library = library;
  }

  /**
   * Allocates a block; the device is current.
   *
   * @throws OutOfDeviceMemoryException when nothing more can be page-locked; the first time, a
   *     warning says so
   */
  GpuMemory allocate(GpuDevice device, long bytes) {
    long address;
    try {
      address = allocate(bytes);
    } catch (OutOfDeviceMemoryException refused) {
      if (!refusalTold) {
        refusalTold = true;
        LOG.warn(
            "no more host memory can be page-locked ({}), so slow memory is as large as it is now",
            refused.getMessage());
      }
      throw refused;
    }
    return GpuMemory.slow(device, address, bytes);
  }

  private long allocate(long bytes) {
    long raw = library.allocateMapped(bytes + ALIGNMENT);
    long address = (raw + ALIGNMENT - 1) & -ALIGNMENT;
    allocations.put(address, raw);
    return address;
  }

  /** Frees a block that nothing uses. */
  void free(long address) {
    Long raw = allocations.remove(address);
    if (raw != null) {
      library.freeHost(raw);
    }
  }

  /** Whether a copy from it is about as fast as one within the device; false if that is unknown. */
  boolean isFast(GpuStream stream) {
    long slow = 0;
    long[] fast = new long[2];
    try {
      slow = allocate(PROBE_BYTES);
      for (int k = 0; k < fast.length; k++) {
        fast[k] = library.allocate(PROBE_BYTES);
      }
      // The first copies of a process take longer.
      seconds(fast[0], slow, CopyDirection.UP, stream);
      double within = seconds(fast[1], fast[0], CopyDirection.WITHIN, stream);
      double from = seconds(fast[0], slow, CopyDirection.UP, stream);
      return from > 0 && within >= FAST_ENOUGH * from;
    } catch (OutOfDeviceMemoryException full) {
      LOG.debug("slow memory is not measured: {}", full.getMessage());
      return false;
    } finally {
      free(slow);
      for (long block : fast) {
        if (block != 0) {
          library.free(block);
        }
      }
    }
  }

  private double seconds(long target, long source, CopyDirection direction, GpuStream stream) {
    GpuEvent before = stream.recordTime();
    library.copy(target, source, PROBE_BYTES, direction, stream.put());
    GpuEvent after = stream.recordTime();
    stream.synchronize();
    if (before.seconds().isEmpty() || after.seconds().isEmpty()) {
      throw new BackendException("the device does not tell the time of a copy");
    }
    return after.seconds().getAsDouble() - before.seconds().getAsDouble();
  }
}
