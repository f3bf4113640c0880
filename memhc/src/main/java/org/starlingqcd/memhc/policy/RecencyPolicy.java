package org.starlingqcd.memhc.policy;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.memhc.EvictionPolicy;
import org.starlingqcd.memhc.Residency;

/** A policy that keeps the resident elements in one list, newest first. */
abstract class RecencyPolicy implements EvictionPolicy {
  final RecencyList list = new RecencyList();
  private @Nullable Residency residency;

  @Override
  public void open(Residency newResidency, long seed) {
    residency = newResidency;
  }

  final Residency residency() {
    if (residency == null) {
      throw new IllegalStateException("policy " + name() + " is not open");
    }
    return residency;
  }

  @Override
  public void inserted(int element) {
    list.addNewest(element);
  }

  @Override
  public void removed(int element, boolean evicted) {
    list.remove(element);
  }

  /** The oldest element that may be evicted, or -1; skips the pinned ones. */
  final int oldestEvictable() {
    Residency known = residency();
    int element = list.oldest();
    while (element != RecencyList.NONE && !known.evictable(element)) {
      element = list.newer(element);
    }
    return element;
  }
}
