package org.starlingqcd.analysis.fit;

import java.util.Arrays;
import java.util.Locale;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;

/**
 * The covariance of the points of a correlator, made safe to invert.
 *
 * <p>With few bins the smallest eigenvalues of an estimated correlation matrix are far too small,
 * and its inverse is useless. Shrinkage moves the matrix towards the unit matrix by the share that
 * minimizes the expected distance from the true one for normally distributed data (Chen, Wiesel,
 * Eldar and Hero, arXiv:0907.4698, equation 17). The SVD cut raises eigenvalues below a fraction of
 * the largest one to that fraction (Lepage et al., hep-lat/0110175).
 *
 * @param errors of the points
 * @param correlations made safe
 * @param share of the unit matrix; 0 without shrinkage
 * @param bins how many independent measurements there are
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Covariance(double[] errors, RealMatrix correlations, double share, int bins) {
  /** How the correlation matrix is made safe. */
  public enum Method {
    /** Towards the unit matrix. */
    SHRINKAGE,
    /** Small eigenvalues are raised. */
    SVD;

    /** As users write it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Estimates the covariance from samples.
   *
   * @param samples [sample][point], all finite
   * @param factor of the sum over samples: (B-1)/B for the jackknife, 1/(S-1) for the bootstrap
   * @param bins how many independent measurements there are
   * @param cut the fraction of {@link Method#SVD}
   */
  public static Covariance of(
      double[][] samples, double factor, int bins, Method method, double cut) {
    int points = samples[0].length;
    double[] mean = new double[points];
    for (double[] sample : samples) {
      for (int k = 0; k < points; k++) {
        mean[k] += sample[k] / samples.length;
      }
    }
    double[][] matrix = new double[points][points];
    for (double[] sample : samples) {
      for (int i = 0; i < points; i++) {
        for (int j = 0; j < points; j++) {
          matrix[i][j] += factor * (sample[i] - mean[i]) * (sample[j] - mean[j]);
        }
      }
    }
    double[] errors = new double[points];
    Arrays.setAll(errors, k -> Math.sqrt(matrix[k][k]));
    for (int k = 0; k < points * points; k++) {
      int i = k / points;
      int j = k % points;
      matrix[i][j] = i == j ? 1 : matrix[i][j] / (errors[i] * errors[j]);
    }
    RealMatrix correlations = MatrixUtils.createRealMatrix(matrix);
    if (method == Method.SVD) {
      return new Covariance(errors, raised(correlations, cut), 0, bins);
    }
    double share = share(correlations, bins);
    RealMatrix unit = MatrixUtils.createRealIdentityMatrix(points).scalarMultiply(share);
    return new Covariance(errors, correlations.scalarMultiply(1 - share).add(unit), share, bins);
  }

  /** The share of the unit matrix, from n measurements of p numbers. */
  private static double share(RealMatrix correlations, int n) {
    double p = correlations.getRowDimension();
    double trace = correlations.getTrace();
    double traceOfSquare = correlations.multiply(correlations).getTrace();
    double spread = (n + 2) * (traceOfSquare - trace * trace / p);
    return spread > 0 ? Math.min(1, ((n - 2.0) / n * traceOfSquare + trace * trace) / spread) : 1;
  }

  private static RealMatrix raised(RealMatrix correlations, double cut) {
    EigenDecomposition eigen = new EigenDecomposition(correlations);
    double[] values = eigen.getRealEigenvalues();
    double largest = StatUtils.max(values);
    for (int k = 0; k < values.length; k++) {
      values[k] = Math.max(values[k], cut * largest);
    }
    RealMatrix vectors = eigen.getV();
    return vectors
        .multiply(MatrixUtils.createRealDiagonalMatrix(values))
        .multiply(vectors.transpose());
  }

  /**
   * What the variance of a fitted parameter over samples is multiplied with. The samples keep the
   * covariance, whose own noise the fit has adapted to: with ν degrees of freedom and N bins the
   * variance is larger than the true minimum by 1 + ν/N and looks smaller by 1 - ν/N (Toussaint and
   * Freeman, arXiv:0808.2211).
   */
  public double inflation(int degrees) {
    double share = Math.min(0.5, degrees / (double) bins);
    return (1 + share) / (1 - share);
  }

  /**
   * The matrix W with W†W the inverse of the covariance of the points from one on; null when it is
   * singular.
   */
  public @Nullable RealMatrix whitening(int first) {
    int points = errors.length - first;
    EigenDecomposition eigen =
        new EigenDecomposition(
            correlations.getSubMatrix(first, errors.length - 1, first, errors.length - 1));
    double[] values = eigen.getRealEigenvalues();
    RealMatrix vectors = eigen.getV();
    RealMatrix whitening = MatrixUtils.createRealMatrix(points, points);
    for (int row = 0; row < points; row++) {
      if (!(values[row] > 0)) {
        return null;
      }
      for (int k = 0; k < points; k++) {
        whitening.setEntry(
            row, k, vectors.getEntry(k, row) / (Math.sqrt(values[row]) * errors[first + k]));
      }
    }
    return whitening;
  }

  /** chi² of differences at all points; NaN when the covariance is singular. */
  public double chiSquared(double[] differences) {
    RealMatrix whitening = whitening(0);
    return whitening == null
        ? Double.NaN
        : Arrays.stream(whitening.operate(differences)).map(x -> x * x).sum();
  }
}
