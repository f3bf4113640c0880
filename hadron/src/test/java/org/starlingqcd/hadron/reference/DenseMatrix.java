package org.starlingqcd.hadron.reference;

import java.util.Arrays;
import org.starlingqcd.graph.Complex;

/** A square complex matrix with the plainest loops. */
public final class DenseMatrix {
  private final int size;
  private final Complex[][] entries;

  /** A matrix of zeros. */
  public DenseMatrix(int size) {
    this.size = size;
    entries = new Complex[size][size];
    for (Complex[] row : entries) {
      Arrays.fill(row, Complex.ZERO);
    }
  }

  /** A matrix from interleaved numbers, row-major, beginning at complex number {@code from}. */
  public static DenseMatrix of(int size, double[] numbers, int from) {
    DenseMatrix matrix = new DenseMatrix(size);
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        int k = 2 * (from + i * size + j);
        matrix.entries[i][j] = new Complex(numbers[k], numbers[k + 1]);
      }
    }
    return matrix;
  }

  public Complex get(int i, int j) {
    return entries[i][j];
  }

  public void set(int i, int j, Complex value) {
    entries[i][j] = value;
  }

  public DenseMatrix times(DenseMatrix other) {
    DenseMatrix product = new DenseMatrix(size);
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        for (int k = 0; k < size; k++) {
          product.entries[i][j] =
              product.entries[i][j].plus(entries[i][k].times(other.entries[k][j]));
        }
      }
    }
    return product;
  }

  public DenseMatrix adjoint() {
    DenseMatrix adjoint = new DenseMatrix(size);
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        adjoint.entries[j][i] = entries[i][j].conjugate();
      }
    }
    return adjoint;
  }

  public Complex trace() {
    Complex sum = Complex.ZERO;
    for (int i = 0; i < size; i++) {
      sum = sum.plus(entries[i][i]);
    }
    return sum;
  }

  /** The Kronecker product: index {@code row * other.size + otherRow}. */
  public DenseMatrix kronecker(DenseMatrix other) {
    DenseMatrix product = new DenseMatrix(size * other.size);
    for (int a = 0; a < size; a++) {
      for (int b = 0; b < size; b++) {
        for (int i = 0; i < other.size; i++) {
          for (int j = 0; j < other.size; j++) {
            product.entries[a * other.size + i][b * other.size + j] =
                entries[a][b].times(other.entries[i][j]);
          }
        }
      }
    }
    return product;
  }
}
