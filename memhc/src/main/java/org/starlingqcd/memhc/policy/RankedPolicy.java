package org.starlingqcd.memhc.policy;

/** A policy that keeps the resident elements in one order of rank. */
abstract class RankedPolicy extends OpenedPolicy {
  final RankedElements ranked = new RankedElements();

  @Override
  public void removed(int element, boolean evicted) {
    ranked.remove(element);
  }

  @Override
  public int victim() {
    return ranked.firstEvictable(residency());
  }
}
