package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * Numbers one after the other in a file: raw files, and what follows the header of a {@code .npy}
 * file.
 *
 * <p>A box is read in runs of consecutive bytes. Runs that are shorter than a page of the disk are
 * read together with what lies between them, up to {@value #BUFFER} bytes at a time. The file is
 * open only while it is read, so that data in thousands of files need no thousands of descriptors.
 */
public final class FlatArray extends FileFaults implements NumberArray {
  private static final int BUFFER = 1 << 20;
  private static final int PAGE = 4096;
  private static final String CUT_SHORT = "cannot be read: it became shorter while it was read";

  /**
   * How a number lies in a file.
   *
   * @param complex whether it is a real and an imaginary part
   * @param componentBytes 4 or 8
   * @param order the order of the bytes of a component
   */
  record NumberType(boolean complex, int componentBytes, ByteOrder order) {
    private static final Pattern NAME = Pattern.compile("([<>=]?)(?:(c)(8|16)|f([48]))");

    /**
     * The type of a name such as {@code <c16}, {@code >f8} or {@code c8}: floating-point numbers
     * and complex numbers of NumPy. Empty for anything else.
     *
     * @param otherwise the order of bytes when the name tells none
     */
    static Optional<NumberType> of(String name, ByteOrder otherwise) {
      Matcher matcher = NAME.matcher(name);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      boolean complex = matcher.group(2) != null;
      return Optional.of(
          new NumberType(
              complex,
              complex ? Integer.parseInt(matcher.group(3)) / 2 : Integer.parseInt(matcher.group(4)),
              switch (matcher.group(1)) {
                case "<" -> ByteOrder.LITTLE_ENDIAN;
                case ">" -> ByteOrder.BIG_ENDIAN;
                case "=" -> ByteOrder.nativeOrder();
                default -> otherwise;
              }));
    }

    /** Doubles in a number. */
    int components() {
      return complex ? 2 : 1;
    }

    /** Bytes in a number. */
    int bytes() {
      return components() * componentBytes;
    }

    /** Widens {@code doubles} components of {@code bytes}, the first at byte {@code at}. */
    void decode(ByteBuffer bytes, int at, double[] target, int offset, int doubles) {
      ByteBuffer part = bytes.duplicate().order(order).position(at);
      if (componentBytes == Double.BYTES) {
        part.asDoubleBuffer().get(target, offset, doubles);
        return;
      }
      for (int k = 0; k < doubles; k++) {
        target[offset + k] = part.getFloat();
      }
    }
  }

  private final long offset;
  private final NumberType type;
  private final long[] extents;

  /**
   * @param offset where the first number begins, in bytes
   * @throws DistillationException when the file is too short for the extents
   */
  FlatArray(Path path, long offset, NumberType type, long[] extents) {
    super(path);
    this.offset = offset;
    this.type = type;
    this.extents = extents.clone();
    Object wanted = wanted() == Long.MAX_VALUE ? "more than 2^63" : wanted();
    if (size() < wanted()) {
      throw fault(
          "is cut short or has another shape: %s numbers of %s bytes after byte %s need %s bytes,"
              + " the file has %s",
          Arrays.toString(extents), type.bytes(), offset, wanted, size());
    }
  }

  /**
   * Numbers without a header.
   *
   * @param offset where the first number begins, in bytes
   * @throws DistillationException when the file does not exist, or has another size than the
   *     extents ask for
   */
  static FlatArray raw(Path path, long offset, NumberType type, long[] extents) {
    FlatArray array = new FlatArray(path, offset, type, extents);
    if (array.size() != array.wanted()) {
      throw array.fault(
          "has another shape: %s numbers of %s bytes after byte %s end at byte %s, the file has %s"
              + " bytes",
          Arrays.toString(extents), type.bytes(), offset, array.wanted(), array.size());
    }
    return array;
  }

  /** Bytes of the file that are needed; the largest number when they exceed it. */
  private long wanted() {
    try {
      return Math.addExact(
          offset, Math.multiplyExact(NumberArray.size(extents), (long) type.bytes()));
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  private long size() {
    try (BinaryFile file = new BinaryFile(path(), CUT_SHORT)) {
      return file.size();
    }
  }

  @Override
  public String name() {
    return path().toString();
  }

  @Override
  public long[] extents() {
    return extents.clone();
  }

  @Override
  public boolean isComplex() {
    return type.complex();
  }

  @Override
  public void read(long[] start, long[] count, double[] target) {
    int rank = extents.length;
    if (NumberArray.size(count) == 0) {
      return;
    }
    long[] strides = new long[rank];
    long stride = 1;
    long first = 0;
    for (int axis = rank - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      first += start[axis] * stride;
      stride *= extents[axis];
    }
    int split = firstAxisReadAtOnce(count, strides);
    int span = 1;
    for (int axis = split; axis < rank; axis++) {
      span += (int) ((count[axis] - 1) * strides[axis]);
    }
    // Numbers that are consecutive in the file and in the box.
    int run = type.components() * (split == rank ? 1 : (int) count[rank - 1]);
    int[] done = new int[1];
    ByteBuffer buffer = ByteBuffer.allocateDirect(span * type.bytes());
    try (BinaryFile file = new BinaryFile(path(), CUT_SHORT)) {
      NumberArray.each(
          count,
          strides,
          0,
          split,
          first,
          at -> {
            file.fill(buffer.clear(), offset + at * type.bytes(), "");
            NumberArray.each(
                count,
                strides,
                split,
                rank - 1,
                0,
                within -> {
                  type.decode(buffer, (int) within * type.bytes(), target, done[0], run);
                  done[0] += run;
                });
          });
    }
  }

  /**
   * The slowest axis from which on the box is read by one call: its bytes are consecutive, or the
   * runs that it would break into are shorter than a page.
   */
  private int firstAxisReadAtOnce(long[] count, long[] strides) {
    int split = count.length;
    long span = 1;
    long useful = 1;
    while (split > 0) {
      int axis = split - 1;
      long longer = span + (count[axis] - 1) * strides[axis];
      long more = useful * count[axis];
      boolean worthIt = longer == more || span * type.bytes() < PAGE;
      if (longer > BUFFER / type.bytes() || !worthIt) {
        break;
      }
      span = longer;
      useful = more;
      split = axis;
    }
    return split;
  }
}
