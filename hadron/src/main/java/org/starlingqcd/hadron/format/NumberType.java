package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a number lies in a file.
 *
 * @param complex whether it is a real and an imaginary part
 * @param componentBytes 4 or 8
 * @param order the order of the bytes of a component
 */
public record NumberType(boolean complex, int componentBytes, ByteOrder order) {
  private static final Pattern NAME = Pattern.compile("([<>=]?)([cf])(\\d{1,2})");

  /**
   * The type of a name such as {@code <c16}, {@code >f8} or {@code c8}: floating-point numbers and
   * complex numbers of NumPy.
   *
   * @param otherwise the order of bytes when the name tells none
   * @return empty for anything else
   */
  public static Optional<NumberType> of(String name, ByteOrder otherwise) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    boolean complex = matcher.group(2).equals("c");
    int component = Integer.parseInt(matcher.group(3)) / (complex ? 2 : 1);
    if (!matcher.group(3).equals(String.valueOf(component * (complex ? 2 : 1)))
        || (component != 4 && component != 8)) {
      return Optional.empty();
    }
    ByteOrder order =
        switch (matcher.group(1)) {
          case "<" -> ByteOrder.LITTLE_ENDIAN;
          case ">" -> ByteOrder.BIG_ENDIAN;
          case "=" -> ByteOrder.nativeOrder();
          default -> otherwise;
        };
    return Optional.of(new NumberType(complex, component, order));
  }

  /** Doubles in a number. */
  int components() {
    return complex ? 2 : 1;
  }

  /** Bytes in a number. */
  int bytes() {
    return components() * componentBytes;
  }

  /** Widens {@code count} numbers of {@code bytes}, the first at byte {@code at}. */
  void decode(ByteBuffer bytes, int at, double[] target, int offset, int count) {
    ByteBuffer part = bytes.duplicate().order(order).position(at);
    int doubles = count * components();
    if (componentBytes == Double.BYTES) {
      part.asDoubleBuffer().get(target, offset, doubles);
      return;
    }
    for (int k = 0; k < doubles; k++) {
      target[offset + k] = part.getFloat();
    }
  }
}
