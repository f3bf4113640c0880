package org.starlingqcd.memhc.transfer;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.HostMemory;

/** Where an element lives that the host owns: memory that outlives every device copy. */
final class HomeCopy {
  final HostMemory memory;
  final long offset;
  final long bytes;

  /** Most bytes that one copy moves. */
  final long piece;

  /** Whether the value is here; otherwise the device has a newer one. */
  boolean current = true;

  /** How often the device's value was copied here. */
  long arrivals;

  /** Last copy from the device. */
  @Nullable DeviceEvent written;

  /** Last copy to the device. */
  @Nullable DeviceEvent read;

  HomeCopy(HostMemory memory, long offset, long bytes, long piece) {
    this.piece = piece;
    this.memory = memory;
    this.offset = offset;
    this.bytes = bytes;
  }
}
