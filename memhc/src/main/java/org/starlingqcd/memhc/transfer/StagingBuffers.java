package org.starlingqcd.memhc.transfer;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.HostMemory;

/**
 * A few buffers between files and a device, page-locked where the device supports it. They are
 * allocated at first use and replaced when a larger one is needed.
 */
final class StagingBuffers implements AutoCloseable {
  private final Device device;
  private final int most;
  private final Deque<HostMemory> free = new ArrayDeque<>();
  private int made;

  /** At most {@code most} buffers. */
  StagingBuffers(Device device, int most) {
    this.device = device;
    this.most = most;
  }

  /** A free buffer that is large enough, or null if all are in use. */
  @Nullable HostMemory take(long bytes) {
    HostMemory buffer = free.poll();
    if (buffer == null && made == most) {
      return null;
    }
    if (buffer != null && buffer.bytes() >= bytes) {
      return buffer;
    }
    if (buffer != null) {
      buffer.close();
      made--;
    }
    HostMemory larger = device.allocateHost(bytes);
    made++;
    return larger;
  }

  /** Returns a buffer that is no longer in use. */
  void giveBack(HostMemory buffer) {
    free.add(buffer);
  }

  /** Frees the buffers; all have been given back. */
  @Override
  public void close() {
    free.forEach(HostMemory::close);
    free.clear();
    made = 0;
  }
}
