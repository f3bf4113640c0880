package org.starlingqcd.memhc.policy;

/** {@code lru}: evicts the element whose last look-up was first (MemHC, Algorithm 1). */
public final class Lru extends RecencyPolicy {
  @Override
  public String name() {
    return "lru";
  }

  @Override
  public void accessed(int element) {
    list.moveToNewest(element);
  }

  @Override
  public int victim() {
    return oldestEvictable();
  }
}
