package org.starlingqcd.memhc.policy;

/** {@code fifo}: evicts the element that has been resident longest. */
public final class Fifo extends RecencyPolicy {
  @Override
  public String name() {
    return "fifo";
  }

  @Override
  public void accessed(int element) {}

  @Override
  public int victim() {
    return oldestEvictable();
  }
}
