package org.starlingqcd.memhc.retention;

/**
 * A choice of the intervals that elements spend on the device, and what the other intervals cost:
 * the bytes that move, and what is computed again ({@link Remakes}). At the beginning every
 * interval that takes room is spent elsewhere.
 */
final class Retention {
  private final UseIntervals uses;
  private final Remakes remakes;

  /** What the choice leaves free; negative where more stays than there is room for. */
  final RoomTree room;

  private final boolean[] stays;

  /** Intervals of each element that are not spent on the device. */
  private final int[] leaving;

  /** What it costs now to compute the element of each interval again at its end. */
  private final long[] remaking;

  /** Its sum over the intervals of each element that are not spent on the device. */
  private final long[] remakingAll;

  private long cost;

  Retention(UseIntervals uses, Remakes remakes) {
    this.uses = uses;
    this.remakes = remakes;
    room = new RoomTree(uses);
    stays = new boolean[uses.count()];
    leaving = new int[uses.elements()];
    remaking = remakes.cost.clone();
    remakingAll = new long[uses.elements()];
    for (int k = 0; k < stays.length; k++) {
      stays[k] = !takesRoom(k);
      if (!stays[k]) {
        leaving[uses.elementOf[k]]++;
        remakingAll[uses.elementOf[k]] += remaking[k];
      }
    }
    for (int element = 0; element < leaving.length; element++) {
      cost += cost(element);
    }
  }

  /** Whether there are steps between the two uses. */
  boolean takesRoom(int interval) {
    return uses.to[interval] > uses.from[interval] + 1;
  }

  boolean stays(int interval) {
    return stays[interval];
  }

  /** Number of intervals of an element that are not spent on the device. */
  int leaving(int element) {
    return leaving[element];
  }

  /** What leaving costs, in bytes, beyond the compulsory ones. */
  long cost() {
    return cost;
  }

  /** Whether an element that leaves is computed again each time, instead of saved. */
  boolean isRemade(int element) {
    return leaving[element] > 0 && remakingAll[element] < savedCost(element, leaving[element]);
  }

  private long cost(int element) {
    return cost(element, leaving[element], remakingAll[element]);
  }

  private long cost(int element, int left, long remade) {
    return left == 0 ? 0 : Math.min(remade, savedCost(element, left));
  }

  private long savedCost(int element, int left) {
    return uses.bytes[element] * (left + (uses.dirty[element] ? 1 : 0));
  }

  /** What it costs that this interval leaves, which stays or, if it leaves, what it costs now. */
  long costOfLeaving(int interval) {
    int element = uses.elementOf[interval];
    int others = leaving[element] - (stays[interval] ? 0 : 1);
    long remade = remakingAll[element] - (stays[interval] ? 0 : remaking[interval]);
    long more =
        cost(element, others + 1, remade + remaking[interval]) - cost(element, others, remade);
    for (int k = remakes.firstHelped[interval];
        stays[interval] && k < remakes.firstHelped[interval + 1];
        k++) {
      int owner = uses.elementOf[remakes.helped[k]];
      more +=
          stays[remakes.helped[k]]
              ? 0
              : cost(owner, leaving[owner], remakingAll[owner] + uses.bytes[element]) - cost(owner);
    }
    return more;
  }

  /** Whether there is room at every step for the element to stay. */
  boolean fits(int interval) {
    return room.least(uses.from[interval] + 1, uses.to[interval])
        >= uses.bytes[uses.elementOf[interval]];
  }

  /** Spends an interval on the device, even without room. */
  void keep(int interval) {
    set(interval, true);
  }

  void letGo(int interval) {
    set(interval, false);
  }

  private void set(int interval, boolean staying) {
    int element = uses.elementOf[interval];
    int sign = staying ? 1 : -1;
    stays[interval] = staying;
    cost -= cost(element);
    leaving[element] -= sign;
    remakingAll[element] -= sign * remaking[interval];
    cost += cost(element);
    for (int k = remakes.firstHelped[interval]; k < remakes.firstHelped[interval + 1]; k++) {
      int helped = remakes.helped[k];
      int owner = uses.elementOf[helped];
      remaking[helped] -= sign * uses.bytes[element];
      if (!stays[helped]) {
        cost -= cost(owner);
        remakingAll[owner] -= sign * uses.bytes[element];
        cost += cost(owner);
      }
    }
    room.take(uses.from[interval] + 1, uses.to[interval], sign * uses.bytes[element]);
  }
}
