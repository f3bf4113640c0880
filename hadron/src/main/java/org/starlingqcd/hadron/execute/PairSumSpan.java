package org.starlingqcd.hadron.execute;

import java.util.List;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.baryon.SpinVectors;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.hadron.data.ComplexMatrix;

/**
 * Sums over spin components of two lines as a basis, in which others are expressed; vectors are
 * those of {@link SpinVectors}.
 */
final class PairSumSpan {
  /**
   * A remainder below this fraction of the largest entry is a rounding error. The sums have at most
   * a few hundred terms of order one.
   */
  private static final double ROUNDING = 1e-12;

  /*
   * Modified Gram-Schmidt, twice for each vector: sums[k] = Σ_m triangle[m][k] · orthonormal[m].
   */
  private final double[][] orthonormal;
  private final double[][] triangle;

  private PairSumSpan(int size) {
    orthonormal = new double[size][];
    triangle = new double[size][2 * size];
  }

  /**
   * The span of some sums; those that depend on sums before them have no coordinate of their own.
   */
  static PairSumSpan of(List<PairSum> sums) {
    PairSumSpan span = new PairSumSpan(sums.size());
    for (int k = 0; k < sums.size(); k++) {
      double[] rest = new double[2 * SpinVectors.LENGTH];
      SpinVectors.add(rest, sums.get(k), Complex.ONE);
      double norm = Math.sqrt(ComplexMatrix.inner(rest, rest)[0]);
      for (int repeat = 0; repeat < 2; repeat++) {
        for (int m = 0; m < k; m++) {
          double[] along = ComplexMatrix.inner(span.orthonormal[m], rest);
          SpinVectors.addTo(rest, span.orthonormal[m], -along[0], -along[1]);
          span.triangle[m][2 * k] += along[0];
          span.triangle[m][2 * k + 1] += along[1];
        }
      }
      double left = Math.sqrt(ComplexMatrix.inner(rest, rest)[0]);
      boolean independent = left > ROUNDING * norm;
      for (int i = 0; i < rest.length; i++) {
        rest[i] = independent ? rest[i] / left : 0;
      }
      span.orthonormal[k] = rest;
      span.triangle[k][2 * k] = independent ? left : 0;
    }
    return span;
  }

  /**
   * The coordinates of a vector, interleaved complex.
   *
   * @throws IllegalArgumentException if it is not in the span: the plan was made for data in
   *     another kind of spin basis
   */
  double[] coordinates(double[] vector) {
    double largest = SpinVectors.largest(vector);
    double[] rest = vector.clone();
    double[] x = new double[2 * orthonormal.length];
    for (int m = 0; m < orthonormal.length; m++) {
      double[] along = ComplexMatrix.inner(orthonormal[m], rest);
      SpinVectors.addTo(rest, orthonormal[m], -along[0], -along[1]);
      x[2 * m] = along[0];
      x[2 * m + 1] = along[1];
    }
    if (SpinVectors.largest(rest) > ROUNDING * Math.max(1, largest)) {
      throw new IllegalArgumentException(
          "the plan was made for data whose spin basis keeps the components of baryons apart; these"
              + " data's does not");
    }
    for (int k = orthonormal.length - 1; k >= 0; k--) {
      double diagonal = triangle[k][2 * k];
      x[2 * k] = diagonal == 0 ? 0 : x[2 * k] / diagonal;
      x[2 * k + 1] = diagonal == 0 ? 0 : x[2 * k + 1] / diagonal;
      for (int m = 0; m < k; m++) {
        double re = triangle[m][2 * k];
        double im = triangle[m][2 * k + 1];
        x[2 * m] -= re * x[2 * k] - im * x[2 * k + 1];
        x[2 * m + 1] -= re * x[2 * k + 1] + im * x[2 * k];
      }
    }
    for (int k = 0; k < x.length; k++) {
      x[k] = Math.abs(x[k]) > ROUNDING * largest ? x[k] : 0;
    }
    return x;
  }
}
