package org.starlingqcd.memhc.policy;

import java.util.BitSet;

/**
 * {@code car}: clock with adaptive replacement (Bansal &amp; Modha, FAST 2004). Two clocks, T1 for
 * elements seen once lately and T2 for those seen again, and two histories, B1 and B2, of elements
 * evicted from each; a miss that is found in a history shifts the target size of T1.
 *
 * <p>Since elements differ in size, the number of pages of the cache is the number of elements that
 * were resident when memory last ran short. The hand passes over pinned elements.
 */
public final class Car extends OpenedPolicy {
  private final RecencyList t1 = new RecencyList();
  private final RecencyList t2 = new RecencyList();
  private final RecencyList b1 = new RecencyList();
  private final RecencyList b2 = new RecencyList();
  private final BitSet referenced = new BitSet();
  private int target;
  private int pages = 1;

  @Override
  public String name() {
    return "car";
  }

  @Override
  public void inserted(int element) {
    referenced.clear(element);
    if (b1.contains(element)) {
      target = Math.min(target + Math.max(1, b2.size() / b1.size()), pages);
      b1.remove(element);
      t2.addNewest(element);
    } else if (b2.contains(element)) {
      target = Math.max(target - Math.max(1, b1.size() / b2.size()), 0);
      b2.remove(element);
      t2.addNewest(element);
    } else {
      if (b1.size() > 0 && t1.size() + b1.size() >= pages) {
        b1.remove(b1.oldest());
      } else if (b2.size() > 0 && t1.size() + t2.size() + b1.size() + b2.size() >= 2 * pages) {
        b2.remove(b2.oldest());
      }
      t1.addNewest(element);
    }
  }

  @Override
  public void accessed(int element) {
    referenced.set(element);
  }

  @Override
  public void removed(int element, boolean evicted) {
    boolean once = t1.contains(element);
    (once ? t1 : t2).remove(element);
    referenced.clear(element);
    if (evicted) {
      (once ? b1 : b2).addNewest(element);
    }
  }

  @Override
  public int victim() {
    Residency known = residency();
    if (t1.size() + t2.size() == 0) {
      return -1;
    }
    pages = t1.size() + t2.size();
    target = Math.min(target, pages);
    // Every step of a hand clears a mark or passes an element that cannot leave, so three rounds
    // find a victim if there is one.
    for (int left = 3 * pages; left > 0; left--) {
      boolean once = t1.size() >= Math.max(1, target) || t2.size() == 0;
      RecencyList clock = once ? t1 : t2;
      int element = clock.oldest();
      if (!known.evictable(element)) {
        clock.moveToNewest(element);
      } else if (!referenced.get(element)) {
        return element;
      } else {
        referenced.clear(element);
        clock.remove(element);
        t2.addNewest(element);
      }
    }
    int found = t1.oldestEvictable(known);
    return found >= 0 ? found : t2.oldestEvictable(known);
  }
}
