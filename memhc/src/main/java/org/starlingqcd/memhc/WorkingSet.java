package org.starlingqcd.memhc;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.memhc.access.AccessQueue;

/** Compares the distinct elements of contractions with the budget. */
final class WorkingSet extends Part {
  private final long budgetBytes;
  private final BitSet seen = new BitSet();

  /** A queue that fits beside some bytes that never leave. */
  private @Nullable AccessQueue fitting;

  private long fixedOfFitting;

  WorkingSet(Tables tables) {
    super(tables);
    budgetBytes = options.budgetBytes();
  }

  /** Bytes of the elements of a step, without those that are held. */
  private long bytes(AccessQueue queue, int step) {
    seen.clear();
    long sum = 0;
    for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
      int element = queue.element(k);
      if (!seen.get(element) && !table.has(element, ElementTable.HELD)) {
        seen.set(element);
        sum += table.bytes[element];
      }
    }
    return sum;
  }

  /**
   * Checks that every step of a queue fits beside what never leaves.
   *
   * @throws MemoryBudgetException naming the largest element of the largest step
   */
  void requireBudget(AccessQueue queue) {
    long fixedBytes = tables.fixedBytes();
    if (queue == fitting && fixedBytes <= fixedOfFitting) {
      return;
    }
    long most = 0;
    int largestStep = 0;
    for (int step = 0; step < queue.steps(); step++) {
      long bytes = bytes(queue, step);
      if (bytes > most) {
        most = bytes;
        largestStep = step;
      }
    }
    if (fixedBytes + most > budgetBytes) {
      throw tooSmall(
          queue, largestStep, "the working set of step " + largestStep + " is " + most + " bytes");
    }
    fitting = queue;
    fixedOfFitting = fixedBytes;
  }

  /** Why the elements of one contraction do not fit though nothing else is pinned. */
  MemoryBudgetException tooSmall(int[] inputs, int nIn, int[] outputs, int nOut) {
    AccessQueue alone = AccessQueue.builder().step(inputs, nIn, outputs, nOut).build();
    long bytes = tables.fixedBytes() + bytes(alone, 0);
    return tooSmall(
        alone,
        0,
        bytes > budgetBytes
            ? "its working set is " + bytes + " bytes"
            : "the device has less free memory than the budget");
  }

  private MemoryBudgetException tooSmall(AccessQueue queue, int step, String because) {
    int largest = queue.element(queue.firstAccess(step));
    for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
      if (table.bytes[queue.element(k)] > table.bytes[largest]) {
        largest = queue.element(k);
      }
    }
    long smallest = tables.fixedBytes() + bytes(queue, step);
    return new MemoryBudgetException(largest, table.bytes[largest], budgetBytes, smallest, because);
  }
}
