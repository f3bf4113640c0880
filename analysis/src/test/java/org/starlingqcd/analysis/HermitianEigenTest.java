package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.ejml.data.ZMatrixRMaj;
import org.ejml.dense.row.CommonOps_ZDRM;
import org.junit.jupiter.api.Test;

final class HermitianEigenTest {
  private static final double EPSILON = Math.ulp(1.0);

  @Test
  void random_agreesWithTheRealSymmetricProblemOfTwiceTheSize() {
    SplittableRandom random = new SplittableRandom(1);
    for (int n = 1; n <= 20; n++) {
      double[] a = randomHermitian(n, random);
      HermitianEigen eigen = HermitianEigen.of(a, n);
      check(a, n, eigen);
      assertArrayEquals(embeddedEigenvalues(a, n), eigen.values(), 100 * EPSILON * norm(a));
    }
  }

  @Test
  void phases_ofATwoByTwoMatrixGiveItsClosedForm() {
    // [[1, 2i], [-2i, 4]]: λ = 5/2 ± sqrt(9/4 + 4)
    HermitianEigen eigen = HermitianEigen.of(new double[] {1, 0, 0, 2, 0, -2, 4, 0}, 2);
    assertArrayEquals(new double[] {5, 0}, eigen.values(), 8 * EPSILON);
    check(new double[] {1, 0, 0, 2, 0, -2, 4, 0}, 2, eigen);
  }

  @Test
  void degenerate_eigenvectorsStayOrthonormal() {
    // 2 - 4 x x†/|x|²: eigenvalue 2 (n-1 times) and -2.
    int n = 7;
    SplittableRandom random = new SplittableRandom(2);
    double[] x = random.doubles(2L * n, -1, 1).toArray();
    double square = Arrays.stream(x).map(v -> v * v).sum();
    double[] a = new double[2 * n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        a[2 * (i * n + j)] =
            (i == j ? 2 : 0) - 4 * (x[2 * i] * x[2 * j] + x[2 * i + 1] * x[2 * j + 1]) / square;
        a[2 * (i * n + j) + 1] = -4 * (x[2 * i + 1] * x[2 * j] - x[2 * i] * x[2 * j + 1]) / square;
      }
    }
    HermitianEigen eigen = HermitianEigen.of(a, n);
    check(a, n, eigen);
    double[] expected = new double[n];
    Arrays.fill(expected, 2);
    expected[n - 1] = -2;
    assertArrayEquals(expected, eigen.values(), 100 * EPSILON * norm(a));
  }

  @Test
  void graded_smallEigenvaluesKeepTheirRelativeAccuracy() {
    // diag(1, 1e-8, 1e-16) with off-diagonal elements of 1e-3 relative size, as a late correlation
    // matrix has.
    double[] scale = {1, 1e-4, 1e-8};
    double[] a = new double[18];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        a[2 * (i * 3 + j)] = scale[i] * scale[j] * (i == j ? 1 : 1e-3);
      }
    }
    double[] values = HermitianEigen.of(a, 3).values();
    // det = (1 - 1e-3)² (1 + 2e-3) Π scale²; the smallest follows from the other two.
    double determinant = (1 - 1e-3) * (1 - 1e-3) * (1 + 2e-3) * 1e-24;
    assertEquals(1, values[0] * values[1] * values[2] / determinant, 100 * EPSILON);
  }

  @Test
  void zeroAndDiagonal_needNoRotation() {
    assertArrayEquals(new double[3], HermitianEigen.of(new double[18], 3).values());
    double[] diagonal = new double[18];
    diagonal[0] = -1;
    diagonal[8] = 3;
    diagonal[16] = 2;
    HermitianEigen eigen = HermitianEigen.of(diagonal, 3);
    assertArrayEquals(new double[] {3, 2, -1}, eigen.values());
    check(diagonal, 3, eigen);
  }

  @Test
  void rankDeficient_converges() {
    // 1 everywhere: eigenvalue n and zeros.
    int n = 9;
    double[] a = new double[2 * n * n];
    for (int k = 0; k < a.length; k += 2) {
      a[k] = 1;
    }
    HermitianEigen eigen = HermitianEigen.of(a, n);
    check(a, n, eigen);
    assertEquals(n, eigen.values()[0], 100 * EPSILON * n);
  }

  @Test
  void notFinite_isRefused() {
    assertThrows(
        ArithmeticException.class,
        () -> HermitianEigen.of(new double[] {1, 0, Double.NaN, 0, 0, 0, 1, 0}, 2));
    assertThrows(IllegalArgumentException.class, () -> HermitianEigen.of(new double[7], 2));
  }

  /** A v = λ v and v_k† v_l = δ_kl; rounding grows with n in every sum and sweep. */
  private static void check(double[] a, int n, HermitianEigen eigen) {
    for (int k = 1; k < n; k++) {
      assertTrue(eigen.values()[k - 1] >= eigen.values()[k], "descending");
    }
    // Rows are eigenvectors: V Aᵀ = λ V, and V V† = 1.
    ZMatrixRMaj v = new ZMatrixRMaj(n, n, true, eigen.vectors());
    ZMatrixRMaj product = new ZMatrixRMaj(n, n);
    ZMatrixRMaj conjugate = new ZMatrixRMaj(n, n);
    CommonOps_ZDRM.conjugate(new ZMatrixRMaj(n, n, true, a), conjugate);
    CommonOps_ZDRM.multTransB(v, conjugate, product);
    double[] expected = eigen.vectors().clone();
    Arrays.setAll(expected, k -> eigen.values()[k / 2 / n] * expected[k]);
    assertArrayEquals(expected, product.data, 20 * n * EPSILON * Math.max(1, norm(a)));
    CommonOps_ZDRM.multTransB(v, v, product);
    assertArrayEquals(CommonOps_ZDRM.identity(n).data, product.data, 20 * n * EPSILON);
  }

  /**
   * Eigenvalues of [[Re A, -Im A], [Im A, Re A]], where each of A's occurs twice, by another
   * library.
   */
  private static double[] embeddedEigenvalues(double[] a, int n) {
    double[][] real = new double[2 * n][2 * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        real[i][j] = a[2 * (i * n + j)];
        real[n + i][n + j] = real[i][j];
        real[n + i][j] = a[2 * (i * n + j) + 1];
        real[i][n + j] = -real[n + i][j];
      }
    }
    RealMatrix symmetric = MatrixUtils.createRealMatrix(real);
    double[] all = new EigenDecomposition(symmetric).getRealEigenvalues();
    Arrays.sort(all);
    return IntStream.range(0, n).mapToDouble(k -> all[2 * (n - 1 - k)]).toArray();
  }

  static double[] randomHermitian(int n, SplittableRandom random) {
    return HermitianEigen.hermitianPart(random.doubles(2L * n * n, -1, 1).toArray(), n);
  }

  private static double norm(double[] a) {
    return Math.sqrt(Arrays.stream(a).map(x -> x * x).sum());
  }
}
