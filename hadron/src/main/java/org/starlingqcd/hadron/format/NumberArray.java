package org.starlingqcd.hadron.format;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * A row-major array of numbers in a file, of which boxes are read. Numbers are widened to 64 bits;
 * a complex number is two doubles, real part first.
 */
public interface NumberArray {
  /** What a message calls it: its file, and its place there. */
  String name();

  /** Its extents, the slowest axis first. */
  long[] extents();

  /** Whether a number is a pair of doubles. */
  boolean isComplex();

  /**
   * Reads a box, row-major.
   *
   * @param start first index along each axis
   * @param count number of indices along each axis
   * @param target room for the numbers of the box, from its beginning
   * @throws DistillationException when it cannot be read
   */
  void read(long[] start, long[] count, double[] target);

  /** The numbers of a box. */
  default double[] read(long[] start, long... count) {
    double[] numbers = new double[Math.toIntExact(2 * size(count))];
    read(start, count, numbers);
    return numbers;
  }

  /** Numbers in a box. */
  static long size(long[] count) {
    return Arrays.stream(count).reduce(1, Math::multiplyExact);
  }

  /** Hands over the position of each index along the axes {@code axis … end - 1}, in order. */
  static void each(
      long[] count, long[] stride, int axis, int end, long position, LongConsumer use) {
    if (axis >= end) {
      use.accept(position);
      return;
    }
    for (long k = 0; k < count[axis]; k++) {
      each(count, stride, axis + 1, end, position + k * stride[axis], use);
    }
  }

  /**
   * Gathers complex numbers, row by row.
   *
   * @param count numbers along each axis of the result
   * @param stride steps along them in {@code source}
   * @param at the first double of {@code target}
   */
  static void gather(double[] source, long[] count, long[] stride, double[] target, int at) {
    int last = count.length - 1;
    int[] to = {at};
    each(
        count,
        stride,
        0,
        last,
        0,
        begin -> {
          int from = (int) (2 * begin);
          for (int k = 0; k < count[last]; k++) {
            target[to[0]++] = source[from];
            target[to[0]++] = source[from + 1];
            from += (int) (2 * stride[last]);
          }
        });
  }

  /**
   * A row-major array of complex numbers with its axes in another order.
   *
   * @param order for each axis of the result, the axis of {@code source}
   */
  static double[] permuted(double[] source, int[] extents, int... order) {
    long[] count = new long[order.length];
    long[] stride = new long[order.length];
    for (int k = 0; k < order.length; k++) {
      count[k] = extents[order[k]];
      stride[k] = 1;
      for (int axis = order[k] + 1; axis < extents.length; axis++) {
        stride[k] *= extents[axis];
      }
    }
    double[] result = new double[source.length];
    gather(source, count, stride, result, 0);
    return result;
  }

  /**
   * An array whose last axis, of extent 2, is real and imaginary part.
   *
   * @throws DistillationException when it is complex, or its last axis has another extent
   */
  static NumberArray lastAxis(NumberArray parts) {
    long[] all = parts.extents();
    int last = all.length - 1;
    if (parts.isComplex() || last < 0 || all[last] != 2) {
      throw DistillationException.of(
          "%s: expected real numbers whose last axis has extent 2, found %s numbers of shape %s",
          parts.name(), parts.isComplex() ? "complex" : "real", Arrays.toString(all));
    }
    return new Read(
        parts.name(),
        Arrays.copyOf(all, last),
        true,
        (start, count, target) -> {
          long[] whole = Arrays.copyOf(count, last + 1);
          whole[last] = 2;
          parts.read(Arrays.copyOf(start, last + 1), whole, target);
        });
  }

  /**
   * An array whose real and imaginary parts are two arrays.
   *
   * @throws DistillationException when one is complex, or their extents differ
   */
  static NumberArray split(NumberArray real, NumberArray imaginary) {
    boolean complex = real.isComplex() || imaginary.isComplex();
    if (complex || !Arrays.equals(real.extents(), imaginary.extents())) {
      throw DistillationException.of(
          "%s and %s: expected real numbers of one shape, found shapes %s and %s%s",
          real.name(),
          imaginary.name(),
          Arrays.toString(real.extents()),
          Arrays.toString(imaginary.extents()),
          complex ? " with complex numbers" : "");
    }
    return new Read(
        real.name(),
        real.extents(),
        true,
        (start, count, target) -> {
          double[] part = new double[Math.toIntExact(size(count))];
          for (int k = 0; k < 2; k++) {
            (k == 0 ? real : imaginary).read(start, count, part);
            for (int at = 0; at < part.length; at++) {
              target[2 * at + k] = part[at];
            }
          }
        });
  }

  /** An array that is read by a function. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Read(String name, long[] extents, boolean isComplex, Reading reading)
      implements NumberArray {
    /** Reads a box. */
    interface Reading {
      /** As {@link NumberArray#read}. */
      void read(long[] start, long[] count, double[] target);
    }

    @Override
    public void read(long[] start, long[] count, double[] target) {
      reading.read(start, count, target);
    }
  }
}
