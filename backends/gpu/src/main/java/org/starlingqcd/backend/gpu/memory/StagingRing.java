package org.starlingqcd.backend.gpu.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bytedeco.javacpp.LongPointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.gpu.library.GpuLibrary;

/**
 * Page-locked host memory through which pointer arrays reach the device. Each call takes the next
 * part of a buffer. The streams that copied out of a buffer are marked once, when it is full, and
 * it is used again when they have passed their marks. Until then further buffers are allocated up
 * to a bound, or until no more memory can be page-locked; then the host waits for the oldest. A
 * buffer lasts for some hundred calls.
 */
public final class StagingRing {
  private static final int MOST_BUFFERS = 8;
  private static final long ALIGNMENT = 256;

  private final GpuLibrary library;
  private final long bytes;
  private final ArrayDeque<Buffer> full = new ArrayDeque<>();
  private @Nullable Buffer current;

  /** One buffer, and the streams that copy out of it. */
  private static final class Buffer {
    private final long address;
    private final Set<GpuStream> streams = new LinkedHashSet<>();
    private final List<GpuEvent> copied = new ArrayList<>();
    private long used;

    private Buffer(long address) {
      this.address = address;
    }

    /** Marks the streams that copy out of it. */
    private void fill() {
      streams.forEach(stream -> copied.add(stream.record()));
      streams.clear();
    }

    private boolean isFree() {
      return copied.stream().allMatch(mark -> mark.stream().isReached(mark));
    }

    private void await() {
      copied.forEach(mark -> mark.stream().synchronize(mark));
      copied.clear();
      used = 0;
    }
  }

  /** Part of a buffer. */
  public static final class Part {
    private final long address;
    private final LongPointer longs;

    private Part(long address, long bytes) {
      this.address = address;
      this.longs = new AddressedLongs(address, bytes / Long.BYTES);
    }

    public long address() {
      return address;
    }

    public void put(long index, long[] source, int count) {
      longs.getPointer(index).put(source, 0, count);
    }
  }

  /** Longs at an address that JavaCPP neither owns nor frees. */
  private static final class AddressedLongs extends LongPointer {
    AddressedLongs(long address, long count) {
      this.address = address;
      this.limit = count;
      this.capacity = count;
    }
  }

  /** A ring whose buffers have {@code bytes} bytes, the most that a call may take. */
  public StagingRing(GpuLibrary library, long bytes) {
    this.library = library;
    this.bytes = bytes;
  }

  /** Memory that may be written now, for a copy that goes into the stream next. */
  public Part next(long size, GpuStream stream) {
    Buffer buffer = current;
    if (buffer == null || size > bytes - buffer.used) {
      if (buffer != null) {
        buffer.fill();
        full.add(buffer);
      }
      buffer = another();
      current = buffer;
    }
    Part part = new Part(buffer.address + buffer.used, size);
    buffer.used += (size + ALIGNMENT - 1) & -ALIGNMENT;
    buffer.streams.add(stream);
    return part;
  }

  private Buffer another() {
    Buffer oldest = full.peek();
    if (oldest == null || (full.size() < MOST_BUFFERS && !oldest.isFree())) {
      try {
        return new Buffer(library.allocateHost(bytes));
      } catch (OutOfDeviceMemoryException full) {
        if (oldest == null) {
          throw full;
        }
      }
    }
    full.remove();
    oldest.await();
    return oldest;
  }

  /** Frees the buffers, out of which nothing is copied any more. */
  public void close(Closing closing) {
    Buffer last = current;
    if (last != null) {
      full.add(last);
    }
    for (Buffer buffer : full) {
      closing.run(() -> library.freeHost(buffer.address));
    }
  }
}
