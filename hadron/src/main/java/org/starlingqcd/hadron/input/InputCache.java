package org.starlingqcd.hadron.input;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;

/**
 * Keeps host copies of input blocks, so that a block that is evicted and needed again is not read
 * from its file twice. A copy lives from the first load of its slot to its last use; its memory
 * then serves the next copy of the same size. A block for which the budget has no room is read
 * again. Thread-safe.
 */
public final class InputCache implements AutoCloseable {
  private final HostMemoryBudget budget;
  private final LongConsumer giveUp = this::giveUp;
  private final Map<Integer, HostMemory> copies = new HashMap<>();
  private final Map<Long, Deque<HostMemory>> spare = new HashMap<>();

  /** A cache within a budget. */
  public InputCache(HostMemoryBudget budget) {
    this.budget = budget;
    budget.addHolder(giveUp);
  }

  /** Copies the block of a slot to {@code target}; returns false if there is no copy of it. */
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
    return budget.tryReserve(bytes) ? HostMemory.allocate(bytes) : null;
  }

  /** Drops the copy of a slot, if there is one. */
  public synchronized void drop(int place) {
    HostMemory copy = copies.remove(place);
    if (copy != null) {
      spare.computeIfAbsent(copy.bytes(), bytes -> new ArrayDeque<>()).push(copy);
    }
  }

  /** Frees memory that holds no copy until {@code wanted} bytes are free. */
  private synchronized void giveUp(long wanted) {
    long left = wanted;
    for (Deque<HostMemory> memories : spare.values()) {
      while (left > 0 && !memories.isEmpty()) {
        HostMemory memory = memories.pop();
        left -= memory.bytes();
        free(memory);
      }
    }
  }

  private void free(HostMemory memory) {
    budget.release(memory.bytes());
    memory.close();
  }

  /** Drops all copies and frees their memory. */
  public synchronized void clear() {
    copies.values().forEach(this::free);
    copies.clear();
    giveUp(Long.MAX_VALUE);
  }

  @Override
  public void close() {
    budget.removeHolder(giveUp);
    clear();
  }
}
