package org.starlingqcd.analysis.fit;

import java.util.Arrays;
import org.apache.commons.math3.exception.MathIllegalArgumentException;
import org.apache.commons.math3.exception.MathIllegalStateException;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresFactory;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresOptimizer;
import org.apache.commons.math3.fitting.leastsquares.LeastSquaresProblem;
import org.apache.commons.math3.fitting.leastsquares.LevenbergMarquardtOptimizer;
import org.apache.commons.math3.fitting.leastsquares.MultivariateJacobianFunction;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * The points of one window with their covariance, to which models are fitted.
 *
 * @param times separations, ascending
 * @param whitening of {@link Covariance}, in units of {@code unit}
 * @param unit points are divided by it, so that the first one is about 1
 * @param first number of the first point in the correlator
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record WindowData(double[] times, RealMatrix whitening, double unit, int first) {
  /** Pivots below this are zero when the curvature of chi² is inverted. */
  private static final double SINGULAR = 1e-14;

  private static final int MOST_EVALUATIONS = 300;

  /** Relative changes of chi² and of the parameters at which the search ends. */
  private static final double TOLERANCE = 1e-12;

  /** Energies differ by less than these in no lattice correlator that one fits. */
  private static final double LEAST_GAP = 1e-3;

  private static final double LARGEST_GAP = 10;

  /** The largest error of the logarithm of the gap. */
  private static final double MOST_GAP_ERROR = 1;

  /** The largest share of the higher state in an eigenvalue, which is that of the lower one. */
  private static final double MOST_OTHER = 0.5;

  /** A window that knows the energy, in lattice units, no better than this says nothing. */
  private static final double MOST_ERROR = 0.5;

  private static final double[] GAPS = {0.3, 0.8, 1.6};

  /**
   * The points {@code first … last} of a correlator; null when their covariance is singular or the
   * unit is 0.
   *
   * @param times separations of all points, ascending
   * @param unit points and errors are divided by it, so that the first point is about 1
   */
  static @Nullable WindowData of(
      double[] times, double unit, Covariance covariance, int first, int last) {
    RealMatrix whitening = covariance.whitening(first, last);
    return whitening == null || unit == 0
        ? null
        : new WindowData(
            Arrays.copyOfRange(times, first, last + 1),
            whitening.scalarMultiply(Math.abs(unit)),
            unit,
            first);
  }

  private double[] scaled(double[] points) {
    return Arrays.stream(points, first, first + times.length).map(x -> x / unit).toArray();
  }

  /**
   * A minimum of chi².
   *
   * @param parameters of {@link FitModel}
   * @param chiSquared its value
   * @param errors of the parameters, from the curvature of chi²; infinite where it has none
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Minimum(double[] parameters, double chiSquared, double[] errors) {}

  /**
   * The best fit from several starts; null when none converges to amplitudes of one sign. Two
   * states must be told apart by the data: each amplitude and the logarithm of the gap must be
   * known, or else the lower energy may be anything.
   *
   * @param points of the whole correlator
   */
  @Nullable Minimum search(FitModel model, double[] points) {
    double energy = slope(scaled(points));
    if (model.states() == 1) {
      return accepted(model, minimum(model, points, new double[] {1, energy}));
    }
    Minimum best = null;
    for (double gap : GAPS) {
      double[] start =
          model.pinned()
              ? new double[] {0.2, energy, Math.log(gap)}
              : new double[] {0.5, energy, 0.5, Math.log(gap)};
      Minimum found = accepted(model, minimum(model, points, start));
      if (found != null && (best == null || found.chiSquared() < best.chiSquared())) {
        best = found;
      }
    }
    return best;
  }

  /** The fall of the logarithm over the later half of the window. */
  private double slope(double[] values) {
    int last = values.length - 1;
    int first = last / 2;
    while (last > first && !(values[last] > 0)) {
      last--;
    }
    boolean falls = last > first && values[first] > values[last] && values[last] > 0;
    return falls
        ? Math.log(values[first] / values[last]) / (times[last] - times[first])
        : 0.1 / (times[times.length - 1] - times[0]);
  }

  private static @Nullable Minimum accepted(FitModel model, @Nullable Minimum found) {
    if (found == null || !(found.parameters()[0] > 0)) {
      return null;
    }
    if (model.states() == 1) {
      return found.errors()[1] < MOST_ERROR ? found : null;
    }
    double[] parameters = found.parameters();
    double[] errors = found.errors();
    int last = parameters.length - 1;
    double gap = Math.exp(parameters[last]);
    int amplitude = model.pinned() ? 0 : 2;
    boolean resolved =
        gap > LEAST_GAP
            && gap < LARGEST_GAP
            && errors[0] < parameters[0]
            && errors[amplitude] < parameters[amplitude]
            && (!model.pinned() || parameters[0] < MOST_OTHER)
            && errors[last] < MOST_GAP_ERROR;
    return resolved ? found : null;
  }

  /** The minimum near a start; null when the search does not converge. */
  @Nullable Minimum minimum(FitModel model, double[] points, double[] start) {
    RealVector observed = whitening.operate(new ArrayRealVector(scaled(points), false));
    MultivariateJacobianFunction function =
        point -> {
          double[] parameters = point.toArray();
          double[] found = new double[times.length];
          double[][] jacobian = new double[times.length][parameters.length];
          for (int k = 0; k < times.length; k++) {
            found[k] = model.value(parameters, times[k], times[0]);
            model.gradient(parameters, times[k], times[0], jacobian[k]);
          }
          return new Pair<>(
              whitening.operate(new ArrayRealVector(found, false)),
              whitening.multiply(new Array2DRowRealMatrix(jacobian, false)));
        };
    try {
      LeastSquaresProblem problem =
          LeastSquaresFactory.create(
              function,
              observed,
              new ArrayRealVector(start),
              null,
              MOST_EVALUATIONS,
              MOST_EVALUATIONS);
      LeastSquaresOptimizer.Optimum optimum =
          new LevenbergMarquardtOptimizer()
              .withCostRelativeTolerance(TOLERANCE)
              .withParameterRelativeTolerance(TOLERANCE)
              .optimize(problem);
      double[] parameters = optimum.getPoint().toArray();
      double cost = optimum.getCost();
      boolean finite =
          Double.isFinite(cost) && Arrays.stream(parameters).allMatch(Double::isFinite);
      return finite ? new Minimum(parameters, cost * cost, errors(optimum)) : null;
    } catch (MathIllegalStateException | MathIllegalArgumentException e) {
      // No convergence, or a model that overflows.
      return null;
    }
  }

  private static double[] errors(LeastSquaresOptimizer.Optimum optimum) {
    try {
      return optimum.getSigma(SINGULAR).toArray();
    } catch (MathIllegalArgumentException e) {
      double[] unknown = new double[optimum.getPoint().getDimension()];
      Arrays.fill(unknown, Double.POSITIVE_INFINITY);
      return unknown;
    }
  }
}
