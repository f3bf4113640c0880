package org.starlingqcd.memhc.policy;

/**
 * {@code lfu}: evicts the element with the fewest look-ups since it became resident; among equals,
 * the one whose last look-up was first.
 */
public final class Lfu extends RankedPolicy {
  @Override
  public String name() {
    return "lfu";
  }

  @Override
  public void inserted(int element) {
    ranked.put(element, -1);
  }

  @Override
  public void accessed(int element) {
    ranked.put(element, ranked.rank(element) - 1);
  }
}
