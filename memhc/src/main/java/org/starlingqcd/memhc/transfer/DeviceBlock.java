package org.starlingqcd.memhc.transfer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.TensorShape;

/**
 * A block of device memory with the events that order its users across streams: a writer waits for
 * earlier kernels, uploads and downloads.
 */
public final class DeviceBlock {
  /** The element as kernels see it: the head of the spins. */
  public final DeviceMemory memory;

  /** One allocation for each spin, or the head alone when the spins are packed. */
  public final List<DeviceMemory> allocations;

  /** Elements of one size class can use each other's blocks. */
  public final int sizeClass;

  final TensorShape shape;

  public final long bytes;

  /** Key of the input whose data a block of {@code free_pool} still holds; 0: none. */
  public long content;

  /** Last kernel that uses the block, in the compute stream. */
  public @Nullable DeviceEvent used;

  /** Data that are uploaded into the block once they have been read. */
  InputLoads.@Nullable Load loading;

  /** Last upload into the block. */
  public @Nullable DeviceEvent filled;

  /** Whether the compute stream has been told to wait for {@code filled}. */
  boolean filledAwaited;

  /** Last download from the block. */
  public @Nullable DeviceEvent drained;

  /** Whether the memory is that of somebody else, who has filled it; nothing is written to it. */
  public final boolean borrowed;

  /** Whether the data of an input are here or on their way in the upload stream. */
  public boolean isLoaded() {
    return loading == null && filled != null;
  }

  public DeviceBlock(
      DeviceMemory memory,
      List<DeviceMemory> allocations,
      int sizeClass,
      TensorShape shape,
      boolean borrowed) {
    this.borrowed = borrowed;
    this.memory = memory;
    this.allocations = allocations;
    this.sizeClass = sizeClass;
    this.shape = shape;
    bytes = shape.bytes();
  }
}
