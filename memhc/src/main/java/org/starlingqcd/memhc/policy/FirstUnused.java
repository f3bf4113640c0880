package org.starlingqcd.memhc.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code first-unused}: evicts the first element in the order of their places that is not pinned,
 * if possible one of the size that is needed. A new element takes the place of the last that left.
 * This is the rule of the runtime for stacked DRAM (see {@link
 * org.starlingqcd.memhc.cache.Tiering#GUIDED}); a choice is O(n) for n resident elements.
 */
public final class FirstUnused extends OpenedPolicy {
  private static final int EMPTY = -1;

  private final List<Integer> places = new ArrayList<>();
  private final List<Integer> empty = new ArrayList<>();

  @Override
  public String name() {
    return "first-unused";
  }

  @Override
  public void inserted(int element) {
    if (empty.isEmpty()) {
      places.add(element);
    } else {
      places.set(empty.remove(empty.size() - 1), element);
    }
  }

  @Override
  public void accessed(int element) {}

  @Override
  public void removed(int element, boolean evicted) {
    int place = places.indexOf(element);
    places.set(place, EMPTY);
    empty.add(place);
  }

  @Override
  public int victim() {
    return first(0);
  }

  @Override
  public int victimFor(int element) {
    int sameSize = first(residency().bytes(element));
    return sameSize >= 0 ? sameSize : victim();
  }

  /** The first element that can leave; with a size other than 0 the first of that size. */
  private int first(long bytes) {
    for (int element : places) {
      if (element != EMPTY
          && (bytes == 0 || residency().bytes(element) == bytes)
          && residency().evictable(element)) {
        return element;
      }
    }
    return -1;
  }
}
