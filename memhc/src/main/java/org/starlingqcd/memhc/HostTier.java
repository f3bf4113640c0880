package org.starlingqcd.memhc;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/**
 * Host copies of evicted intermediates. A copy stays until its element is written again or dies, so
 * that evicting it a second time copies nothing. Host blocks are kept by size and used again.
 */
final class HostTier implements AutoCloseable {
  private final Device device;
  private final Transfers transfers;
  private final ElementTable table;
  private final Counters counters;
  private final Map<Long, ArrayDeque<HostCopy>> spare = new HashMap<>();
  private long heldBytes;

  HostTier(Device device, Transfers transfers, ElementTable table, Counters counters) {
    this.device = device;
    this.transfers = transfers;
    this.table = table;
    this.counters = counters;
  }

  /** Copies a resident element to the host, in stream order. */
  void store(int element) {
    TensorShape shape = table.shape(element);
    HostCopy copy = new HostCopy(shape.bytes());
    HostCopy old = spare.computeIfAbsent(shape.bytes(), size -> new ArrayDeque<>()).poll();
    HostMemory memory;
    if (old != null && old.memory != null) {
      memory = old.memory;
      transfers.drainAfter(old.read);
    } else {
      memory = device.allocateHost(shape.bytes());
      heldBytes += shape.bytes();
      counters.peakHostBytes = Math.max(counters.peakHostBytes, heldBytes);
    }
    copy.memory = memory;
    copy.written = transfers.download(table.resident(element), memory, 0, shape);
    table.hostCopy[element] = copy;
  }

  /** Copies the host's value of an element into {@code block}, in stream order. */
  void fetch(int element, DeviceBlock block) {
    HostCopy copy = copyOf(element);
    transfers.fillAfter(copy.written);
    transfers.upload(memoryOf(copy), block, table.shape(element));
    copy.read = block.filled;
  }

  /** Copies the host's value of an element to {@code target}. */
  void read(int element, HostMemory target, long offset) {
    HostCopy copy = copyOf(element);
    transfers.synchronize(copy.written);
    memoryOf(copy).copyTo(0, target, offset, copy.bytes);
  }

  /** Forgets the copy of an element, if there is one. */
  void drop(int element) {
    HostCopy copy = table.hostCopy[element];
    if (copy != null) {
      table.hostCopy[element] = null;
      spare.computeIfAbsent(copy.bytes, size -> new ArrayDeque<>()).add(copy);
    }
  }

  private HostCopy copyOf(int element) {
    HostCopy copy = table.hostCopy[element];
    if (copy == null) {
      throw new IllegalStateException("no host copy: " + table.describe(element));
    }
    return copy;
  }

  private static HostMemory memoryOf(HostCopy copy) {
    HostMemory memory = copy.memory;
    if (memory == null) {
      throw new IllegalStateException("not in host memory: bytes=" + copy.bytes);
    }
    return memory;
  }

  /** Frees all host memory; everything in flight has run. */
  @Override
  public void close() {
    for (int element = 0; element < table.count; element++) {
      drop(element);
    }
    spare.values().forEach(copies -> copies.forEach(copy -> memoryOf(copy).close()));
    spare.clear();
    heldBytes = 0;
  }
}
