package org.starlingqcd.memhc.policy;

/**
 * {@code furthest-next-use}: evicts what is dead, then what the schedule uses furthest in the
 * future; for elements of one size and cost nothing loads less (Belady 1966,
 * doi:10.1147/sj.52.0078). Without a schedule it is {@code lru}.
 */
public final class FurthestNextUse extends RankedPolicy {
  @Override
  public String name() {
    return "furthest-next-use";
  }

  @Override
  public void inserted(int element) {
    ranked.put(element, residency().nextUse(element));
  }

  @Override
  public void accessed(int element) {
    ranked.put(element, residency().nextUse(element));
  }

  @Override
  public void rescheduled() {
    int count = ranked.size();
    int[] elements = new int[count];
    for (int k = 0; k < count; k++) {
      elements[k] = ranked.get(k);
    }
    for (int element : elements) {
      ranked.put(element, residency().nextUse(element));
    }
  }
}
