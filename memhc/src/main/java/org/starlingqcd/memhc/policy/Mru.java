package org.starlingqcd.memhc.policy;

/** {@code mru}: evicts the element looked up last, of those that may leave. */
public final class Mru extends RecencyPolicy {
  @Override
  public String name() {
    return "mru";
  }

  @Override
  public void accessed(int element) {
    list.moveToNewest(element);
  }

  @Override
  public int victim() {
    Residency known = residency();
    int element = list.newest();
    while (element != RecencyList.NONE && !known.evictable(element)) {
      element = list.older(element);
    }
    return element;
  }
}
