package org.starlingqcd.memhc.transfer;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.memhc.access.HeldInput;
import org.starlingqcd.memhc.access.InputSource;

/** Data on their way from a source into a block. */
final class PendingLoad {
  final int element;
  final InputSource source;
  final DeviceBlock block;

  /** The staging buffer that they are read into; null while it waits for one. */
  @Nullable HostMemory buffer;

  /** The memory of the source out of which they are copied, in place of a buffer. */
  @Nullable HeldInput held;

  /** The reading. */
  @Nullable Future<?> reading;

  /** The block belongs to another element; the data are no longer needed. */
  volatile boolean abandoned;

  PendingLoad(int element, InputSource source, DeviceBlock block) {
    this.element = element;
    this.source = source;
    this.block = block;
  }
}
