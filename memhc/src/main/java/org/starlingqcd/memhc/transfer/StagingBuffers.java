package org.starlingqcd.memhc.transfer;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;

/**
 * A few buffers between files and a device, page-locked where the device supports it. They are
 * allocated at first use and replaced when a larger one is needed. There are fewer where the budget
 * of host memory has no room for all of them, but always one.
 */
final class StagingBuffers implements AutoCloseable {
  private final Device device;
  private final HostMemoryBudget budget;
  private final int most;
  private final Deque<HostMemory> free = new ArrayDeque<>();
  private int made;

  StagingBuffers(Device device, HostMemoryBudget budget, int most) {
    this.device = device;
    this.budget = budget;
    this.most = most;
  }

  /** A free buffer that is large enough, or null if all are in use. */
  @Nullable HostMemory take(long bytes) {
    while (!free.isEmpty()) {
      HostMemory buffer = free.remove();
      if (buffer.bytes() >= bytes) {
        return buffer;
      }
      discard(buffer);
    }
    if (made == most) {
      return null;
    }
    if (made == 0) {
      budget.reserve(bytes);
    } else if (!budget.reclaim(bytes)) {
      return null;
    }
    HostMemory larger = device.allocateHost(bytes);
    made++;
    return larger;
  }

  private void discard(HostMemory buffer) {
    budget.release(buffer.bytes());
    buffer.close();
    made--;
  }

  /** Returns a buffer that is no longer in use. */
  void giveBack(HostMemory buffer) {
    free.add(buffer);
  }

  /** Frees the buffers; all have been given back. */
  @Override
  public void close() {
    free.forEach(this::discard);
    free.clear();
  }
}
