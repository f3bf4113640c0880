package org.starlingqcd.hadron.hdf5.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The single integers and strings among the attributes of a file's root, read without the HDF5
 * library: opening a file with it takes ten times as long, which counts where the headers of ten
 * thousand files are looked at.
 */
final class RootAttributes {
  private static final int FIXED = 0;
  private static final int STRING = 3;
  private static final int VARIABLE = 9;
  private static final int SIGNED = 8;
  private static final int VARIABLE_STRING = 1;

  private final GlobalHeaps heaps;
  private final Map<String, Object> values = new HashMap<>();
  private boolean complete = true;

  RootAttributes(GlobalHeaps heaps) {
    this.heaps = heaps;
  }

  /** By name, each a {@link Long} or a {@link String}; empty when one is of another kind. */
  Map<String, Object> values() {
    return complete ? values : Map.of();
  }

  /** Notes that the root has an attribute that is not read here. */
  void isIncomplete() {
    complete = false;
  }

  /**
   * Adds an attribute whose parts were checked.
   *
   * @param name with the zero behind it
   * @param type its datatype
   * @param count number of elements
   * @param data the elements
   */
  void add(ByteBuffer name, ByteBuffer type, long count, ByteBuffer data)
      throws DamageException, IOException {
    int kind = type.get(0) & 15;
    int bits = type.get(1);
    int size = type.getInt(4);
    if (count == 1 && kind == FIXED && size == Long.BYTES && bits == SIGNED) {
      values.put(text(name), data.getLong(0));
    } else if (count == 1 && kind == STRING) {
      values.put(text(name), text(data.slice(0, size)));
    } else if (count == 1 && kind == VARIABLE && (bits & 15) == VARIABLE_STRING) {
      values.put(text(name), text(heaps.text(data)));
    } else {
      complete = false;
    }
  }

  /** The text before the first zero. */
  private String text(ByteBuffer bytes) {
    byte[] found = new byte[bytes.remaining()];
    bytes.get(found);
    int end = 0;
    while (end < found.length && found[end] != 0) {
      end++;
    }
    return new String(found, 0, end, StandardCharsets.UTF_8);
  }
}
