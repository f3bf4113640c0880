package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.FitModel;
import org.starlingqcd.analysis.fit.WindowFit;

/** Correlators whose energies are known exactly. */
final class EnergyFitTest {
  private static final int T = 24;

  private static double[] points(DoubleUnaryOperator function, int count) {
    return IntStream.range(0, count).mapToDouble(t -> function.applyAsDouble(t)).toArray();
  }

  /** Jackknife samples of measurements with correlated noise around a correlator. */
  private static double[][] jackknife(double[] truth, double noise, int bins, long seed) {
    Random random = new Random(seed);
    double[][] measurements = new double[bins][truth.length];
    for (double[] measurement : measurements) {
      double shared = random.nextGaussian();
      for (int k = 0; k < truth.length; k++) {
        measurement[k] = truth[k] * (1 + noise * (shared + random.nextGaussian()));
      }
    }
    double[] mean = mean(measurements);
    double[][] samples = new double[bins][truth.length];
    for (int b = 0; b < bins; b++) {
      for (int k = 0; k < truth.length; k++) {
        samples[b][k] = (bins * mean[k] - measurements[b][k]) / (bins - 1);
      }
    }
    return samples;
  }

  private static double[] mean(double[][] rows) {
    double[] mean = new double[rows[0].length];
    for (double[] row : rows) {
      for (int k = 0; k < mean.length; k++) {
        mean[k] += row[k] / rows.length;
      }
    }
    return mean;
  }

  /** The fits of a correlator at 0, 1, … with its jackknife samples. */
  private static EnergyFit fit(
      double[] mean, double[][] samples, Covariance.Method method, FitModel... models) {
    Resampling resampling = Resampling.jackknife(samples.length);
    double[][] all =
        Stream.concat(Stream.of(mean), Arrays.stream(samples)).toArray(double[][]::new);
    List<Integer> times = IntStream.range(0, mean.length).boxed().toList();
    Curve curve = Curve.of("", times, t -> Estimate.of(all, t, resampling, ""));
    return EnergyFit.of(curve, resampling, covariance(samples, method), List.of(models));
  }

  private static Covariance covariance(double[][] samples, Covariance.Method method) {
    int bins = samples.length;
    return Covariance.of(samples, (bins - 1.0) / bins, bins, method, 1e-3);
  }

  /** The points are exact; the samples around them only give the covariance. */
  private static EnergyFit exact(DoubleUnaryOperator function, FitModel... models) {
    double[] truth = points(function, 12);
    return fit(truth, jackknife(truth, 0.01, 40, 1), Covariance.Method.SHRINKAGE, models);
  }

  private static WindowFit best(EnergyFit scan, int states) {
    return Objects.requireNonNull(scan.best(states));
  }

  @Test
  void oneExponential_isFoundInEveryWindow() {
    EnergyFit scan = exact(t -> -3e-7 * Math.exp(-0.37 * t), new FitModel(1, 0, Double.NaN));
    assertEquals(10, scan.fits().size()); // windows of three to twelve points
    for (WindowFit fit : scan.fits()) {
      assertEquals(0.37, fit.energy(0), 1e-9);
      assertEquals(0, fit.chiSquared(), 1e-12);
      assertEquals(1, fit.probability(), 1e-9);
    }
    assertEquals(0.37, scan.energy().value(), 1e-9);
    assertEquals(0, scan.spread(), 1e-9);
    // All points left out count against a window.
    WindowFit best = best(scan, 1);
    assertEquals(0, best.first());
    assertEquals(10, best.degrees());
  }

  @Test
  void cosh_isFoundBeyondTheMiddle() {
    // T/2 is the sixth of twelve separations, and windows beyond it rise.
    EnergyFit scan =
        exact(
            t -> Math.exp(-0.41 * t) + Math.exp(-0.41 * (12 - t)), new FitModel(1, 12, Double.NaN));
    assertEquals(10, scan.fits().size());
    scan.fits().forEach(fit -> assertEquals(0.41, fit.energy(0), 1e-7));
  }

  @Test
  void twoExponentials_andTwoCosh_haveBothEnergies() {
    for (int extent : new int[] {0, T}) {
      EnergyFit scan =
          exact(
              t ->
                  1e4 * new FitModel(1, extent, Double.NaN).shape(0.3, t, 0)
                      + 2e4 * new FitModel(1, extent, Double.NaN).shape(0.9, t, 0),
              new FitModel(1, extent, Double.NaN),
              new FitModel(2, extent, Double.NaN));
      WindowFit best = best(scan, 2);
      assertEquals(0, best.first());
      assertEquals(0.3, best.energy(0), 1e-6);
      assertEquals(0.9, best.energy(1), 1e-5);
      assertEquals(0.3, scan.energy().value(), 0.02);
    }
  }

  /** An eigenvalue is 1 at t0 whatever its energies. */
  @Test
  void eigenvalue_hasBothEnergies() {
    for (int extent : new int[] {0, T}) {
      FitModel shape = new FitModel(1, extent, Double.NaN);
      DoubleUnaryOperator eigenvalue =
          t ->
              0.8 * shape.shape(0.3, t, 3) / shape.shape(0.3, 3, 3)
                  + 0.2 * shape.shape(0.9, t, 3) / shape.shape(0.9, 3, 3);
      EnergyFit scan = exact(eigenvalue, new FitModel(2, extent, 3));
      WindowFit best = best(scan, 2);
      assertEquals(3, best.parameters()[0].length);
      assertEquals(0.2, best.parameters()[0][0], 1e-5);
      assertEquals(0.3, best.energy(0), 1e-6);
      assertEquals(0.9, best.energy(1), 1e-5);
    }
  }

  @Test
  @Tag("slow")
  void noisyCorrelators_giveTheEnergyWithinTheirErrors() {
    int off = 0;
    double deviations = 0;
    double errors = 0;
    int seeds = 8;
    for (int seed = 0; seed < seeds; seed++) {
      double[][] samples =
          jackknife(points(t -> Math.exp(-0.4 * t) + Math.exp(-1.1 * t), 12), 0.02, 40, seed);
      for (Covariance.Method method : Covariance.Method.values()) {
        EnergyFit scan =
            fit(
                mean(samples),
                samples,
                method,
                new FitModel(1, 0, Double.NaN),
                new FitModel(2, 0, Double.NaN));
        assertEquals(1, Arrays.stream(scan.weights()).sum(), 1e-12);
        double centre = Arrays.stream(scan.energy().samples()).average().orElseThrow();
        double squares =
            Arrays.stream(scan.energy().samples()).map(x -> (x - centre) * (x - centre)).sum();
        double statistical = scan.statistical();
        // The samples carry both parts.
        assertEquals(Math.hypot(statistical, scan.spread()), Math.sqrt(squares * 39 / 40), 1e-9);
        double deviation = scan.energy().value() - 0.4;
        off += Math.abs(deviation) > 3 * Math.hypot(statistical, scan.spread()) ? 1 : 0;
        deviations += deviation * deviation;
        errors += statistical * statistical;
      }
    }
    assertEquals(0, off, "off by more than three errors");
    double ratio = Math.sqrt(deviations / errors);
    assertTrue(ratio > 0.5 && ratio < 2, "deviations in units of statistical errors: " + ratio);
  }

  @Test
  void minimum_hasNoSlopeInChiSquared() {
    double[][] samples = jackknife(points(t -> Math.exp(-0.5 * t), 8), 0.05, 30, 3);
    double[] mean = mean(samples);
    Covariance covariance = covariance(samples, Covariance.Method.SHRINKAGE);
    EnergyFit scan =
        fit(mean, samples, Covariance.Method.SHRINKAGE, new FitModel(1, 0, Double.NaN));
    RealMatrix whitening = covariance.whitening(0);
    assertNotNull(whitening);
    WindowFit fit = best(scan, 1);
    assertEquals(0, fit.first());
    assertEquals(6, fit.degrees());
    assertEquals(chiSquared(whitening, mean, fit.parameters()[0]), fit.chiSquared(), 1e-9);
    for (int k = 0; k < 2; k++) {
      for (double step : new double[] {-1e-4, 1e-4}) {
        double[] moved = fit.parameters()[0].clone();
        moved[k] += step;
        assertTrue(chiSquared(whitening, mean, moved) > fit.chiSquared());
      }
    }
    assertEquals(fit.chiSquared() + 4, fit.aic(), 1e-12);
  }

  private static double chiSquared(RealMatrix whitening, double[] mean, double[] parameters) {
    double[] rest = new double[mean.length];
    for (int t = 0; t < mean.length; t++) {
      rest[t] = mean[t] - mean[0] * parameters[0] * Math.exp(-parameters[1] * t);
    }
    return Arrays.stream(whitening.operate(rest)).map(x -> x * x).sum();
  }

  @Test
  void whitening_invertsTheCovariance_alsoWithFewBins() {
    double[][] samples = jackknife(points(t -> Math.exp(-0.5 * t), 10), 0.05, 5, 4);
    for (Covariance.Method method : Covariance.Method.values()) {
      Covariance covariance = covariance(samples, method);
      RealMatrix whitening = covariance.whitening(0);
      assertNotNull(whitening);
      RealMatrix scale = MatrixUtils.createRealIdentityMatrix(10);
      for (int k = 0; k < 10; k++) {
        scale.setEntry(k, k, covariance.errors()[k]);
      }
      // In units of the errors, W†W is the inverse of a correlation matrix that is well
      // conditioned.
      RealMatrix inverse =
          scale.multiply(whitening.transpose()).multiply(whitening).multiply(scale);
      double[] values = new EigenDecomposition(inverse).getRealEigenvalues();
      double largest = Arrays.stream(values).max().orElseThrow();
      double smallest = Arrays.stream(values).min().orElseThrow();
      assertTrue(smallest > 0 && largest / smallest < 1.001e3, method + ": " + largest / smallest);
    }
    assertTrue(covariance(samples, Covariance.Method.SHRINKAGE).share() > 0);
  }

  @Test
  void nothingToFit_hasNoEnergy() {
    double[][] samples = jackknife(points(t -> 1, 2), 0.05, 5, 4);
    EnergyFit scan =
        fit(mean(samples), samples, Covariance.Method.SVD, new FitModel(1, 0, Double.NaN));
    assertTrue(scan.fits().isEmpty() && Double.isNaN(scan.energy().value()));
  }
}
