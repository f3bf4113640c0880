package org.starlingqcd.memhc.transfer;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.memhc.access.InputSource;

/** Data on their way from a source through a staging buffer into a block. */
final class PendingLoad {
  final int element;
  final InputSource source;
  final DeviceBlock block;

  /** The buffer it has been given; null while it waits for one. */
  @Nullable HostMemory buffer;

  /** The reading into the buffer. */
  @Nullable Future<?> reading;

  /** The block has gone to somebody else; the data are wanted no more. */
  boolean abandoned;

  PendingLoad(int element, InputSource source, DeviceBlock block) {
    this.element = element;
    this.source = source;
    this.block = block;
  }
}
