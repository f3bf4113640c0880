package org.starlingqcd.hadron.data;

import java.util.Arrays;

/** A small complex square matrix; row-major, interleaved. Products cost 8 N³ flops. */
public final class ComplexMatrix {
  private final int size;
  private final double[] values;

  /** A matrix of N · N interleaved complex numbers, which are not copied. */
  public ComplexMatrix(int size, double[] values) {
    if (values.length != 2 * size * size) {
      throw new IllegalArgumentException(
          "must be " + 2 * size * size + ": values=" + values.length + " size=" + size);
    }
    this.size = size;
    this.values = values;
  }

  /** The unit matrix. */
  public static ComplexMatrix unit(int size) {
    double[] values = new double[2 * size * size];
    for (int k = 0; k < size; k++) {
      values[2 * k * (size + 1)] = 1;
    }
    return new ComplexMatrix(size, values);
  }

  /** Rows and columns. */
  public int size() {
    return size;
  }

  /** Real part of an entry. */
  public double re(int row, int column) {
    return values[2 * (row * size + column)];
  }

  /** Imaginary part of an entry. */
  public double im(int row, int column) {
    return values[2 * (row * size + column) + 1];
  }

  /** The matrix product. */
  public ComplexMatrix times(ComplexMatrix other) {
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
    return new ComplexMatrix(size, product);
  }

  /** The product with a real number. */
  public ComplexMatrix times(double factor) {
    double[] product = values.clone();
    Arrays.setAll(product, k -> factor * product[k]);
    return new ComplexMatrix(size, product);
  }

  /** The sum. */
  public ComplexMatrix plus(ComplexMatrix other) {
    double[] sum = values.clone();
    Arrays.setAll(sum, k -> sum[k] + other.values[k]);
    return new ComplexMatrix(size, sum);
  }

  /** The difference. */
  public ComplexMatrix minus(ComplexMatrix other) {
    double[] difference = values.clone();
    Arrays.setAll(difference, k -> difference[k] - other.values[k]);
    return new ComplexMatrix(size, difference);
  }

  /** The transpose. */
  public ComplexMatrix transposed() {
    double[] result = new double[values.length];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        result[2 * (j * size + i)] = re(i, j);
        result[2 * (j * size + i) + 1] = im(i, j);
      }
    }
    return new ComplexMatrix(size, result);
  }

  /** The conjugate transpose. */
  public ComplexMatrix adjoint() {
    ComplexMatrix result = transposed();
    for (int k = 1; k < result.values.length; k += 2) {
      result.values[k] = -result.values[k];
    }
    return result;
  }

  /** The numbers, row-major, interleaved; they are not copied. */
  double[] values() {
    return values;
  }

  /** Tr[A† B], real and imaginary part. */
  public double[] inner(ComplexMatrix other) {
    double re = 0;
    double im = 0;
    for (int k = 0; k < values.length; k += 2) {
      re += values[k] * other.values[k] + values[k + 1] * other.values[k + 1];
      im += values[k] * other.values[k + 1] - values[k + 1] * other.values[k];
    }
    return new double[] {re, im};
  }

  /** Tr[A B], real and imaginary part. */
  public double[] traceWith(ComplexMatrix other) {
    return adjoint().inner(other);
  }

  /** Tr[A† A]. */
  public double norm2() {
    return inner(this)[0];
  }

  /** The largest modulus of an entry. */
  public double largest() {
    double largest = 0;
    for (int k = 0; k < values.length; k += 2) {
      largest = Math.max(largest, Math.hypot(values[k], values[k + 1]));
    }
    return largest;
  }
}
