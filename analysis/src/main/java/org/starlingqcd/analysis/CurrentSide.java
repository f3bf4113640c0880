package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.ExponentialFit;
import org.starlingqcd.analysis.fit.FitOptions;
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
    List<@Nullable ExponentialFit> fits) {
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
      AnalysisOptions options,
      int state,
      NumberSelection.@Nullable Range window) {
    CorrelatorData data = ofSameConfigurations(currents, twoPoint);
    Resampling resampling = options.resampling(data.configurations().size());
    boolean connected = options.subtract() && data.hasOnePointFunctions();
    ResampledCorrelator correlator = CorrelatorAnalysis.resampled(data, resampling, connected);
    int n = data.size();
    List<String> labels = data.operators();
    List<double[]> vectors = new ArrayList<>();
    if (options.t0().isPresent()) {
      if (state >= n) {
        throw InputException.of(
            "%s: has the states 0 to %d of %d operators, not %d", data.name(), n - 1, n, state);
      }
      PrincipalCorrelators principal = CorrelatorAnalysis.principal(data, correlator, options);
      double[] rows = principal.vectors()[data.separations().indexOf(principal.td())];
      vectors.add(Arrays.copyOfRange(rows, 2 * n * state, 2 * n * (state + 1)));
      labels = List.of("state " + state);
    } else {
      for (int i = 0; i < n; i++) {
        double[] unit = new double[2 * n];
        unit[2 * i] = 1;
        vectors.add(unit);
      }
    }
    List<double[][]> correlators = new ArrayList<>();
    List<@Nullable ExponentialFit> fits = new ArrayList<>();
    for (double[] vector : vectors) {
      double[][] all = new double[1 + resampling.samples()][];
      all[0] = projected(correlator.mean(), vector);
      for (int s = 1; s < all.length; s++) {
        all[s] = projected(correlator.samples()[s - 1], vector);
      }
      correlators.add(all);
      FitOptions fit = options.fit();
      fits.add(window == null || fit == null ? null : fit(data, all, resampling, fit, window));
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
    Set<Integer> numbers = new HashSet<>(currents.numbers());
    List<CorrelatorData.Configuration> common =
        twoPoint.configurations().stream().filter(c -> numbers.contains(c.number())).toList();
    common.forEach(c -> numbers.remove(c.number()));
    if (!numbers.isEmpty()) {
      throw InputException.of(
          "the two-point functions of %s lack the configurations %s of %s; --configurations"
              + " selects those that both have",
          twoPoint.name(), NumberSelection.text(numbers), currents.name());
    }
    return twoPoint.with(twoPoint.conjugation(), common);
  }

  /** Re v† C(dt) v at every separation. */
  private static double[] projected(double[] matrices, double[] v) {
    double[] all = CurrentAverages.projected(matrices, v, v);
    return IntStream.range(0, all.length / 2).mapToDouble(k -> all[2 * k]).toArray();
  }

  private static @Nullable ExponentialFit fit(
      CorrelatorData data,
      double[][] correlator,
      Resampling resampling,
      FitOptions options,
      NumberSelection.Range window) {
    int[] points =
        IntStream.range(0, data.separations().size())
            .filter(t -> data.separations().get(t) >= window.first())
            .filter(t -> data.separations().get(t) <= window.last())
            .toArray();
    if (points.length < 2) {
      throw InputException.of(
          "%s: --fit-window %d-%d holds %d of the separations %s; a fit needs two",
          data.name(), window.first(), window.last(), points.length, data.separations());
    }
    Curve curve =
        Curve.of(
            "",
            Arrays.stream(points).mapToObj(data.separations()::get).toList(),
            k -> Estimate.of(correlator, points[k], resampling, ""));
    // As in fits of correlators, exact points have no covariance.
    boolean exact =
        curve.points().stream()
            .anyMatch(point -> !(point.error() > FitResults.ROUNDING * Math.abs(point.value())));
    return resampling.samples() < 3 || exact
        ? null
        : FitResults.exponential(
            curve, resampling, options, FitResults.periodicExtent(data, options));
  }
}
