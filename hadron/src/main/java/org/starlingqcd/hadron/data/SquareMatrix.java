package org.starlingqcd.hadron.data;

import java.util.Arrays;
import org.starlingqcd.graph.Complex;

/**
 * A small complex square matrix; row-major, interleaved. Products cost 8 N³ flops.
 *
 * @param <M> what sums and products are
 */
public abstract class SquareMatrix<M extends SquareMatrix<M>> {
  private final int size;
  private final double[] values;

  /** A matrix of N · N interleaved complex numbers, which are not copied. */
  SquareMatrix(int size, double[] values) {
    if (values.length != 2 * size * size) {
      throw new IllegalArgumentException(
          "must be " + 2 * size * size + ": values=" + values.length + " size=" + size);
    }
    this.size = size;
    this.values = values;
  }

  /** A matrix of this size. */
  abstract M with(double[] numbers);

  /** Rows and columns. */
  public final int size() {
    return size;
  }

  /** Real part of an entry. */
  public final double re(int row, int column) {
    return values[2 * (row * size + column)];
  }

  /** Imaginary part of an entry. */
  public final double im(int row, int column) {
    return values[2 * (row * size + column) + 1];
  }

  /** An entry. */
  public final Complex at(int row, int column) {
    return new Complex(re(row, column), im(row, column));
  }

  /** The matrix product. */
  public final M times(M other) {
    double[] product = new double[values.length];
    for (int i = 0; i < size; i++) {
      for (int k = 0; k < size; k++) {
        double re = re(i, k);
        double im = im(i, k);
        for (int j = 0; j < size; j++) {
          int to = 2 * (i * size + j);
          product[to] += re * other.re(k, j) - im * other.im(k, j);
          product[to + 1] += re * other.im(k, j) + im * other.re(k, j);
        }
      }
    }
    return with(product);
  }

  /** The product with a real number. */
  public final M times(double factor) {
    double[] product = values.clone();
    Arrays.setAll(product, k -> factor * product[k]);
    return with(product);
  }

  /** The sum. */
  public final M plus(M other) {
    double[] sum = values.clone();
    Arrays.setAll(sum, k -> sum[k] + other.values()[k]);
    return with(sum);
  }

  /** The difference. */
  public final M minus(M other) {
    return plus(other.times(-1));
  }

  /** The transpose. */
  public final M transposed() {
    double[] result = new double[values.length];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        result[2 * (j * size + i)] = re(i, j);
        result[2 * (j * size + i) + 1] = im(i, j);
      }
    }
    return with(result);
  }

  /** The conjugate transpose. */
  public final M adjoint() {
    M result = transposed();
    for (int k = 1; k < values.length; k += 2) {
      result.values()[k] = -result.values()[k];
    }
    return result;
  }

  /** The numbers, row-major, interleaved; they are not copied. */
  final double[] values() {
    return values;
  }

  /** Tr[A† A], the sum of the squared moduli of all entries. */
  public final double norm2() {
    return inner(values, values)[0];
  }

  /** The square root of {@link #norm2}. */
  public final double norm() {
    return Math.sqrt(norm2());
  }

  /** Tr[A† B], real and imaginary part. */
  public final double[] inner(M other) {
    return inner(values, other.values());
  }

  /** Σ a* b, real and imaginary part, of interleaved complex numbers. */
  public static double[] inner(double[] a, double[] b) {
    double re = 0;
    double im = 0;
    for (int k = 0; k < a.length; k += 2) {
      re += a[k] * b[k] + a[k + 1] * b[k + 1];
      im += a[k] * b[k + 1] - a[k + 1] * b[k];
    }
    return new double[] {re, im};
  }

  /** The largest modulus of an entry. */
  public final double largest() {
    double largest = 0;
    for (int k = 0; k < values.length; k += 2) {
      largest = Math.max(largest, Math.hypot(values[k], values[k + 1]));
    }
    return largest;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof SquareMatrix<?> that && Arrays.equals(values, that.values);
  }

  @Override
  public final int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public final String toString() {
    return Arrays.toString(values);
  }
}
