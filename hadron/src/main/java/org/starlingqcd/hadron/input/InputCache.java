package org.starlingqcd.hadron.input;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/**
 * Host copies of input blocks, so that a block that is evicted and needed again is not read from
 * its file a second time. A copy lives from the first load of its place to the last use; its memory
 * serves the next copy of the same size. What does not fit into the limit is read again. Safe for
 * use by several threads.
 */
public final class InputCache implements AutoCloseable {
  private final long limitBytes;
  private final Map<Integer, HostMemory> copies = new HashMap<>();
  private final Map<Long, Deque<HostMemory>> spare = new HashMap<>();
  private long allocatedBytes;

  public InputCache(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Copies the block of a place to {@code target}; false when there is no copy of it. */
  public synchronized boolean fetch(int place, HostMemory target, long offset) {
    HostMemory copy = copies.get(place);
    if (copy == null) {
      return false;
    }
    copy.copyTo(0, target, offset, copy.bytes());
    return true;
  }

  /** Keeps a copy of a block of {@code bytes} bytes, if there is room for it. */
  public synchronized void keep(int place, HostMemory source, long offset, long bytes) {
    HostMemory copy = take(bytes);
    if (copy != null) {
      source.copyTo(offset, copy, 0, bytes);
      copies.put(place, copy);
    }
  }

  private @Nullable HostMemory take(long bytes) {
    Deque<HostMemory> same = spare.get(bytes);
    if (same != null && !same.isEmpty()) {
      return same.pop();
    }
    if (bytes > limitBytes - allocatedBytes) {
      return null;
    }
    allocatedBytes += bytes;
    return HostMemory.allocate(bytes);
  }

  /** Lets go of the copy of a place, if there is one. */
  public synchronized void drop(int place) {
    HostMemory copy = copies.remove(place);
    if (copy != null) {
      spare.computeIfAbsent(copy.bytes(), bytes -> new ArrayDeque<>()).push(copy);
    }
  }

  /** Lets go of all copies; their memory stays for the next. */
  public synchronized void clear() {
    for (HostMemory copy : copies.values()) {
      spare.computeIfAbsent(copy.bytes(), bytes -> new ArrayDeque<>()).push(copy);
    }
    copies.clear();
  }

  @Override
  public synchronized void close() {
    clear();
    for (Deque<HostMemory> memories : spare.values()) {
      memories.forEach(HostMemory::close);
    }
    spare.clear();
    allocatedBytes = 0;
  }
}
