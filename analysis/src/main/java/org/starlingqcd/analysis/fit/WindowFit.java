package org.starlingqcd.analysis.fit;

import java.util.Arrays;
import java.util.stream.IntStream;
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
import org.apache.commons.math3.special.Gamma;
import org.apache.commons.math3.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * A fit to the points of a correlator from one on, on the ensemble and on every sample. The
 * covariance is that of the ensemble everywhere.
 *
 * @param model what was fitted
 * @param first number of the first point of the window
 * @param degrees degrees of freedom
 * @param origin the separation of the first point
 * @param unit amplitudes are those at the first point, in units of this
 * @param parameters those of {@link FitModel} on the ensemble, then on every sample; NaN where no
 *     fit converges
 * @param chiSquared of the ensemble, with the covariance of the points
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record WindowFit(
    FitModel model,
    int first,
    int degrees,
    double origin,
    double unit,
    double[][] parameters,
    double chiSquared) {
  /**
   * Fits.
   *
   * @param times separations of all points, ascending
   * @param points on the ensemble, then on every sample, [1 + samples][point]
   * @param covariance of all points
   * @param first number of the first point of the window; as many points as parameters follow
   * @return null when no fit converges on the ensemble, or the covariance is singular
   */
  public static @Nullable WindowFit of(
      FitModel model, double[] times, double[][] points, Covariance covariance, int first) {
    // Points are divided by a unit, so that the first one is about 1; those of an eigenvalue are.
    double unit = model.pinned() ? 1 : points[0][first];
    RealMatrix whitening = covariance.whitening(first);
    if (whitening == null || unit == 0) {
      return null;
    }
    double[] window = Arrays.copyOfRange(times, first, times.length);
    Search search = new Search(model, window, whitening.scalarMultiply(Math.abs(unit)));
    double[][] scaled = new double[points.length][];
    Arrays.setAll(scaled, s -> Arrays.stream(points[s]).skip(first).map(x -> x / unit).toArray());
    Minimum ensemble = search.best(scaled[0]);
    if (ensemble == null) {
      return null;
    }
    double[][] parameters = new double[points.length][];
    parameters[0] = ensemble.parameters();
    IntStream.range(1, points.length)
        .parallel()
        .forEach(s -> parameters[s] = search.parameters(scaled[s], ensemble.parameters()));
    int degrees = window.length - model.parameters();
    return new WindowFit(
        model, first, degrees, times[first], unit, parameters, ensemble.chiSquared());
  }

  /** The energy of a state, ascending, on the ensemble. */
  public double energy(int state) {
    return model.energy(parameters[0], state);
  }

  /** The lowest energy on the ensemble, then on every sample. */
  public double[] energies() {
    return Arrays.stream(parameters).mapToDouble(found -> model.energy(found, 0)).toArray();
  }

  /** The first amplitude A of A exp(-E t) on the ensemble, then on every sample. */
  public double[] amplitudes() {
    return Arrays.stream(parameters)
        .mapToDouble(found -> unit * found[0] * Math.exp(model.energy(found, 0) * origin))
        .toArray();
  }

  /** The probability that chi squared is this large or larger by chance. */
  public double probability() {
    return Gamma.regularizedGammaQ(0.5 * degrees, 0.5 * chiSquared);
  }

  /** Akaike's criterion, chi² + 2 parameters + 2 points that are left out. */
  public double aic() {
    return chiSquared + 2 * model.parameters() + 2 * first;
  }

  /**
   * A minimum of chi².
   *
   * @param errors of the parameters, from the curvature of chi²; infinite where it has none
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Minimum(double[] parameters, double chiSquared, double[] errors) {}

  /**
   * The search for the parameters of a model in a window.
   *
   * @param times separations of the window
   * @param whitening of {@link Covariance}, in units of the points
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Search(FitModel model, double[] times, RealMatrix whitening) {
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
     * The best fit from several starts; null when none converges to amplitudes of one sign. Two
     * states must be told apart by the data: each amplitude and the logarithm of the gap must be
     * known, or else the lower energy may be anything.
     */
    @Nullable Minimum best(double[] points) {
      double energy = slope(points);
      if (model.states() == 1) {
        return accepted(minimum(points, 1, energy));
      }
      Minimum best = null;
      for (double gap : GAPS) {
        Minimum found =
            accepted(
                model.pinned()
                    ? minimum(points, 0.2, energy, Math.log(gap))
                    : minimum(points, 0.5, energy, 0.5, Math.log(gap)));
        if (found != null && (best == null || found.chiSquared < best.chiSquared)) {
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

    private @Nullable Minimum accepted(@Nullable Minimum found) {
      if (found == null || !(found.parameters[0] > 0)) {
        return null;
      }
      double[] parameters = found.parameters;
      double[] errors = found.errors;
      if (model.states() == 1) {
        return errors[1] < MOST_ERROR ? found : null;
      }
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

    /** Parameters of the minimum near a start; NaN when the search does not converge. */
    double[] parameters(double[] points, double[] start) {
      Minimum found = minimum(points, start);
      return found == null ? Arrays.stream(start).map(x -> Double.NaN).toArray() : found.parameters;
    }

    /** The minimum near a start; null when the search does not converge. */
    private @Nullable Minimum minimum(double[] points, double... start) {
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
                whitening.operate(new ArrayRealVector(points, false)),
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
        double square = optimum.getCost() * optimum.getCost();
        boolean finite = Double.isFinite(square + Arrays.stream(parameters).sum());
        return finite ? new Minimum(parameters, square, errors(optimum)) : null;
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
}
