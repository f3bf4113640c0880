package org.starlingqcd.hadron.input;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;

/**
 * The memory of a store: blocks of few sizes, reserved from the budget of the run. Memory that is
 * given back serves the next block of its size. Callers hold the lock of the store.
 */
final class BlockMemory {
  private final HostMemoryBudget budget;
  private final Map<Long, Deque<HostMemory>> spare = new HashMap<>();

  BlockMemory(HostMemoryBudget budget) {
    this.budget = budget;
  }

  /** Memory of a size; null when the budget has none. */
  @Nullable HostMemory take(long bytes) {
    Deque<HostMemory> same = spare.get(bytes);
    if (same != null && !same.isEmpty()) {
      return same.pop();
    }
    if (!budget.tryReserve(bytes)) {
      // What is spare has another size.
      free(bytes);
      if (!budget.tryReserve(bytes)) {
        return null;
      }
    }
    return HostMemory.allocate(bytes);
  }

  void giveBack(HostMemory memory) {
    spare.computeIfAbsent(memory.bytes(), bytes -> new ArrayDeque<>()).push(memory);
  }

  /** Frees spare memory until {@code wanted} bytes are free; returns how many of them are not. */
  long free(long wanted) {
    long left = wanted;
    for (Deque<HostMemory> memories : spare.values()) {
      while (left > 0 && !memories.isEmpty()) {
        HostMemory memory = memories.pop();
        left -= memory.bytes();
        budget.release(memory.bytes());
        memory.close();
      }
    }
    return left;
  }
}
