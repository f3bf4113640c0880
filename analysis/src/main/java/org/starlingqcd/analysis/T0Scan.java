package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.RealMatrix;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.ExponentialFit;
import org.starlingqcd.analysis.fit.FitOptions;
import org.starlingqcd.correlators.InputException;

/**
 * Generalized eigenvalue problems at all t0, and the choice of one.
 *
 * <p>N states describe the matrix after t0 if Σ_k (C(t0) v_k)_i (C(t0) v_k)_j* exp(-E_k (t - t0))
 * is C_ij(t) within its errors: contributions of other states have died out (J. Dudek et al.,
 * arXiv:0707.4162, section IV). The first t0 of which χ² is at most the number of degrees of
 * freedom is chosen, or else that of the least ratio; later ones have larger errors.
 *
 * @param candidates by t0, at least one
 * @param chosen t0
 */
record T0Scan(List<Candidate> candidates, int chosen) {
  /** Separations up to the first at which a diagonal element is less than so many errors. */
  private static final double LEAST_SIGNAL = 3;

  /**
   * One t0.
   *
   * @param energies of one exponential to each eigenvalue; that from t0 to td where none is fitted
   * @param chiSquared of all elements after t0, with their covariance in time
   */
  record Candidate(int t0, List<Estimate> energies, double chiSquared, int degrees) {
    double ratio() {
      return chiSquared / degrees;
    }
  }

  /**
   * Scans.
   *
   * @throws InputException when the matrix is positive definite at no t0 with enough separations
   */
  static T0Scan of(CorrelatorData data, ResampledCorrelator correlator, AnalysisOptions options) {
    int n = data.size();
    List<Integer> all = data.separations();
    int end = 0;
    int stop = data.lastBeforeReturn();
    while (end < all.size() && all.get(end) <= stop && hasSignal(correlator, end)) {
      end++;
    }
    int last = end;
    List<Candidate> candidates =
        IntStream.range(0, Math.max(0, end - 2))
            .filter(k -> all.get(k) > 0)
            .parallel()
            .mapToObj(k -> candidate(data, correlator, options, k, last))
            .filter(Objects::nonNull)
            .toList();
    Candidate best =
        candidates.stream()
            .filter(one -> one.ratio() <= 1)
            .findFirst()
            .or(() -> candidates.stream().min(Comparator.comparingDouble(Candidate::ratio)))
            .orElseThrow(
                () ->
                    InputException.of(
                        "%s: there is no t0 from 1 on at which the matrix of %d operators is positive"
                            + " definite with three separations of signal; give --t0 a number, fewer"
                            + " operators or more configurations",
                        data.name(), n));
    return new T0Scan(candidates, best.t0);
  }

  private static boolean hasSignal(ResampledCorrelator correlator, int t) {
    return IntStream.range(0, correlator.size()).allMatch(i -> hasSignal(correlator.real(t, i, i)));
  }

  private static boolean hasSignal(Estimate point) {
    return point.value() > LEAST_SIGNAL * point.error();
  }

  private static @Nullable Candidate candidate(
      CorrelatorData data,
      ResampledCorrelator correlator,
      AnalysisOptions options,
      int index,
      int end) {
    int t0 = data.separations().get(index);
    PrincipalCorrelators principal;
    try {
      int td = data.separations().get(index + 1);
      principal = PrincipalCorrelators.of(correlator, t0, td, options.vectors());
    } catch (InputException e) {
      // C(t0) is not positive definite.
      return null;
    }
    int extent = FitResults.periodicExtent(data, FitOptions.STANDARD);
    List<Estimate> energies = new ArrayList<>();
    for (int k = 0; k < data.size(); k++) {
      energies.add(energy(principal, k, index + 1, end, extent));
    }
    List<double[]> models =
        data.separations().subList(index + 1, end).stream()
            .map(t -> model(principal, energies, t, extent))
            .toList();
    double square = 0;
    int points = -data.size();
    int n = data.size();
    for (int element = 0; element < 2 * n * n; element++) {
      int i = element / 2 / n;
      int j = element / 2 % n;
      if (j < i || (i == j && element % 2 == 0)) {
        double[] difference = new double[models.size()];
        double[][] samples = new double[correlator.samples().length][difference.length];
        boolean noisy = true;
        for (int t = 0; t < difference.length; t++) {
          int at = 2 * (index + 1 + t) * n * n + element;
          difference[t] = correlator.mean()[at] - models.get(t)[element];
          noisy &= correlator.component(at).error() > 0;
          for (int s = 0; s < samples.length; s++) {
            samples[s][t] = correlator.samples()[s][at];
          }
        }
        RealMatrix whitening =
            noisy && samples.length > 2
                ? FitResults.covariance(samples, correlator.resampling(), FitOptions.STANDARD)
                    .whitening(0, difference.length - 1)
                : null;
        if (whitening != null) {
          square += Arrays.stream(whitening.operate(difference)).map(x -> x * x).sum();
          points += difference.length;
        }
      }
    }
    return points > 0 && Double.isFinite(square)
        ? new Candidate(t0, energies, square, points)
        : null;
  }

  /** Of one exponential from a separation on, as long as there is signal. */
  private static Estimate energy(
      PrincipalCorrelators principal, int state, int first, int end, int extent) {
    List<Integer> all = principal.separations().subList(first, end);
    Curve curve = Curve.of("", all, t -> principal.eigenvalue(first + t, state));
    int last = 0;
    while (last < all.size() && hasSignal(curve.points().get(last))) {
      last++;
    }
    Resampling resampling = principal.resampling();
    ExponentialFit fit =
        last < 2 || resampling.samples() < 3
            ? null
            : FitResults.exponential(
                curve.upTo(all.get(last - 1)), resampling, FitOptions.STANDARD, extent);
    return fit == null
        ? principal.energy(state)
        : Estimate.of(fit.energies(), resampling, "no fit");
  }

  /** Σ_k (C(t0) v_k)_i (C(t0) v_k)_j* f_k(t), interleaved complex [i][j]. */
  private static double[] model(
      PrincipalCorrelators principal, List<Estimate> energies, int t, int extent) {
    int n = principal.size();
    double[] a = principal.amplitudes()[0];
    double[] sum = new double[2 * n * n];
    for (int k = 0; k < n; k++) {
      double energy = energies.get(k).value();
      double f = decay(energy, t, extent) / decay(energy, principal.t0(), extent);
      for (int at = 0; at < n * n; at++) {
        int i = 2 * (k * n + at / n);
        int j = 2 * (k * n + at % n);
        sum[2 * at] += f * (a[i] * a[j] + a[i + 1] * a[j + 1]);
        sum[2 * at + 1] += f * (a[i + 1] * a[j] - a[i] * a[j + 1]);
      }
    }
    return sum;
  }

  private static double decay(double energy, int t, int extent) {
    return Math.exp(-energy * t) + (extent > 0 ? Math.exp(-energy * (extent - t)) : 0);
  }

  /** χ² and energies by t0. */
  List<Table> tables() {
    String why =
        "t0 = " + chosen + " is chosen: the first of chi2/dof at most 1, or the one of the least";
    List<String> columns = List.of("chi_squared", "dof");
    Table scan = new Table("gevp/t0_scan", why, 0, List.of("t0"), columns);
    List<String> keys = List.of("t0", Table.STATE);
    String title = "energies of one exponential after t0";
    Table energies = new Table("gevp/t0_energies", title, 0, keys, Table.VALUE);
    for (Candidate one : candidates) {
      scan.row(List.of(one.t0), one.chiSquared, one.degrees);
      for (int k = 0; k < one.energies.size(); k++) {
        energies.row(List.of(one.t0, k), one.energies.get(k));
      }
    }
    return List.of(scan, energies);
  }
}
