package org.starlingqcd.memhc.policy;

import java.util.Arrays;
import java.util.SplittableRandom;

/** {@code random}: evicts an element drawn uniformly; the seed is that of {@link #open}. */
public final class RandomEviction extends OpenedPolicy {
  private static final int DRAWS = 32;

  private SplittableRandom random = new SplittableRandom(0);
  private int[] resident = new int[16];
  private int[] slot = new int[16];
  private int size;

  @Override
  public String name() {
    return "random";
  }

  @Override
  public void open(Residency newResidency, long seed) {
    super.open(newResidency, seed);
    random = new SplittableRandom(seed);
  }

  @Override
  public void inserted(int element) {
    if (size == resident.length) {
      resident = Arrays.copyOf(resident, 2 * size);
    }
    if (element >= slot.length) {
      slot = Arrays.copyOf(slot, Math.max(element + 1, 2 * slot.length));
    }
    resident[size] = element;
    slot[element] = size++;
  }

  @Override
  public void accessed(int element) {}

  @Override
  public void removed(int element, boolean evicted) {
    int last = resident[--size];
    resident[slot[element]] = last;
    slot[last] = slot[element];
  }

  @Override
  public int victim() {
    Residency known = residency();
    if (size == 0) {
      return -1;
    }
    int at = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      at = random.nextInt(size);
      if (known.evictable(resident[at])) {
        return resident[at];
      }
    }
    // Nearly everything is pinned: take the next element that is not.
    for (int k = 0; k < size; k++) {
      int element = resident[(at + k) % size];
      if (known.evictable(element)) {
        return element;
      }
    }
    return -1;
  }
}
