package org.starlingqcd.backend.gpu.memory;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.gpu.library.GpuLibrary;

/**
 * A block of device memory for what lives within one call. It is handed out from the start again
 * after {@link #reset}; that is safe without waiting, because all of it is used in stream order,
 * and a change of the stream waits on the device.
 */
public final class Workspace {
  private static final long ALIGNMENT = 256;

  private final GpuLibrary library;
  private long address;
  private long bytes;
  private long used;
  private @Nullable GpuStream stream;

  public Workspace(GpuLibrary library, long bytes) {
    this.library = library;
    this.address = library.allocate(bytes);
    this.bytes = bytes;
  }

  public long bytes() {
    return bytes;
  }

  /** Starts a call in {@code next}. */
  public void enter(GpuStream next) {
    if (stream != null && stream != next) {
      next.waitFor(stream.record());
    }
    stream = next;
    reset();
  }

  /** Address of a free part, or 0 when it does not fit. */
  public long reserve(long size) {
    long aligned = aligned(size);
    if (aligned > bytes - used) {
      return 0;
    }
    long result = address + used;
    used += aligned;
    return result;
  }

  public void reset() {
    used = 0;
  }

  /** Makes it at least so large; waits for the stream, once for a size. */
  public void grow(long size) {
    if (size > bytes) {
      if (stream != null) {
        stream.synchronize();
      }
      library.free(address);
      address = 0;
      bytes = 0;
      address = library.allocate(size);
      bytes = size;
    }
    reset();
  }

  public static long aligned(long size) {
    return (size + ALIGNMENT - 1) & -ALIGNMENT;
  }

  public void close(Closing closing) {
    if (address != 0) {
      closing.run(() -> library.free(address));
    }
  }
}
