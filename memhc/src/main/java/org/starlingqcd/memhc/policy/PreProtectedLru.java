package org.starlingqcd.memhc.policy;

import java.util.Arrays;
import java.util.BitSet;

/**
 * {@code pre-protected-lru}: the paper's policy (MemHC, Algorithm 2). When memory is short, every
 * resident element of the vector pair that is running is flagged; a flagged element found at the
 * tail moves to the front, loses its flag, and the search goes on.
 *
 * <p>The last part is a correction: the printed algorithm lacks a {@code continue} after its line
 * 15 and evicts the element that it has just protected. When every evictable element is flagged,
 * the second round evicts in the order of recency. Flags end with their vector.
 */
public final class PreProtectedLru extends RecencyPolicy {
  private final BitSet flagged = new BitSet();
  private int[] vector = new int[0];
  private int vectorSize;

  @Override
  public String name() {
    return "pre-protected-lru";
  }

  @Override
  public void beginVector(int[] elements, int count) {
    vector = Arrays.copyOf(elements, count);
    vectorSize = count;
    flagged.clear();
  }

  @Override
  public void accessed(int element) {
    list.moveToNewest(element);
  }

  @Override
  public void removed(int element, boolean evicted) {
    super.removed(element, evicted);
    flagged.clear(element);
  }

  @Override
  public int victim() {
    for (int k = 0; k < vectorSize; k++) {
      if (list.contains(vector[k])) {
        flagged.set(vector[k]);
      }
    }
    Residency known = residency();
    int element = list.oldest();
    for (int left = 2 * list.size(); left > 0 && element != RecencyList.NONE; left--) {
      int next = list.newer(element);
      if (known.evictable(element)) {
        if (!flagged.get(element)) {
          return element;
        }
        flagged.clear(element);
        list.moveToNewest(element);
        next = next == RecencyList.NONE ? list.oldest() : next;
      }
      element = next;
    }
    return oldestEvictable();
  }
}
