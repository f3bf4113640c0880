package org.starlingqcd.memhc.policy;

import java.util.Arrays;

/**
 * {@code clock-pro} (Jiang, Chen &amp; Zhang, USENIX ATC 2005). One clock holds hot elements, cold
 * ones and, for a test period, cold ones that were evicted; an element used again within its test
 * period becomes hot. Three hands: the cold one finds the victim, the hot one makes hot elements
 * cold, the test one ends test periods. The number of cold elements adapts: up when a test
 * succeeds, down when one runs out.
 *
 * <p>Since elements differ in size, the number of pages of the cache is the number of elements that
 * were resident when memory last ran short. The cold hand passes over pinned elements.
 */
public final class ClockPro extends OpenedPolicy {
  private static final int NONE = -1;
  private static final byte ABSENT = 0;
  private static final byte HOT = 1;
  private static final byte COLD = 2;
  private static final byte GHOST = 3;

  private int[] next = new int[0];
  private int[] previous = new int[0];
  private byte[] state = new byte[0];
  private boolean[] referenced = new boolean[0];
  private boolean[] testing = new boolean[0];
  private int handHot = NONE;
  private int handCold = NONE;
  private int handTest = NONE;
  private int listed;
  private int hot;
  private int cold;
  private int ghosts;
  private int coldTarget = 1;
  private int pages = 1;

  @Override
  public String name() {
    return "clock-pro";
  }

  @Override
  public void inserted(int element) {
    ensure(element);
    if (state[element] == GHOST) {
      coldTarget = Math.min(coldTarget + 1, pages);
      unlist(element);
      list(element, HOT);
      coolDown();
    } else {
      list(element, COLD);
      testing[element] = true;
    }
    referenced[element] = false;
  }

  @Override
  public void accessed(int element) {
    referenced[element] = true;
  }

  @Override
  public void removed(int element, boolean evicted) {
    if (evicted && state[element] == COLD && testing[element]) {
      cold--;
      ghosts++;
      state[element] = GHOST;
      while (ghosts > pages) {
        stepTestHand();
      }
    } else {
      unlist(element);
    }
  }

  @Override
  public int victim() {
    Residency known = residency();
    if (hot + cold == 0) {
      return -1;
    }
    pages = hot + cold;
    coldTarget = Math.min(coldTarget, pages);
    coolDown();
    // A round clears every mark; a second finds an unmarked cold element if one may leave.
    for (int left = 2 * listed; left > 0 && cold > 0; left--) {
      int element = handCold;
      handCold = next[handCold];
      if (state[element] != COLD || !known.evictable(element)) {
        continue;
      }
      if (!referenced[element]) {
        return element;
      }
      referenced[element] = false;
      boolean promoted = testing[element];
      unlist(element);
      list(element, promoted ? HOT : COLD);
      testing[element] = !promoted;
      coolDown();
    }
    for (int k = 0, element = handHot; k < listed; k++, element = next[element]) {
      if (state[element] != GHOST && known.evictable(element)) {
        return element;
      }
    }
    return -1;
  }

  /** Turns hot elements cold until there are no more than the target allows. */
  private void coolDown() {
    int mostHot = Math.max(0, pages - coldTarget);
    for (int left = 2 * listed; left > 0 && hot > mostHot; left--) {
      int element = handHot;
      handHot = next[handHot];
      if (state[element] != HOT) {
        endTest(element);
      } else if (referenced[element]) {
        referenced[element] = false;
      } else {
        state[element] = COLD;
        testing[element] = false;
        hot--;
        cold++;
      }
    }
  }

  private void stepTestHand() {
    int element = handTest;
    handTest = next[handTest];
    endTest(element);
  }

  private void endTest(int element) {
    if (state[element] == HOT || !testing[element]) {
      return;
    }
    testing[element] = false;
    if (state[element] == GHOST) {
      unlist(element);
      coldTarget = Math.max(coldTarget - 1, 1);
    }
  }

  /** Puts an element at the head of the list, which is behind the hot hand. */
  private void list(int element, byte newState) {
    state[element] = newState;
    hot += newState == HOT ? 1 : 0;
    cold += newState == COLD ? 1 : 0;
    if (listed++ == 0) {
      next[element] = element;
      previous[element] = element;
      handHot = element;
      handCold = element;
      handTest = element;
    } else {
      int before = previous[handHot];
      next[before] = element;
      previous[element] = before;
      next[element] = handHot;
      previous[handHot] = element;
    }
  }

  private void unlist(int element) {
    hot -= state[element] == HOT ? 1 : 0;
    cold -= state[element] == COLD ? 1 : 0;
    ghosts -= state[element] == GHOST ? 1 : 0;
    state[element] = ABSENT;
    testing[element] = false;
    int after = --listed == 0 ? NONE : next[element];
    if (after != NONE) {
      next[previous[element]] = after;
      previous[after] = previous[element];
    }
    handHot = handHot == element ? after : handHot;
    handCold = handCold == element ? after : handCold;
    handTest = handTest == element ? after : handTest;
  }

  private void ensure(int element) {
    if (element >= state.length) {
      int length = Math.max(element + 1, Math.max(16, 2 * state.length));
      next = Arrays.copyOf(next, length);
      previous = Arrays.copyOf(previous, length);
      state = Arrays.copyOf(state, length);
      referenced = Arrays.copyOf(referenced, length);
      testing = Arrays.copyOf(testing, length);
    }
  }
}
