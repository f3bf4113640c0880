package org.starlingqcd.analysis;

import java.util.Arrays;
import org.ejml.data.ZMatrixRMaj;
import org.ejml.dense.row.CommonOps_ZDRM;

/**
 * A Hermitian positive definite matrix M, seen as the metric of the generalized problem C v = λ M
 * v.
 *
 * @param matrix its Hermitian part
 * @param whitening W with W M W† = 1
 * @param smallest the smallest eigenvalue of M scaled to unit diagonal; NaN if a diagonal element
 *     is not positive
 * @param isPositive whether M is positive definite beyond rounding, without which it is no metric
 */
record Metric(
    int n, ZMatrixRMaj matrix, ZMatrixRMaj whitening, double smallest, boolean isPositive) {
  /*
   * M is scaled to unit diagonal, S M S with S_ii = M_ii^(-1/2), because operators differ in norm by orders of
   * magnitude; its eigenvectors U and eigenvalues D give W = D^(-1/2) U† S with W M W† = 1. C v = λ M v becomes
   * (W C W†) u = λ u with v = W† u, so that v_k† M v_l = δ_kl. Cholesky's factor would serve as W too; this
   * way also gives the smallest eigenvalue, which tells how far M is from singular.
   */

  /**
   * The metric of a matrix.
   *
   * @param matrix interleaved complex [n][n]; its Hermitian part counts
   */
  static Metric of(double[] matrix, int n) {
    double[] roots = new double[n];
    Arrays.setAll(roots, i -> Math.sqrt(matrix[2 * i * (n + 1)]));
    ZMatrixRMaj part = wrapped(n, HermitianEigen.hermitianPart(matrix, n));
    if (!Arrays.stream(roots).allMatch(root -> root > 0)) {
      return new Metric(n, part, new ZMatrixRMaj(n, n), Double.NaN, false);
    }
    double[] scaled = new double[2 * n * n];
    Arrays.setAll(scaled, k -> matrix[k] / (roots[k / 2 / n] * roots[k / 2 % n]));
    HermitianEigen eigen = HermitianEigen.of(scaled, n);
    double smallest = eigen.values()[n - 1];
    double[] whitening = new double[2 * n * n];
    for (int k = 0; k < whitening.length; k++) {
      double norm = Math.sqrt(eigen.values()[k / 2 / n]) * roots[k / 2 % n];
      whitening[k] = (k % 2 == 0 ? 1 : -1) * eigen.vectors()[k] / norm;
    }
    boolean positive = smallest > n * Math.ulp(1.0) * eigen.values()[0];
    return new Metric(n, part, wrapped(n, whitening), smallest, positive);
  }

  /**
   * Solves C v = λ M v.
   *
   * @param c interleaved complex [n][n]; its Hermitian part counts
   * @return λ descending, and v as rows, interleaved complex [state][operator], with v_k† M v_l =
   *     δ_kl
   */
  HermitianEigen solve(double[] c) {
    ZMatrixRMaj half = new ZMatrixRMaj(n, n);
    ZMatrixRMaj whitened = new ZMatrixRMaj(n, n);
    CommonOps_ZDRM.mult(whitening, wrapped(n, c), half);
    CommonOps_ZDRM.multTransB(half, whitening, whitened);
    HermitianEigen eigen = HermitianEigen.of(whitened.data, n);
    // v = W† u, with u and v as rows: v_k[i] = Σ_l W[l][i]* u_k[l].
    ZMatrixRMaj vectors = new ZMatrixRMaj(n, n);
    CommonOps_ZDRM.mult(wrapped(n, eigen.vectors()), conjugated(whitening.data), vectors);
    return new HermitianEigen(eigen.values(), vectors.data);
  }

  /**
   * The overlaps x_k† M y_l.
   *
   * @param x vectors as rows, interleaved complex [k][operator]
   * @param y vectors as rows, interleaved complex [l][operator]
   * @return interleaved complex [k][l]
   */
  double[] overlaps(double[] x, double[] y) {
    ZMatrixRMaj half = new ZMatrixRMaj(n, n);
    ZMatrixRMaj overlaps = new ZMatrixRMaj(n, n);
    // (M y_l)_i as [i][l] is M Yᵀ; then X* (M Yᵀ).
    CommonOps_ZDRM.multTransB(matrix, conjugated(y), half);
    CommonOps_ZDRM.mult(conjugated(x), half, overlaps);
    return overlaps.data;
  }

  /** M v for vectors as rows. */
  double[] times(double[] rows) {
    ZMatrixRMaj product = new ZMatrixRMaj(n, n);
    // V Mᵀ, and Mᵀ is M* of a Hermitian matrix.
    CommonOps_ZDRM.mult(wrapped(n, rows), conjugated(matrix.data), product);
    return product.data;
  }

  private static ZMatrixRMaj wrapped(int n, double[] data) {
    return new ZMatrixRMaj(n, n, true, data);
  }

  private ZMatrixRMaj conjugated(double[] rows) {
    double[] conjugate = rows.clone();
    for (int k = 1; k < conjugate.length; k += 2) {
      conjugate[k] = -conjugate[k];
    }
    return wrapped(n, conjugate);
  }
}
