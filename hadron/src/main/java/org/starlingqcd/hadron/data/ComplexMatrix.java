package org.starlingqcd.hadron.data;

/** A small complex square matrix of any size. */
public final class ComplexMatrix extends SquareMatrix<ComplexMatrix> {
  /** A matrix of N · N interleaved complex numbers, row-major, which are not copied. */
  public ComplexMatrix(int size, double[] values) {
    super(size, values);
  }

  /** The unit matrix. */
  public static ComplexMatrix unit(int size) {
    double[] values = new double[2 * size * size];
    for (int k = 0; k < size; k++) {
      values[2 * k * (size + 1)] = 1;
    }
    return new ComplexMatrix(size, values);
  }

  @Override
  ComplexMatrix with(double[] numbers) {
    return new ComplexMatrix(size(), numbers);
  }

  /** Tr[A B], real and imaginary part. */
  public double[] traceWith(ComplexMatrix other) {
    return adjoint().inner(other);
  }
}
