package org.starlingqcd.hadron.data;

import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.schedule.Input;

/**
 * Values {@code first … first + count - 1} of the open leg of a baryon elemental, [count][N][N], or
 * {@link #ALL} of an input of any kind.
 */
public record Rows(int first, int count) {
  /** The whole input. */
  public static final Rows ALL = new Rows(0, Integer.MAX_VALUE);

  /** Whether this is the whole input. */
  public boolean isAll() {
    return equals(ALL);
  }

  /** Bytes before the first row within the whole input. */
  public long offset(int eigenvectors, Precision precision) {
    return first * TensorShape.elemental(eigenvectors).in(precision).bytes();
  }

  /** Bytes of these rows of an input in double precision. */
  public long bytes(Input input, int eigenvectors) {
    return isAll()
        ? input.bytes(eigenvectors)
        : count * TensorShape.elemental(eigenvectors).bytes();
  }

  /** Bytes of these rows of an input. */
  public long bytes(Input input, int eigenvectors, Precision precision) {
    return bytes(input, eigenvectors) / Double.BYTES * precision.realBytes();
  }
}
