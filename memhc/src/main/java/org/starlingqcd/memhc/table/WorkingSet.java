package org.starlingqcd.memhc.table;

import java.util.BitSet;
import org.starlingqcd.memhc.access.AccessQueue;

/** Sums the sizes of the distinct elements of contractions. */
public final class WorkingSet {
  private final ElementTable table;
  private final BitSet seen = new BitSet();

  public WorkingSet(ElementTable table) {
    this.table = table;
  }

  /** Bytes of one contraction's elements, those held anyway left out. */
  public long bytes(int[] inputs, int nIn, int[] outputs, int nOut) {
    seen.clear();
    long sum = 0;
    for (int k = 0; k < nIn + nOut; k++) {
      sum += count(k < nIn ? inputs[k] : outputs[k - nIn]);
    }
    return sum;
  }

  /** Bytes of the elements of a step, those held anyway left out. */
  public long bytes(AccessQueue queue, int step) {
    seen.clear();
    long sum = 0;
    for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
      sum += count(queue.element(k));
    }
    return sum;
  }

  private long count(int element) {
    if (table.has(element, ElementTable.HELD) || seen.get(element)) {
      return 0;
    }
    seen.set(element);
    return table.bytes[element];
  }

  /**
   * Checks that every step of a queue can fit beside {@code fixedBytes} that never leave.
   *
   * @throws MemoryBudgetException naming the largest element of the largest step
   */
  public void requireBudget(AccessQueue queue, long fixedBytes, long budgetBytes) {
    long most = 0;
    int largestStep = 0;
    for (int step = 0; step < queue.steps(); step++) {
      long bytes = bytes(queue, step);
      if (bytes > most) {
        most = bytes;
        largestStep = step;
      }
    }
    if (fixedBytes + most <= budgetBytes) {
      return;
    }
    int largest = queue.element(queue.firstAccess(largestStep));
    for (int k = queue.firstAccess(largestStep); k < queue.firstAccess(largestStep + 1); k++) {
      if (table.bytes[queue.element(k)] > table.bytes[largest]) {
        largest = queue.element(k);
      }
    }
    throw new MemoryBudgetException(
        largest,
        table.bytes[largest],
        budgetBytes,
        fixedBytes + most,
        "the working set of step " + largestStep + " is " + most + " bytes");
  }
}
