package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * Numbers one after the other in a file: raw files, and what follows the header of a {@code .npy}
 * file.
 *
 * <p>A box is read in runs of consecutive bytes. Runs that are shorter than a page of the disk are
 * read together with what lies between them, up to {@value #BUFFER} bytes at a time. The file is
 * open only while it is read, so that data in thousands of files need no thousands of descriptors.
 */
public final class FlatArray implements NumberArray {
  private static final int BUFFER = 1 << 20;
  private static final int PAGE = 4096;
  private static final String CUT_SHORT = "cannot be read: it became shorter while it was read";

  private final Path path;
  private final long offset;
  private final NumberType type;
  private final long[] extents;

  /**
   * @param offset where the first number begins, in bytes
   * @throws DistillationException when the file is too short for the extents
   */
  FlatArray(Path path, long offset, NumberType type, long[] extents) {
    this.path = path;
    this.offset = offset;
    this.type = type;
    this.extents = extents.clone();
    long wanted = wanted();
    long found = size(path);
    if (found < wanted) {
      throw new DistillationException(
          ("%s: is cut short or has another shape: %s numbers of %s bytes after byte %s "
                  + "need %s bytes, the file has %s")
              .formatted(
                  path,
                  Arrays.toString(extents),
                  type.bytes(),
                  offset,
                  wanted == Long.MAX_VALUE ? "more than 2^63" : wanted,
                  found));
    }
  }

  /**
   * Numbers without a header.
   *
   * @param offset where the first number begins, in bytes
   * @throws DistillationException when the file does not exist, or has another size than the
   *     extents ask for
   */
  public static FlatArray raw(Path path, long offset, NumberType type, long[] extents) {
    FlatArray array = new FlatArray(path, offset, type, extents);
    long found = size(path);
    if (found != array.wanted()) {
      throw new DistillationException(
          ("%s: has another shape: %s numbers of %s bytes after byte %s end at byte %s, "
                  + "the file has %s bytes")
              .formatted(
                  path, Arrays.toString(extents), type.bytes(), offset, array.wanted(), found));
    }
    return array;
  }

  /** Bytes of the file; the largest number when they exceed it. */
  private long wanted() {
    try {
      return Math.addExact(
          offset, Math.multiplyExact(NumberArray.size(extents), (long) type.bytes()));
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  private static long size(Path path) {
    try (BinaryFile file = new BinaryFile(path, CUT_SHORT)) {
      return file.size();
    }
  }

  @Override
  public String name() {
    return path.toString();
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
    if (NumberArray.size(count) == 0) {
      return;
    }
    long[] strides = new long[extents.length];
    long stride = 1;
    long first = 0;
    for (int axis = extents.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      first += start[axis] * stride;
      stride *= extents[axis];
    }
    int split = firstAxisReadAtOnce(count, strides);
    try (BinaryFile file = new BinaryFile(path, CUT_SHORT)) {
      new Box(file, count, strides, split, target).read(0, first);
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

  /** One reading of a box. */
  private final class Box {
    private final BinaryFile file;
    private final long[] count;
    private final long[] strides;
    private final int split;
    private final double[] target;
    private final ByteBuffer buffer;
    private final int span;
    private int done;

    Box(BinaryFile file, long[] count, long[] strides, int split, double[] target) {
      this.file = file;
      this.count = count;
      this.strides = strides;
      this.split = split;
      this.target = target;
      long numbers = 1;
      for (int axis = split; axis < count.length; axis++) {
        numbers += (count[axis] - 1) * strides[axis];
      }
      this.span = (int) numbers;
      this.buffer = ByteBuffer.allocateDirect(span * type.bytes());
    }

    void read(int axis, long at) {
      if (axis == split) {
        file.fill(buffer.clear(), offset + at * type.bytes(), "");
        pick(split, 0);
        return;
      }
      for (long k = 0; k < count[axis]; k++) {
        read(axis + 1, at + k * strides[axis]);
      }
    }

    /** Takes the numbers of the box from the buffer. */
    private void pick(int axis, int at) {
      if (axis >= count.length - 1) {
        int numbers = axis == count.length ? 1 : (int) count[axis];
        type.decode(buffer, at * type.bytes(), target, done, numbers);
        done += numbers * type.components();
        return;
      }
      for (int k = 0; k < count[axis]; k++) {
        pick(axis + 1, at + k * (int) strides[axis]);
      }
    }
  }
}
