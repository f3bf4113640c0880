package org.starlingqcd.arrays;

/**
 * A part of an array that a call uses.
 *
 * @param offset first byte
 * @param bytes its length: the call's own shapes and leading dimensions say it
 */
record Operand(HostArray array, long offset, long bytes, Use use) {
  /** What a call does with it. */
  enum Use {
    READ,
    /** Reads some of it or leaves some of it as it is, and writes. */
    UPDATE,
    /** Writes every byte and reads none. */
    OVERWRITE
  }

  Operand {
    if (offset < 0 || bytes < 1 || bytes > array.home().bytes() - offset) {
      throw new IndexOutOfBoundsException(
          "a call leaves the array %s: offset=%s bytes=%s of %s"
              .formatted(array.name(), offset, bytes, array.home().bytes()));
    }
  }

  long start() {
    return array.home().address() + offset;
  }

  long end() {
    return start() + bytes;
  }

  boolean writes() {
    return use != Use.READ;
  }
}
