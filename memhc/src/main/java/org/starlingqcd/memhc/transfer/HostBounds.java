package org.starlingqcd.memhc.transfer;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Bounds on the tiers beneath the device.
 *
 * @param memoryBytes host memory for copies of evicted intermediates, in bytes
 * @param spillDirectory folder of the spill file that takes what exceeds {@code memoryBytes}; null:
 *     exceeding them is an error
 * @param spillBytes bound on the spill file, in bytes
 */
public record HostBounds(long memoryBytes, @Nullable Path spillDirectory, long spillBytes) {
  /** Checks the ranges. */
  public HostBounds {
    if (memoryBytes < 0 || spillBytes < 0) {
      throw new IllegalArgumentException(
          "must be >= 0: hostBytes=" + memoryBytes + " spillBytes=" + spillBytes);
    }
  }
}
