package org.starlingqcd.backend.gpu.memory;

import java.util.ArrayDeque;
import org.bytedeco.javacpp.LongPointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.gpu.library.GpuLibrary;

/**
 * Page-locked host buffers through which pointer arrays reach the device. A buffer is reused only
 * when the copy out of it has run. While copies are pending, further buffers are allocated up to a
 * bound, at which the host waits for the oldest copy.
 */
public final class StagingRing {
  private static final int MOST_BUFFERS = 8;

  private final GpuLibrary library;
  private final long bytes;
  private final ArrayDeque<Buffer> buffers = new ArrayDeque<>();

  /** One buffer. */
  public static final class Buffer {
    private final long address;
    private final LongPointer longs;
    private @Nullable GpuEvent copied;

    private Buffer(long address, long bytes) {
      this.address = address;
      this.longs = new AddressedLongs(address, bytes / Long.BYTES);
    }

    public long address() {
      return address;
    }

    public void put(long index, long[] source, int count) {
      longs.getPointer(index).put(source, 0, count);
    }

    /** Notes the copy that must finish before the buffer is reused. */
    public void copiedBy(GpuStream stream) {
      copied = stream.record();
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

  public StagingRing(GpuLibrary library, long bytes) {
    this.library = library;
    this.bytes = bytes;
  }

  /** A buffer that may be written. */
  public Buffer next() {
    Buffer oldest = buffers.peek();
    if (oldest == null || (!isFree(oldest) && buffers.size() < MOST_BUFFERS)) {
      Buffer added = new Buffer(library.allocateHost(bytes), bytes);
      buffers.add(added);
      return added;
    }
    GpuEvent copied = oldest.copied;
    if (copied != null) {
      copied.stream().synchronize(copied);
      oldest.copied = null;
    }
    buffers.add(buffers.remove());
    return oldest;
  }

  private static boolean isFree(Buffer buffer) {
    GpuEvent copied = buffer.copied;
    return copied == null || copied.stream().isReached(copied);
  }

  public void close(Closing closing) {
    for (Buffer buffer : buffers) {
      closing.run(() -> library.freeHost(buffer.address));
    }
  }
}
