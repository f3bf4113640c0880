package org.starlingqcd.backend.gpu.memory;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.gpu.library.GpuLibrary;

/**
 * A block of device memory for data that lives within one call. After {@link #reset} it is handed
 * out from the start again. That is safe without waiting, because all of it is used in stream
 * order, and after a change of stream the device waits for the previous stream.
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

  /** Address of its first byte; it changes when the workspace grows. */
  public long address() {
    return address;
  }

  /** Starts a call in {@code next}. */
  public void enter(GpuStream next) {
    if (stream != null && stream != next) {
      next.waitFor(stream.end().record());
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

  /** Enlarges it to at least this size. Waits for the stream if it has to grow. */
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
