package org.starlingqcd.blockcache;

import java.util.ArrayList;
import java.util.List;

/**
 * Which segments there are. A word of a segment holds its number, the token of the process that
 * appends to it, and its state: active while that process may append, sealed afterwards. A sealed
 * segment never becomes active again.
 */
final class SegmentTable {
  private static final long ACTIVE = 1;
  private static final long SEALED = 2;
  private static final long STATE = 7;
  private static final int OWNER_AT = 3;
  private static final int NUMBER_AT = 35;
  private static final long NUMBERS = (1L << 28) - 1;
  private static final int WRITTEN = 8;

  private final SharedFile shared;

  SegmentTable(SharedFile shared) {
    this.shared = shared;
  }

  /**
   * A segment as it was when the table was read.
   *
   * @param number its number
   * @param word its word
   * @param written bytes of its records
   */
  record Segment(long number, long word, long written) {
    boolean isActive() {
      return (word & STATE) == ACTIVE;
    }

    int owner() {
      return (int) (word >>> OWNER_AT) & Integer.MAX_VALUE;
    }
  }

  /** The word of a new active segment of a process; 0 when there are too many segments. */
  long add(int token) {
    for (int tries = 0; tries < shared.sizes().segments(); tries++) {
      long number = shared.getAndAdd(SharedFile.NEXT_SEGMENT, 1) & NUMBERS;
      long word = number << NUMBER_AT | (long) token << OWNER_AT | ACTIVE;
      if (number != 0 && shared.compareAndSet(at(number), 0, word)) {
        shared.set(at(number) + WRITTEN, 0);
        return word;
      }
    }
    return 0;
  }

  private int at(long number) {
    return shared.segment((int) (number % shared.sizes().segments()));
  }

  static long number(long word) {
    return word >>> NUMBER_AT & NUMBERS;
  }

  /** Whether a segment may still be appended to. */
  boolean isActive(long word) {
    return shared.get(at(number(word))) == word;
  }

  /** Whether there is a segment of this number. */
  boolean exists(long number) {
    long word = shared.get(at(number));
    return word != 0 && number(word) == number;
  }

  /** Notes the end of the last record. */
  void written(long word, long bytes) {
    shared.set(at(number(word)) + WRITTEN, bytes);
  }

  void seal(Segment segment) {
    if (segment.isActive()) {
      shared.compareAndSet(
          at(segment.number()), segment.word(), (segment.word() & ~STATE) | SEALED);
    }
  }

  /** Forgets a segment whose file has been removed. */
  void remove(Segment segment) {
    shared.set(at(segment.number()) + WRITTEN, 0);
    shared.set(at(segment.number()), 0);
  }

  List<Segment> all() {
    List<Segment> all = new ArrayList<>();
    for (int k = 0; k < shared.sizes().segments(); k++) {
      int at = shared.segment(k);
      long word = shared.get(at);
      if (word != 0) {
        all.add(new Segment(number(word), word, shared.get(at + WRITTEN)));
      }
    }
    return all;
  }

  /** Bytes of the records of all segments, also of those that no entry leads to. */
  long writtenBytes() {
    return all().stream().mapToLong(Segment::written).sum();
  }
}
