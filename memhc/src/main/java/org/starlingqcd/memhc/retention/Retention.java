package org.starlingqcd.memhc.retention;

/**
 * A choice of the intervals that elements spend on the device, and the bytes that the other
 * intervals move. At the beginning every interval that takes room is spent elsewhere.
 */
final class Retention {
  private final UseIntervals uses;

  /** What the choice leaves free; negative where more stays than there is room for. */
  final RoomTree room;

  private final boolean[] stays;

  /** Intervals of each element that are not spent on the device. */
  private final int[] leaving;

  private long movedBytes;

  Retention(UseIntervals uses) {
    this.uses = uses;
    room = new RoomTree(uses);
    stays = new boolean[uses.count()];
    leaving = new int[uses.elements()];
    for (int k = 0; k < stays.length; k++) {
      if (takesRoom(k)) {
        movedBytes += bytesSaved(k, ++leaving[uses.elementOf[k]]);
      } else {
        stays[k] = true;
      }
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

  /** Bytes that leaving moves, beyond the compulsory ones. */
  long movedBytes() {
    return movedBytes;
  }

  /** Bytes that staying saves when so many intervals of the element leave, including this one. */
  private long bytesSaved(int interval, int leavingWithIt) {
    int element = uses.elementOf[interval];
    boolean writtenBack = uses.dirty[element] && leavingWithIt == 1;
    return writtenBack ? 2 * uses.bytes[element] : uses.bytes[element];
  }

  /** Bytes that move if this interval, which stays, leaves. */
  long costOfLeaving(int interval) {
    return bytesSaved(interval, leaving[uses.elementOf[interval]] + 1);
  }

  /** Whether there is room at every step for the element to stay. */
  boolean fits(int interval) {
    return room.least(uses.from[interval] + 1, uses.to[interval])
        >= uses.bytes[uses.elementOf[interval]];
  }

  /** Spends an interval on the device, even without room. */
  void keep(int interval) {
    int element = uses.elementOf[interval];
    stays[interval] = true;
    movedBytes -= bytesSaved(interval, leaving[element]--);
    room.take(uses.from[interval] + 1, uses.to[interval], uses.bytes[element]);
  }

  void letGo(int interval) {
    int element = uses.elementOf[interval];
    stays[interval] = false;
    movedBytes += bytesSaved(interval, ++leaving[element]);
    room.take(uses.from[interval] + 1, uses.to[interval], -uses.bytes[element]);
  }
}
