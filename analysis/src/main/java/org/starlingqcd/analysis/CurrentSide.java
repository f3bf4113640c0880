package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.WindowFit;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.run.NumberSelection;

/**
 * Sink or source of three-point functions: its operators, or a state of a generalized eigenvalue
 * problem, and their two-point functions.
 *
 * @param data the two-point functions on the configurations of the three-point functions
 * @param labels operators, or one state
 * @param vectors v of C = v† C_ij v, interleaved complex [operator]; one for each label
 * @param correlators the real part of C(dt) by label, on the ensemble, then on every sample, [1 +
 *     samples][separation]
 * @param fits of each label; null where none was asked for or none converges
 */
record CurrentSide(
    CorrelatorData data,
    List<String> labels,
    List<double[]> vectors,
    List<double[][]> correlators,
    List<@Nullable WindowFit> fits) {
  /**
   * Forms a side.
   *
   * @param currents the three-point functions
   * @param twoPoint two-point functions of the side's operators, in their order
   * @param state the state, with a generalized eigenvalue problem
   * @param window separations to fit; null: no fit
   * @throws InputException when the two-point functions do not belong to the three-point functions,
   *     or the options do not fit them
   */
  static CurrentSide of(
      CurrentData currents,
      CorrelatorData twoPoint,
      AnalysisSettings options,
      int state,
      NumberSelection.@Nullable Range window) {
    CorrelatorData data = ofSameConfigurations(currents, twoPoint);
    Resampling resampling = options.resampling(data.configurations().size());
    boolean connected = !options.noSubtraction && data.hasOnePointFunctions();
    ResampledCorrelator correlator = CorrelatorAnalysis.resampled(data, resampling, connected);
    int n = data.size();
    List<String> labels = data.operators();
    List<double[]> vectors = new ArrayList<>();
    if (options.t0().isPresent()) {
      if (state >= n) {
        throw InputException.of(
            "%s: has the states 0 to %d of %d operators, not %d", data.name(), n - 1, n, state);
      }
      vectors.add(
          CorrelatorAnalysis.principal(data, correlator, options, new ArrayList<>()).vector(state));
      labels = List.of("state " + state);
    } else {
      for (int i = 0; i < n; i++) {
        double[] unit = new double[2 * n];
        unit[2 * i] = 1;
        vectors.add(unit);
      }
    }
    List<double[][]> correlators = new ArrayList<>();
    List<@Nullable WindowFit> fits = new ArrayList<>();
    for (double[] v : vectors) {
      double[][] all =
          Arrays.stream(correlator.all())
              .map(sample -> real(ResampledCorrelator.projected(sample, v, v)))
              .toArray(double[][]::new);
      correlators.add(all);
      fits.add(window == null ? null : fit(data, all, resampling, options, window));
    }
    return new CurrentSide(data, labels, vectors, correlators, fits);
  }

  private static CorrelatorData ofSameConfigurations(
      CurrentData currents, CorrelatorData twoPoint) {
    if (!twoPoint.ensemble().equals(currents.ensemble())) {
      throw InputException.of(
          "%s is of ensemble '%s', %s of ensemble '%s'; analyse one ensemble at a time",
          twoPoint.name(), twoPoint.ensemble(), currents.name(), currents.ensemble());
    }
    Set<Integer> missing = new HashSet<>(currents.numbers());
    List<CorrelatorData.Configuration> common =
        twoPoint.configurations().stream().filter(c -> missing.remove(c.number())).toList();
    if (!missing.isEmpty()) {
      throw InputException.of(
          "the two-point functions of %s lack the configurations %s of %s; --configurations"
              + " selects those that both have",
          twoPoint.name(), NumberSelection.text(missing), currents.name());
    }
    return twoPoint.with(twoPoint.conjugation(), common);
  }

  private static double[] real(double[] complex) {
    return IntStream.range(0, complex.length / 2).mapToDouble(k -> complex[2 * k]).toArray();
  }

  private static @Nullable WindowFit fit(
      CorrelatorData data,
      double[][] correlator,
      Resampling resampling,
      AnalysisSettings options,
      NumberSelection.Range window) {
    Curve curve = new Curve("");
    for (int t = 0; t < data.separations().size(); t++) {
      int dt = data.separations().get(t);
      if (dt >= window.first() && dt <= window.last()) {
        curve.add(dt, Estimate.of(correlator, t, resampling, ""));
      }
    }
    int points = curve.points().size();
    if (points < 2) {
      throw InputException.of(
          "%s: --fit-window %d-%d holds %d of the separations %s; a fit needs two",
          data.name(), window.first(), window.last(), points, data.separations());
    }
    // As in fits of correlators, exact points have no covariance.
    return resampling.samples() < 3 || !curve.points().stream().allMatch(Estimate::isNoisy)
        ? null
        : EnergyFit.exponential(
            curve, resampling, options.fits, data.periodicExtent(options.fits.form));
  }

  /** C₂(dt) of a label on the ensemble or on a sample; NaN where it is not there. */
  double at(int label, int sample, int dt) {
    int index = data.separations().indexOf(dt);
    return index < 0 ? Double.NaN : correlators.get(label)[sample][index];
  }
}
