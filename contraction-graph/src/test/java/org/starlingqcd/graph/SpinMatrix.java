package org.starlingqcd.graph;

import java.util.Random;

/** A dense complex matrix in (spin ⊗ distillation) space, row {@code spin * N + i}; naive loops. */
final class SpinMatrix {
  final int n;
  final double[] re;
  final double[] im;

  SpinMatrix(int n) {
    this.n = n;
    re = new double[n * n];
    im = new double[n * n];
  }

  static SpinMatrix random(int n, Random random) {
    SpinMatrix m = new SpinMatrix(n);
    for (int k = 0; k < n * n; k++) {
      m.re[k] = random.nextGaussian();
      m.im[k] = random.nextGaussian();
    }
    return m;
  }

  SpinMatrix times(SpinMatrix other) {
    SpinMatrix r = new SpinMatrix(n);
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
          r.re[i * n + j] +=
              re[i * n + k] * other.re[k * n + j] - im[i * n + k] * other.im[k * n + j];
          r.im[i * n + j] +=
              re[i * n + k] * other.im[k * n + j] + im[i * n + k] * other.re[k * n + j];
        }
      }
    }
    return r;
  }

  SpinMatrix scaled(Complex c) {
    SpinMatrix r = new SpinMatrix(n);
    for (int k = 0; k < n * n; k++) {
      r.re[k] = re[k] * c.re() - im[k] * c.im();
      r.im[k] = re[k] * c.im() + im[k] * c.re();
    }
    return r;
  }

  SpinMatrix plus(SpinMatrix other) {
    SpinMatrix r = new SpinMatrix(n);
    for (int k = 0; k < n * n; k++) {
      r.re[k] = re[k] + other.re[k];
      r.im[k] = im[k] + other.im[k];
    }
    return r;
  }

  Complex at(int row, int column) {
    return new Complex(re[row * n + column], im[row * n + column]);
  }

  void add(int row, int column, Complex c) {
    re[row * n + column] += c.re();
    im[row * n + column] += c.im();
  }

  SpinMatrix adjoint() {
    SpinMatrix r = new SpinMatrix(n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        r.re[i * n + j] = re[j * n + i];
        r.im[i * n + j] = -im[j * n + i];
      }
    }
    return r;
  }

  Complex trace() {
    Complex sum = Complex.ZERO;
    for (int i = 0; i < n; i++) {
      sum = sum.plus(new Complex(re[i * n + i], im[i * n + i]));
    }
    return sum;
  }

  /** {@code 1 ⊗ φ} for a matrix φ in distillation space. */
  static SpinMatrix onAllSpins(SpinMatrix phi) {
    SpinMatrix r = new SpinMatrix(4 * phi.n);
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < phi.n; i++) {
        for (int j = 0; j < phi.n; j++) {
          r.re[(s * phi.n + i) * r.n + s * phi.n + j] = phi.re[i * phi.n + j];
          r.im[(s * phi.n + i) * r.n + s * phi.n + j] = phi.im[i * phi.n + j];
        }
      }
    }
    return r;
  }

  /**
   * {@code Γ ⊗ 1} in the DeGrand-Rossi basis, the g's of the mask multiplied in ascending order.
   */
  static SpinMatrix gamma(int mask, int extent) {
    SpinMatrix product = spins(extent, new int[] {0, 1, 2, 3}, new int[] {0, 0, 0, 0});
    // Column of the entry in each row, and its phase as a power of i, of g1 … g4.
    int[][] columns = {{3, 2, 1, 0}, {3, 2, 1, 0}, {2, 3, 0, 1}, {2, 3, 0, 1}};
    int[][] phases = {{1, 1, 3, 3}, {2, 0, 0, 2}, {1, 3, 3, 1}, {0, 0, 0, 0}};
    for (int mu = 0; mu < 4; mu++) {
      if ((mask >> mu & 1) != 0) {
        product = product.times(spins(extent, columns[mu], phases[mu]));
      }
    }
    return product;
  }

  private static SpinMatrix spins(int extent, int[] column, int[] phase) {
    SpinMatrix m = new SpinMatrix(4 * extent);
    double[] real = {1, 0, -1, 0};
    double[] imaginary = {0, 1, 0, -1};
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < extent; i++) {
        int at = (s * extent + i) * m.n + column[s] * extent + i;
        m.re[at] = real[phase[s]];
        m.im[at] = imaginary[phase[s]];
      }
    }
    return m;
  }
}
