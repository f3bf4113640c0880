package org.starlingqcd.memhc.retention;

import java.util.BitSet;
import org.starlingqcd.memhc.access.AccessQueue;

/** For a whole queue, which elements stay on the device between which uses. Immutable. */
public final class RetentionPlan {
  private final BitSet stays;
  private final BitSet remade = new BitSet();
  private final long[] freeBytes;

  /**
   * Copies a choice; O(accesses).
   *
   * @param retention a choice that overdraws no step
   */
  RetentionPlan(UseIntervals uses, Retention retention) {
    AccessQueue queue = uses.queue;
    stays = new BitSet(queue.accesses());
    freeBytes = new long[queue.steps()];
    int[] next = new int[uses.elements()];
    for (int element = 0; element < next.length; element++) {
      next[element] = uses.first[element];
    }
    for (int step = 0; step < queue.steps(); step++) {
      freeBytes[step] = retention.room.least(step, step + 1);
      for (int a = queue.firstAccess(step); a < queue.firstAccess(step + 1); a++) {
        int element = queue.element(a);
        int end = uses.first[element + 1];
        while (next[element] < end && uses.from[next[element]] < step) {
          next[element]++;
        }
        int interval = next[element];
        if (interval < end && uses.from[interval] == step && retention.stays(interval)) {
          stays.set(a);
        } else if (retention.isRemade(element)) {
          remade.set(a);
        }
      }
    }
  }

  /** Whether the element of an access stays on the device until its next use. */
  public boolean stays(int access) {
    return stays.get(access);
  }

  /** Whether the element of an access is computed again when it has left. */
  public boolean isRemade(int access) {
    return remade.get(access);
  }

  /** Number of steps. */
  public int steps() {
    return freeBytes.length;
  }

  /** Room at a step beside its working set and the elements that stay, in bytes. */
  public long freeBytes(int step) {
    return freeBytes[step];
  }
}
