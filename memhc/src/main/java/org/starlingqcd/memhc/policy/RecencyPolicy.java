package org.starlingqcd.memhc.policy;

/** A policy that keeps the resident elements in one list, newest first. */
abstract class RecencyPolicy extends OpenedPolicy {
  final RecencyList list = new RecencyList();

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
    return list.oldestEvictable(residency());
  }
}
