package org.starlingqcd.hadron.data;

import org.starlingqcd.backend.Precision;
import org.starlingqcd.graph.schedule.Input;

/**
 * Values {@code first … first + count - 1} of the first index of an input, which is the open leg of
 * a baryon elemental, [count][N][N], or the first pair of a tetraquark, [count][P]; or {@link #ALL}
 * of an input of any kind.
 */
public record Rows(int first, int count) {
  /** The whole input. */
  public static final Rows ALL = new Rows(0, Integer.MAX_VALUE);

  /** Whether rows of an input can be loaded by themselves. */
  public static boolean areIn(Input input) {
    return input instanceof Input.BaryonElemental || input instanceof Input.Tetraquark;
  }

  /** The rows that an input has. */
  public static int of(Input input, int eigenvectors) {
    return input instanceof Input.Tetraquark k ? k.colour().pairs(eigenvectors) : eigenvectors;
  }

  /** Whether this is the whole input. */
  public boolean isAll() {
    return equals(ALL);
  }

  /** Bytes before the first row within the whole input. */
  public long offset(Input input, int eigenvectors, Precision precision) {
    return new Rows(0, first).bytes(input, eigenvectors, precision);
  }

  /** Bytes of these rows of an input in double precision. */
  public long bytes(Input input, int eigenvectors) {
    long all = input.bytes(eigenvectors);
    return isAll() ? all : count * (all / of(input, eigenvectors));
  }

  /** Bytes of these rows of an input. */
  public long bytes(Input input, int eigenvectors, Precision precision) {
    return bytes(input, eigenvectors) / Double.BYTES * precision.realBytes();
  }
}
