package org.starlingqcd.memhc.table;

import java.util.Arrays;

/** The elements pinned for the batch that is being assembled, in order. */
public final class Pins {
  private final ElementTable table;
  private int[] elements = new int[64];
  private int count;
  private long bytes;

  /** No pins. */
  public Pins(ElementTable table) {
    this.table = table;
  }

  public int count() {
    return count;
  }

  /** Bytes of the pinned elements, without those that are held or used in place. */
  long bytes() {
    return bytes;
  }

  int get(int k) {
    return elements[k];
  }

  void add(int element) {
    if (table.has(element, ElementTable.PINNED)) {
      return;
    }
    if (count == elements.length) {
      elements = Arrays.copyOf(elements, 2 * count);
    }
    elements[count++] = element;
    table.set(element, ElementTable.PINNED);
    bytes += table.has(element, ElementTable.HELD) ? 0 : table.bytes[element];
  }

  /** A pinned element is used in slow memory and takes none of the device's budget. */
  void useInPlace(int element) {
    bytes -= table.has(element, ElementTable.HELD) ? 0 : table.bytes[element];
    table.set(element, ElementTable.IN_PLACE);
  }

  /** Unpins the elements from number {@code from} on; {@link #get} still returns them. */
  public void truncate(int from) {
    for (int k = from; k < count; k++) {
      int element = elements[k];
      table.clear(element, ElementTable.PINNED);
      boolean free = table.has(element, ElementTable.HELD | ElementTable.IN_PLACE);
      bytes -= free ? 0 : table.bytes[element];
    }
    count = from;
  }
}
