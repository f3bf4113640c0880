package org.starlingqcd.backend.gpu.memory;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceMemory;

/**
 * A block of device memory, or several combined into one element. It knows the layout of its latest
 * contents in the order of submission, which streams preserve.
 */
public final class GpuMemory implements DeviceMemory {
  public final ElementAccess owner;
  private final long address;
  private final long bytes;
  private final List<GpuMemory> parts;
  private final boolean slow;
  private @Nullable ElementLayout layout;
  private boolean freed;

  /** By stream: the last operation that used the place before this block. */
  private long @Nullable [] earlier;

  /** By stream: the last operation that uses this block. */
  private long[] uses = {};

  public GpuMemory(ElementAccess owner, long address, long bytes) {
    this(owner, address, bytes, false);
  }

  private GpuMemory(ElementAccess owner, long address, long bytes, boolean slow) {
    this.owner = owner;
    this.address = address;
    this.bytes = bytes;
    this.slow = slow;
    this.parts = List.of();
  }

  /** A block of page-locked host memory. */
  public static GpuMemory slow(ElementAccess owner, long address, long bytes) {
    return new GpuMemory(owner, address, bytes, true);
  }

  public GpuMemory(ElementAccess owner, List<GpuMemory> parts) {
    this.owner = owner;
    this.address = 0;
    long sum = 0;
    for (GpuMemory part : parts) {
      sum += part.bytes;
    }
    this.bytes = sum;
    this.parts = List.copyOf(parts);
    this.slow = false;
    this.layout = ElementLayout.separate(parts.size());
  }

  /**
   * Notes that the present operation of a stream uses the block. The stream waits, on the device,
   * for those that used the place before it was given out as this block.
   */
  public void use(GpuStream stream) {
    for (GpuMemory part : parts) {
      part.use(stream);
    }
    long[] others = earlier;
    if (others != null) {
      stream.waitForOperations(others);
    }
    uses = StreamOrder.with(uses, stream.index(), stream.operation());
  }

  /** Notes who used the place before. */
  void follows(long @Nullable [] operations) {
    earlier = operations;
  }

  /** By stream: the last operation that uses the place. */
  long[] usesOfPlace() {
    long[] others = earlier;
    return others == null ? uses : StreamOrder.later(others.clone(), uses);
  }

  @Override
  public long bytes() {
    return bytes;
  }

  /** Whether it is made of separately allocated blocks. */
  public boolean isComposed() {
    return !parts.isEmpty();
  }

  /** The blocks it is made of; empty for a plain block. */
  public List<GpuMemory> parts() {
    return parts;
  }

  /** Address of the first byte of a plain block. */
  public long address() {
    checkAlive();
    return address;
  }

  /** Address of component {@code spin}, whose matrix is height × width. */
  public long address(int spin, ElementLayout as, int height, int width) {
    if (!isComposed()) {
      return address() + as.offset(spin, height, width) * owner.precision().complexBytes();
    }
    return parts.get(spin).address();
  }

  /** Whether it is page-locked host memory. */
  public boolean isSlow() {
    return slow;
  }

  /** Takes over the layout of a block whose contents are copied here as they are. */
  public void copied(GpuMemory from) {
    layout = from.layout;
  }

  /** Layout of the contents, or {@code otherwise} if nothing was written yet. */
  public ElementLayout layoutOr(ElementLayout otherwise) {
    return layout == null ? otherwise : layout;
  }

  /** Sets the layout of the contents being written; a composed element keeps its own. */
  public void written(ElementLayout as) {
    if (!isComposed()) {
      layout = as;
    }
    for (GpuMemory part : parts) {
      part.layout = ElementLayout.packed(1);
    }
  }

  public void markFreed() {
    checkAlive();
    freed = true;
  }

  public void checkAlive() {
    if (freed) {
      throw new IllegalStateException(
          "device memory of " + bytes + " bytes at 0x" + Long.toHexString(address) + " is freed");
    }
    for (GpuMemory part : parts) {
      part.checkAlive();
    }
  }
}
