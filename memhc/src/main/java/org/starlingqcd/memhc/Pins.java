package org.starlingqcd.memhc;

import java.util.Arrays;

/**
 * The pins of the batch that is being assembled, in order. An element has as many as steps and
 * operands of the batch use it, and stays until all of them have ended.
 */
final class Pins {
  private final ElementTable table;
  private int[] elements = new int[64];

  /** Whether a pin is the only one of its element so far. */
  private boolean[] first = new boolean[64];

  private int count;
  private long bytes;

  Pins(ElementTable table) {
    this.table = table;
  }

  /** Number of pins; an element that has several counts as often. */
  int count() {
    return count;
  }

  /** Bytes of the pinned elements, each once, without those that are held or used in place. */
  long bytes() {
    return bytes;
  }

  int get(int k) {
    return elements[k];
  }

  /** The elements of the pins from a number on. */
  int[] from(int k) {
    return Arrays.copyOfRange(elements, k, count);
  }

  /** Whether a pin was the first of its element, so that each element has one such pin. */
  boolean isFirst(int k) {
    return first[k];
  }

  /** Adds a pin; returns whether it is the first of the element. */
  boolean add(int element) {
    if (count == elements.length) {
      elements = Arrays.copyOf(elements, 2 * count);
      first = Arrays.copyOf(first, 2 * count);
    }
    boolean isFirst = table.pins[element]++ == 0;
    elements[count] = element;
    first[count++] = isFirst;
    if (isFirst) {
      table.set(element, ElementTable.PINNED);
      bytes += table.has(element, ElementTable.HELD) ? 0 : table.bytes[element];
    }
    return isFirst;
  }

  /**
   * A pinned element is used in slow memory and takes none of the device's budget.
   *
   * @param how in place or bypassed
   */
  void useInPlace(int element, Presence how) {
    bytes -= table.has(element, ElementTable.HELD) ? 0 : table.bytes[element];
    table.presence[element] = how;
  }

  /**
   * Ends the pins from number {@code from} on; {@link #get} and {@link #isFirst} still return what
   * they were.
   */
  void truncate(int from) {
    for (int k = from; k < count; k++) {
      int element = elements[k];
      if (--table.pins[element] == 0) {
        table.clear(element, ElementTable.PINNED);
        boolean free = table.has(element, ElementTable.HELD) || table.presence[element].isInPlace();
        bytes -= free ? 0 : table.bytes[element];
      }
    }
    count = from;
  }
}
