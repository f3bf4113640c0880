package org.starlingqcd.memhc.transfer;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/** The value of an intermediate beneath the device: in host memory, or in the spill file. */
final class HostCopy {
  /** Not in the spill file. */
  static final long NOT_SPILLED = -1;

  final long bytes;

  /** Shape of the element; null for memory without one. */
  final @Nullable TensorShape shape;

  /** The form of the copy, as of {@code Device.save}; null is host layout. */
  @Nullable Object form;

  /** The copy in host memory; null when it is in the spill file. */
  @Nullable HostMemory memory;

  /** Where it lies in the spill file, in bytes, or {@link #NOT_SPILLED}. */
  long spillPlace = NOT_SPILLED;

  /** The writing to the spill file, once it has begun. */
  @Nullable Future<?> writing;

  /** Last copy into {@code memory} from the device. */
  @Nullable DeviceEvent written;

  /** Last copy from {@code memory} to the device. */
  @Nullable DeviceEvent read;

  /** Its element has changed or died; what is not written yet is left out. */
  boolean dropped;

  /** The copy of an element. */
  HostCopy(TensorShape shape) {
    this.bytes = shape.bytes();
    this.shape = shape;
  }

  /** Memory for the copy of any element of this size. */
  HostCopy(long bytes) {
    this.bytes = bytes;
    this.shape = null;
  }

  /** Lets the file thread write {@code source} to its part of the spill file. */
  void write(FileThread files, SpillFile file, HostMemory source) {
    long place = spillPlace;
    writing = files.submit(() -> file.write(place, source, bytes));
  }
}
