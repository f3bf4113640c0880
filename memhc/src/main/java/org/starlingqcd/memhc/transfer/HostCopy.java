package org.starlingqcd.memhc.transfer;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/**
 * The value of an element beneath the device: in host memory, in the spill file, or at its home in
 * memory of the host's own, which outlives every device copy.
 */
final class HostCopy {
  static final long NOT_SPILLED = -1;

  final long bytes;

  /** Shape of the element; null for memory without one. */
  final @Nullable TensorShape shape;

  /** Most bytes that one copy to or from a home moves; 0: this is no home. */
  final long piece;

  /** The form of the copy, as of {@code Device.save}; null is host layout. */
  @Nullable Object form;

  /** The copy in host memory; null when it is in the spill file. */
  @Nullable HostMemory memory;

  /** Where it begins in the memory. */
  long offset;

  /** Where it lies in the spill file, in bytes, or {@link #NOT_SPILLED}. */
  long spillPlace = NOT_SPILLED;

  /** The writing to the spill file, once it has begun. */
  @Nullable Future<?> writing;

  /** Last copy into {@code memory} from the device. */
  @Nullable DeviceEvent written;

  /** Last copy from {@code memory} to the device. */
  @Nullable DeviceEvent read;

  /**
   * Whether the value is here; otherwise the device has a newer one, or none is needed any more.
   */
  boolean current = true;

  /** How often the device's value was copied to a home. */
  long arrivals;

  private HostCopy(long bytes, @Nullable TensorShape shape, long piece) {
    this.bytes = bytes;
    this.shape = shape;
    this.piece = piece;
  }

  HostCopy(TensorShape shape) {
    this(shape.bytes(), shape, 0);
  }

  /** Memory for the copy of any element of this size. */
  HostCopy(long bytes) {
    this(bytes, null, 0);
  }

  /** A home that has the value. */
  HostCopy(HostMemory memory, long offset, long bytes, long piece) {
    this(bytes, null, piece);
    this.memory = memory;
    this.offset = offset;
  }

  boolean isHome() {
    return piece > 0;
  }

  /** Lets the file thread write {@code source} to its part of the spill file. */
  void write(FileThread files, SpillFile file, HostMemory source) {
    long place = spillPlace;
    writing = files.submit(() -> file.write(place, source, bytes));
  }
}
