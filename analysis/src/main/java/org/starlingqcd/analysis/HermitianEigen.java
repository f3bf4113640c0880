package org.starlingqcd.analysis;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Eigenvalues and orthonormal eigenvectors of a complex Hermitian matrix by Jacobi rotations.
 *
 * @param values eigenvalues, descending
 * @param vectors interleaved complex [state][component], one eigenvector a row
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record HermitianEigen(double[] values, double[] vectors) {
  /*
   * Cyclic Jacobi (Golub and Van Loan, "Matrix Computations", 4th ed., 8.5; complex case: remove the phase of
   * a_pq, then rotate by the real angle). EJML has no Hermitian solver, and its QR iteration on the real
   * symmetric matrix of twice the size would lose the small eigenvalues of a graded matrix, such as C at a late
   * time: Jacobi keeps their relative accuracy. Eigenvectors are orthonormal to eps even where eigenvalues
   * coincide. A sweep costs O(n³); five to ten sweeps are needed, and n is at most some tens.
   */

  private static final int MAXIMAL_SWEEPS = 60;
  private static final double EPSILON = Math.ulp(1.0);

  /**
   * Decomposes a matrix.
   *
   * @param matrix interleaved complex [n][n], row-major; only its Hermitian part counts
   */
  static HermitianEigen of(double[] matrix, int n) {
    if (matrix.length != 2 * n * n) {
      throw new IllegalArgumentException(
          "must be 2 n² = " + 2 * n * n + ": matrix.length=" + matrix.length);
    }
    double[] a = hermitianPart(matrix, n);
    double[] v = new double[2 * n * n];
    for (int k = 0; k < n; k++) {
      v[2 * (k * n + k)] = 1;
    }
    double floor = EPSILON * EPSILON * Math.sqrt(Arrays.stream(a).map(x -> x * x).sum());
    for (int sweep = 0; sweep < MAXIMAL_SWEEPS; sweep++) {
      boolean rotated = false;
      for (int p = 0; p < n; p++) {
        for (int q = p + 1; q < n; q++) {
          rotated |= rotate(a, v, n, p, q, floor);
        }
      }
      if (!rotated) {
        return sorted(a, v, n);
      }
    }
    throw new ArithmeticException(
        "Jacobi rotations of a " + n + " x " + n + " matrix do not converge: is it finite?");
  }

  /** (A + A†) / 2. */
  static double[] hermitianPart(double[] matrix, int n) {
    double[] a = new double[2 * n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        int ij = 2 * (i * n + j);
        int ji = 2 * (j * n + i);
        a[ij] = 0.5 * (matrix[ij] + matrix[ji]);
        a[ij + 1] = 0.5 * (matrix[ij + 1] - matrix[ji + 1]);
      }
    }
    return a;
  }

  /**
   * Makes a_pq zero by A ← J† A J unless it is negligible; the rows of V turn with the columns of
   * J.
   */
  private static boolean rotate(double[] a, double[] v, int n, int p, int q, double floor) {
    int pq = 2 * (p * n + q);
    double modulus = Math.hypot(a[pq], a[pq + 1]);
    double app = a[2 * (p * n + p)];
    double aqq = a[2 * (q * n + q)];
    if (modulus <= floor || modulus <= 0.25 * EPSILON * Math.sqrt(Math.abs(app * aqq))) {
      return false;
    }
    double phaseRe = a[pq] / modulus;
    double phaseIm = a[pq + 1] / modulus;
    double theta = (aqq - app) / (2 * modulus);
    double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(theta, 1));
    double c = 1 / Math.hypot(t, 1);
    double s = t * c;
    // Columns of J: e_p' = c e_p - s conj(phase) e_q, e_q' = s phase e_p + c e_q.
    for (int k = 0; k < n; k++) {
      int kp = 2 * (k * n + p);
      int kq = 2 * (k * n + q);
      combine(a, kp, kq, c, s, phaseRe, -phaseIm);
    }
    for (int k = 0; k < n; k++) {
      int pk = 2 * (p * n + k);
      int qk = 2 * (q * n + k);
      combine(a, pk, qk, c, s, phaseRe, phaseIm);
      combine(v, pk, qk, c, s, phaseRe, -phaseIm);
    }
    a[pq] = 0;
    a[pq + 1] = 0;
    int qp = 2 * (q * n + p);
    a[qp] = 0;
    a[qp + 1] = 0;
    a[2 * (p * n + p)] = app - t * modulus;
    a[2 * (p * n + p) + 1] = 0;
    a[2 * (q * n + q)] = aqq + t * modulus;
    a[2 * (q * n + q) + 1] = 0;
    return true;
  }

  /** (x, y) ← (c x - s w y, s conj(w) x + c y) for the complex numbers at two positions. */
  private static void combine(
      double[] m, int x, int y, double c, double s, double wRe, double wIm) {
    double xr = m[x];
    double xi = m[x + 1];
    double yr = m[y];
    double yi = m[y + 1];
    m[x] = c * xr - s * (wRe * yr - wIm * yi);
    m[x + 1] = c * xi - s * (wRe * yi + wIm * yr);
    m[y] = s * (wRe * xr + wIm * xi) + c * yr;
    m[y + 1] = s * (wRe * xi - wIm * xr) + c * yi;
  }

  private static HermitianEigen sorted(double[] a, double[] v, int n) {
    List<Integer> order =
        IntStream.range(0, n)
            .boxed()
            .sorted(Comparator.comparingDouble(k -> -a[2 * (k * n + k)]))
            .toList();
    double[] values = new double[n];
    double[] vectors = new double[2 * n * n];
    for (int k = 0; k < n; k++) {
      values[k] = a[2 * order.get(k) * (n + 1)];
      System.arraycopy(v, 2 * n * order.get(k), vectors, 2 * n * k, 2 * n);
    }
    return new HermitianEigen(values, vectors);
  }
}
