package org.starlingqcd.memhc.policy;

import java.util.Arrays;

/**
 * {@code furthest-next-use}: evicts dead elements, then the one whose next use is furthest in the
 * future. For elements of one size and cost no policy loads less (Belady 1966,
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
    inserted(element);
  }

  @Override
  public void rescheduled() {
    int count = ranked.size();
    int[] elements = new int[count];
    for (int k = 0; k < count; k++) {
      elements[k] = ranked.get(k);
    }
    Arrays.stream(elements).forEach(this::inserted);
  }
}
