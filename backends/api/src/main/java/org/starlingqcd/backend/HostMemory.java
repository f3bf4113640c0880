package org.starlingqcd.backend;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.natives.NativeLibraries;

/**
 * A block of host memory off the Java heap, 64-byte aligned, for node data and staging buffers.
 * {@link #close} must not run while another thread uses the block.
 */
public final class HostMemory implements AutoCloseable {
  private static final int ALIGNMENT = 64;

  /** Numbers that are rounded at a time. */
  private static final int ROUNDED = 1 << 12;

  private static final AtomicLong LIVE = new AtomicLong();
  private static final AtomicLong PEAK = new AtomicLong();

  static {
    NativeLibraries.prepare();
  }

  private final long address;
  private final long bytes;
  private final LongConsumer release;
  private final long counted;
  private @Nullable DoublePointer doubles;

  /**
   * Wraps a block that was allocated elsewhere, for example page-locked memory.
   *
   * @param release called once with {@code address} on close
   */
  public HostMemory(long address, long bytes, LongConsumer release) {
    this(address, bytes, release, bytes);
  }

  /** A block with a size and without data, for devices that compute nothing. It cannot be read. */
  public static HostMemory withoutData(long bytes) {
    return new HostMemory(0, bytes, address -> {}, 0);
  }

  /** Bytes {@code from … from + count - 1} of this block, which stays open as long as they do. */
  public HostMemory part(long from, long count) {
    checkBytes(from, count);
    return new HostMemory(address() + from, count, ignored -> {}, 0);
  }

  private HostMemory(long address, long bytes, LongConsumer release, long counted) {
    this.address = address;
    this.bytes = bytes;
    this.release = release;
    this.counted = counted;
    PEAK.accumulateAndGet(LIVE.addAndGet(counted), Math::max);
    this.doubles = new DoublePointer(new View(address, bytes / Double.BYTES));
  }

  /**
   * Allocates pageable memory; the contents are undefined.
   *
   * @throws OutOfMemoryError when the operating system refuses, naming the size
   */
  public static HostMemory allocate(long bytes) {
    return allocate(bytes, bytes);
  }

  /**
   * As {@link #allocate}, for the memory of a device that computes in RAM, which {@link #peakBytes}
   * does not count.
   */
  public static HostMemory allocateForDevice(long bytes) {
    return allocate(bytes, 0);
  }

  /** As the constructor, for the memory of a device that computes in RAM. */
  public static HostMemory mappedForDevice(long address, long bytes, LongConsumer release) {
    return new HostMemory(address, bytes, release, 0);
  }

  private static HostMemory allocate(long bytes, long counted) {
    if (bytes < 0) {
      throw new IllegalArgumentException("must be >= 0: bytes=" + bytes);
    }
    Pointer block = Pointer.malloc(bytes + ALIGNMENT);
    if (block == null || block.isNull()) {
      throw new OutOfMemoryError("cannot allocate " + bytes + " bytes of host memory");
    }
    long raw = block.address();
    long aligned = (raw + ALIGNMENT - 1) & -ALIGNMENT;
    return new HostMemory(aligned, bytes, ignored -> Pointer.free(new View(raw, 1)), counted);
  }

  /** Peak number of bytes in blocks of this process, without those allocated for a device. */
  public static long peakBytes() {
    return PEAK.get();
  }

  /** Address of the first byte. */
  public long address() {
    pointer();
    return address;
  }

  /** Size in bytes. */
  public long bytes() {
    return bytes;
  }

  /**
   * Reads {@code count} doubles from double index {@code index} into {@code target} at {@code
   * offset}.
   */
  public void get(long index, double[] target, int offset, int count) {
    check(index, count);
    pointer().getPointer(index).get(target, offset, count);
  }

  /**
   * Writes {@code count} doubles of {@code source} from {@code offset} to double index {@code
   * index}.
   */
  public void put(long index, double[] source, int offset, int count) {
    check(index, count);
    pointer().getPointer(index).put(source, offset, count);
  }

  /** The {@code count} bytes from byte {@code from} on; valid until this memory is closed. */
  public ByteBuffer bytes(long from, int count) {
    checkBytes(from, count);
    return new BytePointer(new View(address() + from, count)).asByteBuffer();
  }

  /**
   * Copies {@code count} bytes from byte {@code from} of this block to byte {@code to} of another.
   */
  public void copyTo(long from, HostMemory target, long to, long count) {
    if (from < 0 || to < 0 || count < 0 || from + count > bytes || to + count > target.bytes) {
      throw new IndexOutOfBoundsException(
          "copy of %s bytes from %s of %s to %s of %s"
              .formatted(count, from, bytes, to, target.bytes));
    }
    Pointer.memcpy(new View(target.address() + to, 1), new View(address() + from, 1), count);
  }

  /**
   * Writes the first {@code count} doubles, rounded to single precision, to byte {@code offset} of
   * another block.
   *
   * @return whether all of them are finite in single precision
   */
  public boolean roundTo(HostMemory target, long offset, long count) {
    if (offset % Float.BYTES != 0 || offset < 0 || offset + count * Float.BYTES > target.bytes) {
      throw new IndexOutOfBoundsException(
          count + " floats from byte " + offset + " of " + target.bytes);
    }
    double[] from = new double[ROUNDED];
    float[] to = new float[ROUNDED];
    FloatPointer floats = new FloatPointer(new View(target.address(), target.bytes / Float.BYTES));
    boolean finite = true;
    for (long done = 0; done < count; done += ROUNDED) {
      int some = (int) Math.min(ROUNDED, count - done);
      get(done, from, 0, some);
      for (int k = 0; k < some; k++) {
        to[k] = (float) from[k];
      }
      for (int k = 0; k < some; k++) {
        finite &= Math.abs(to[k]) <= Float.MAX_VALUE;
      }
      floats.position(offset / Float.BYTES + done).put(to, 0, some);
    }
    return finite;
  }

  /** Checks that {@code count} bytes from byte {@code offset} on are in the block. */
  public void checkRange(long offset, long count) {
    if (offset < 0 || count < 0 || count > bytes - offset) {
      throw new IllegalArgumentException(
          "leaves host memory: offset=%s needed=%s bytes=%s".formatted(offset, count, bytes));
    }
  }

  /** Sets every byte to zero. */
  public void clear() {
    Pointer.memset(new View(address(), 1), 0, bytes);
  }

  /** A pointer to the block for native calls; valid until this memory is closed. */
  public DoublePointer pointer() {
    DoublePointer p = doubles;
    if (p == null) {
      throw new IllegalStateException("host memory of " + bytes + " bytes is closed");
    }
    return p;
  }

  @Override
  public void close() {
    if (doubles != null) {
      doubles = null;
      LIVE.addAndGet(-counted);
      release.accept(address);
    }
  }

  private void checkBytes(long from, long count) {
    if (from < 0 || count < 0 || from + count > bytes) {
      throw new IndexOutOfBoundsException(count + " bytes from " + from + " of " + bytes);
    }
  }

  private void check(long index, int count) {
    if (index < 0 || count < 0 || (index + count) * Double.BYTES > bytes) {
      throw new IndexOutOfBoundsException(
          "doubles " + index + " to " + (index + count) + " of " + bytes / Double.BYTES);
    }
  }

  /** A pointer to memory that JavaCPP neither owns nor frees. */
  private static final class View extends Pointer {
    View(long address, long size) {
      this.address = address;
      this.limit = size;
      this.capacity = size;
    }
  }
}
