package org.starlingqcd.elementals;

import java.util.Arrays;
import java.util.Random;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/** A random gauge field near the free one, and the lowest eigenvectors of its Laplacian. */
final class SmearingField {
  private SmearingField() {}

  /** A random SU(3) matrix, row by row; with a small {@code width} it is near the unit matrix. */
  static double[] su3(Random random, double width) {
    double[] u = new double[18];
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        u[2 * (3 * a + b)] = (a == b ? 1 : 0) + width * random.nextGaussian();
        u[2 * (3 * a + b) + 1] = width * random.nextGaussian();
      }
    }
    for (int a = 0; a < 2; a++) {
      orthonormalize(u, a, 3);
    }
    // The last row is the conjugate of the cross product of the others: the determinant is 1.
    for (int c = 0; c < 3; c++) {
      int d = (c + 1) % 3;
      int e = (c + 2) % 3;
      double[] x = times(u, d, 3 + e);
      double[] y = times(u, e, 3 + d);
      u[2 * (6 + c)] = x[0] - y[0];
      u[2 * (6 + c) + 1] = -(x[1] - y[1]);
    }
    return u;
  }

  private static double[] times(double[] u, int i, int j) {
    return new double[] {
      u[2 * i] * u[2 * j] - u[2 * i + 1] * u[2 * j + 1],
      u[2 * i] * u[2 * j + 1] + u[2 * i + 1] * u[2 * j]
    };
  }

  /** Takes earlier rows out of a row and gives it unit length; returns its length before that. */
  private static double orthonormalize(double[] rows, int row, int length) {
    for (int earlier = 0; earlier < row; earlier++) {
      double re = 0;
      double im = 0;
      for (int i = 0; i < length; i++) {
        int e = 2 * (earlier * length + i);
        int r = 2 * (row * length + i);
        re += rows[e] * rows[r] + rows[e + 1] * rows[r + 1];
        im += rows[e] * rows[r + 1] - rows[e + 1] * rows[r];
      }
      for (int i = 0; i < length; i++) {
        int e = 2 * (earlier * length + i);
        int r = 2 * (row * length + i);
        rows[r] -= re * rows[e] - im * rows[e + 1];
        rows[r + 1] -= re * rows[e + 1] + im * rows[e];
      }
    }
    double norm = 0;
    for (int i = 2 * row * length; i < 2 * (row + 1) * length; i++) {
      norm += rows[i] * rows[i];
    }
    norm = Math.sqrt(norm);
    for (int i = 2 * row * length; i < 2 * (row + 1) * length; i++) {
      rows[i] /= norm;
    }
    return norm;
  }

  /**
   * Links of all times and directions, and the n lowest eigenvectors of each time.
   *
   * @param width how far links are from the unit matrix
   */
  static RandomVectors eigenvectors(int l, int t, int n, double width, long seed) {
    Random random = new Random(seed);
    int sites = l * l * l;
    double[] links = new double[18 * t * 3 * sites];
    for (int link = 0; link < t * 3 * sites; link++) {
      System.arraycopy(su3(random, width), 0, links, 18 * link, 18);
    }
    double[] vectors = new double[6 * t * n * sites];
    RandomVectors field = new RandomVectors(l, t, n, vectors, links);
    for (int time = 0; time < t; time++) {
      double[] lowest = lowest(field, time);
      System.arraycopy(lowest, 0, vectors, time * lowest.length, lowest.length);
    }
    return field;
  }

  /** {@code -Δv = 6v - Σ_k (U_k(x) v(x+k) + U_k(x-k)† v(x-k))}. */
  static double[] laplacian(RandomVectors field, int time, double[] v) {
    double[] one = {1, 0};
    double[] result = new double[v.length];
    for (int k = 0; k < 3; k++) {
      double[] hop = field.hop(time, v, k, one, one);
      for (int i = 0; i < v.length; i++) {
        result[i] += 2 * v[i] - hop[i];
      }
    }
    return result;
  }

  /**
   * The eigenvectors of the real symmetric matrix [[A, -B], [B, A]] for A + iB. Each eigenvalue is
   * there twice; of the two complex vectors that belong to it the second is dropped, because the
   * first leaves nothing of it.
   */
  private static double[] lowest(RandomVectors field, int time) {
    int size = 3 * field.l * field.l * field.l;
    DMatrixRMaj matrix = new DMatrixRMaj(2 * size, 2 * size);
    for (int column = 0; column < 2 * size; column++) {
      double[] unit = new double[2 * size];
      unit[column < size ? 2 * column : 2 * (column - size) + 1] = 1;
      double[] image = laplacian(field, time, unit);
      for (int row = 0; row < size; row++) {
        matrix.set(row, column, image[2 * row]);
        matrix.set(size + row, column, image[2 * row + 1]);
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(2 * size, true, true);
    if (!eigen.decompose(matrix)) {
      throw new AssertionError("no eigenvectors");
    }
    Integer[] order = new Integer[2 * size];
    Arrays.setAll(order, k -> k);
    Arrays.sort(
        order,
        (a, b) ->
            Double.compare(eigen.getEigenvalue(a).getReal(), eigen.getEigenvalue(b).getReal()));
    double[] lowest = new double[2 * field.n * size];
    int found = 0;
    for (int k = 0; found < field.n; k++) {
      DMatrixRMaj vector = eigen.getEigenVector(order[k]);
      for (int i = 0; i < size; i++) {
        lowest[2 * (found * size + i)] = vector.get(i, 0);
        lowest[2 * (found * size + i) + 1] = vector.get(size + i, 0);
      }
      if (orthonormalize(lowest, found, size) > 1e-6) {
        found++;
      }
    }
    return lowest;
  }
}
