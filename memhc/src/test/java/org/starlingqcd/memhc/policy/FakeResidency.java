package org.starlingqcd.memhc.policy;

import java.util.Arrays;
import org.starlingqcd.memhc.access.AccessQueue;

/** Elements whose state a test sets; of one byte each unless it says otherwise. */
final class FakeResidency implements Residency {
  final boolean[] resident;
  final boolean[] pinned;
  final boolean[] dirty;
  final long[] bytes;
  final int[] nextUse;
  final boolean[] stays;
  int clock;

  FakeResidency(int elements) {
    resident = new boolean[elements];
    pinned = new boolean[elements];
    dirty = new boolean[elements];
    stays = new boolean[elements];
    bytes = new long[elements];
    Arrays.fill(bytes, 1);
    nextUse = new int[elements];
    Arrays.fill(nextUse, AccessQueue.NEVER);
  }

  int residents() {
    int count = 0;
    for (boolean here : resident) {
      count += here ? 1 : 0;
    }
    return count;
  }

  @Override
  public long bytes(int element) {
    return bytes[element];
  }

  @Override
  public boolean evictable(int element) {
    return resident[element] && !pinned[element];
  }

  @Override
  public int clock() {
    return clock;
  }

  @Override
  public int nextUse(int element) {
    return nextUse[element];
  }

  @Override
  public long evictionCost(int element) {
    return nextUse[element] == AccessQueue.NEVER ? 0 : dirty[element] ? 2 : 1;
  }

  @Override
  public boolean plannedToStay(int element) {
    return stays[element];
  }
}
