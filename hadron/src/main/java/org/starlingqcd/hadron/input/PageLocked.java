package org.starlingqcd.hadron.input;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/** Where a store gets memory out of which devices copy. */
@FunctionalInterface
public interface PageLocked {
  /** Devices that have no use for such memory. */
  PageLocked NONE = bytes -> null;

  /** Allocates memory, on any thread; null where there is none, or no more. */
  @Nullable HostMemory allocate(long bytes);
}
