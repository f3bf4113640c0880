package org.starlingqcd.analysis;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.FitModel;
import org.starlingqcd.analysis.fit.FitSettings;
import org.starlingqcd.analysis.fit.WindowFit;
import org.starlingqcd.analysis.fit.WindowScan;

/**
 * The fits to one correlator.
 *
 * @param points those that were used
 * @param energy the lowest energy, averaged over models and windows
 * @param scan all windows
 */
public record EnergyFit(Curve points, Estimate energy, WindowScan scan) {
  /** Points that are taken in any case. */
  private static final int LEAST_POINTS = 4;

  /**
   * Points end before the first that is less than so many errors. With 1, chance decides where they
   * end: in lucky ensembles noise is fitted, and errors are too small.
   */
  private static final double LEAST_SIGNAL = 3;

  /**
   * Fits all models to all windows, which begin after t0 of an eigenvalue.
   *
   * @param models all of a correlator or of one eigenvalue
   */
  static EnergyFit of(
      Curve curve, Resampling resampling, FitSettings options, List<FitModel> models) {
    Curve points = new Curve(curve.label());
    for (int t = 0; t < curve.points().size(); t++) {
      Estimate point = curve.points().get(t);
      int dt = curve.separations().get(t);
      boolean inside = dt >= options.from && dt <= options.to && !(dt <= models.get(0).t0());
      boolean lost =
          options.to == Integer.MAX_VALUE && LEAST_SIGNAL * point.error() > Math.abs(point.value());
      if (inside && lost && points.points().size() >= LEAST_POINTS) {
        break;
      }
      if (inside && Double.isFinite(point.value()) && point.isNoisy()) {
        points.add(dt, point);
      }
    }
    int samples = resampling.samples();
    int count = points.points().size();
    WindowScan scan =
        samples > 2 && count > 2
            ? WindowScan.of(
                points.times(),
                points.values(samples),
                covariance(points, resampling, options),
                resampling.factor(),
                models)
            : WindowScan.none(samples);
    String why =
        samples <= 2
            ? "no fit with fewer than three samples"
            : scan.fits().isEmpty()
                ? "no fit converges; there are " + count + " points with errors"
                : "no window has an error";
    return new EnergyFit(
        points, Estimate.of(scan.average(), scan.averageSamples(), resampling, why), scan);
  }

  /** One exponential fitted to all points of a curve; null where none converges. */
  static @Nullable WindowFit exponential(
      Curve curve, Resampling resampling, FitSettings options, int periodicExtent) {
    return WindowFit.of(
        new FitModel(1, periodicExtent, Double.NaN),
        curve.times(),
        curve.values(resampling.samples()),
        covariance(curve, resampling, options),
        0);
  }

  static Covariance covariance(Curve curve, Resampling resampling, FitSettings options) {
    double[][] values = curve.values(resampling.samples());
    return Covariance.of(
        Arrays.copyOfRange(values, 1, values.length),
        resampling.factor(),
        resampling.bins(),
        options.covariance,
        options.cut);
  }

  /** The operator or the state. */
  String label() {
    return points.label();
  }
}
