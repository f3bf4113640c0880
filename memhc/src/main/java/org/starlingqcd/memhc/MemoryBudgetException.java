package org.starlingqcd.memhc;

/**
 * The working set of a single contraction exceeds the budget; only a larger budget helps. The
 * message names the element, its size, the budget and the smallest sufficient budget.
 */
public final class MemoryBudgetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int element;
  private final long elementBytes;
  private final long budgetBytes;
  private final long smallestBudgetBytes;

  /** An exception with this reason. */
  public MemoryBudgetException(
      int element, long elementBytes, long budgetBytes, long smallestBudgetBytes, String because) {
    super(
        "element %s of %s bytes does not fit beside the others of its contraction: %s; the budget is"
                .formatted(element, elementBytes, because)
            + " %s bytes, the smallest that would do is %s bytes"
                .formatted(budgetBytes, smallestBudgetBytes));
    this.element = element;
    this.elementBytes = elementBytes;
    this.budgetBytes = budgetBytes;
    this.smallestBudgetBytes = smallestBudgetBytes;
  }

  /** The element that did not fit. */
  public int element() {
    return element;
  }

  /** Its size in bytes. */
  public long elementBytes() {
    return elementBytes;
  }

  /** The budget in bytes. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /**
   * The smallest budget with which the whole schedule (or, without one, this contraction) would
   * run, in bytes.
   */
  public long smallestBudgetBytes() {
    return smallestBudgetBytes;
  }
}
