package org.starlingqcd.hadron.format;

import java.util.Arrays;
import org.starlingqcd.hadron.data.DistillationException;

/** Complex arrays made of arrays of real numbers. */
public final class ComplexArrays {
  private ComplexArrays() {}

  /**
   * An array whose last axis, of extent 2, is real and imaginary part.
   *
   * @throws DistillationException when it is complex, or its last axis has another extent
   */
  public static NumberArray lastAxis(NumberArray parts) {
    long[] all = parts.extents();
    if (parts.isComplex() || all.length == 0 || all[all.length - 1] != 2) {
      throw new DistillationException(
          ("%s: expected real numbers whose last axis has extent 2, found %s numbers of "
                  + "shape %s")
              .formatted(
                  parts.name(), parts.isComplex() ? "complex" : "real", Arrays.toString(all)));
    }
    return new Combined(
        parts.name(),
        Arrays.copyOf(all, all.length - 1),
        (start, count, target) -> {
          long[] whole = Arrays.copyOf(count, all.length);
          whole[all.length - 1] = 2;
          parts.read(Arrays.copyOf(start, all.length), whole, target);
        });
  }

  /**
   * An array whose real and imaginary parts are two arrays.
   *
   * @throws DistillationException when one is complex, or their extents differ
   */
  public static NumberArray split(NumberArray real, NumberArray imaginary) {
    if (real.isComplex()
        || imaginary.isComplex()
        || !Arrays.equals(real.extents(), imaginary.extents())) {
      throw new DistillationException(
          "%s and %s: expected real numbers of one shape, found shapes %s and %s%s"
              .formatted(
                  real.name(),
                  imaginary.name(),
                  Arrays.toString(real.extents()),
                  Arrays.toString(imaginary.extents()),
                  real.isComplex() || imaginary.isComplex() ? " with complex numbers" : ""));
    }
    return new Combined(
        real.name(),
        real.extents(),
        (start, count, target) -> {
          double[] part = new double[Math.toIntExact(NumberArray.size(count))];
          real.read(start, count, part);
          for (int k = 0; k < part.length; k++) {
            target[2 * k] = part[k];
          }
          imaginary.read(start, count, part);
          for (int k = 0; k < part.length; k++) {
            target[2 * k + 1] = part[k];
          }
        });
  }

  private interface Reading {
    void read(long[] start, long[] count, double[] target);
  }

  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Combined(String name, long[] extents, Reading reading) implements NumberArray {
    @Override
    public boolean isComplex() {
      return true;
    }

    @Override
    public void read(long[] start, long[] count, double[] target) {
      reading.read(start, count, target);
    }
  }
}
