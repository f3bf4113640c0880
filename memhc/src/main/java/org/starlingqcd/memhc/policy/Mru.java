package org.starlingqcd.memhc.policy;

/** {@code mru}: evicts the evictable element that was looked up last. */
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
