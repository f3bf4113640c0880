package org.starlingqcd.analysis;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.FitSettings;
import org.starlingqcd.analysis.fit.WindowFit;
import org.starlingqcd.correlators.InputException;

/**
 * Generalized eigenvalue problems at all t0, and the choice of one.
 *
 * <p>N states describe the matrix after t0 if Σ_k (C(t0) v_k)_i (C(t0) v_k)_j* exp(-E_k (t - t0))
 * is C_ij(t) within its errors: contributions of other states have died out (J. Dudek et al.,
 * arXiv:0707.4162, section IV). The first t0 of which χ² is at most the number of degrees of
 * freedom is chosen, or else that of the least ratio; later ones have larger errors.
 *
 * @param extent T where states run both ways around the lattice, else 0
 * @param separations those with signal
 */
record T0Scan(
    ResampledCorrelator correlator,
    PrincipalCorrelators.Vectors vectors,
    int extent,
    List<Integer> separations) {
  /** Separations up to the first at which a diagonal element is less than so many errors. */
  private static final double LEAST_SIGNAL = 3;

  /**
   * One t0.
   *
   * @param energies of one exponential to each eigenvalue; that from t0 to td where none is fitted
   * @param chiSquared of all elements after t0, with their covariance in time
   */
  private record Candidate(int t0, List<Estimate> energies, double chiSquared, int degrees) {
    double ratio() {
      return chiSquared / degrees;
    }
  }

  /**
   * Chooses t0.
   *
   * @param tables to which χ² and energies by t0 are added
   * @throws InputException when the matrix is positive definite at no t0 with enough separations
   */
  static int choose(
      CorrelatorData data,
      ResampledCorrelator correlator,
      PrincipalCorrelators.Vectors vectors,
      List<Table> tables) {
    List<Integer> all = data.separations();
    List<Integer> signal =
        IntStream.range(0, all.size())
            .takeWhile(
                t ->
                    all.get(t) <= data.lastBeforeReturn()
                        && IntStream.range(0, data.size())
                            .allMatch(i -> hasSignal(correlator.real(t, i, i))))
            .mapToObj(all::get)
            .toList();
    int extent = data.periodicExtent(FitSettings.Form.AUTO);
    T0Scan scan = new T0Scan(correlator, vectors, extent, signal);
    List<Candidate> candidates =
        IntStream.range(0, Math.max(0, scan.separations.size() - 2))
            .filter(k -> scan.separations.get(k) > 0)
            .parallel()
            .mapToObj(scan::candidate)
            .filter(Objects::nonNull)
            .toList();
    int chosen =
        candidates.stream()
            .filter(one -> one.ratio() <= 1)
            .findFirst()
            .or(() -> candidates.stream().min(Comparator.comparingDouble(Candidate::ratio)))
            .map(Candidate::t0)
            .orElseThrow(
                () ->
                    InputException.of(
                        "%s: there is no t0 from 1 on at which the matrix of %d operators is positive"
                            + " definite with three separations of signal; give --t0 a number, fewer"
                            + " operators or more configurations",
                        data.name(), data.size()));
    String why =
        "t0 = " + chosen + " is chosen: the first of chi2/dof at most 1, or the one of the least";
    Table squares = new Table("gevp/t0_scan", why, "t0", "chi_squared dof");
    String title = "energies of one exponential after t0";
    Table energies = new Table("gevp/t0_energies", title, "t0 state", Table.VALUE);
    for (Candidate one : candidates) {
      squares.row(List.of(one.t0), one.chiSquared, one.degrees);
      for (int k = 0; k < one.energies.size(); k++) {
        energies.row(List.of(one.t0, k), one.energies.get(k));
      }
    }
    tables.add(squares);
    tables.add(energies);
    return chosen;
  }

  private static boolean hasSignal(Estimate point) {
    return point.value() > LEAST_SIGNAL * point.error();
  }

  private @Nullable Candidate candidate(int index) {
    int n = correlator.size();
    int t0 = separations.get(index);
    PrincipalCorrelators principal;
    try {
      principal = PrincipalCorrelators.of(correlator, t0, separations.get(index + 1), vectors);
    } catch (InputException e) {
      // C(t0) is not positive definite.
      return null;
    }
    List<Integer> after = separations.subList(index + 1, separations.size());
    List<Estimate> energies =
        IntStream.range(0, n).mapToObj(k -> energy(principal, k, index + 1, after)).toList();
    List<double[]> models = after.stream().map(t -> model(principal, energies, t)).toList();
    double square = 0;
    int points = -n;
    for (int element = 0; element < 2 * n * n; element++) {
      int i = element / 2 / n;
      int j = element / 2 % n;
      if (j < i || (i == j && element % 2 == 0)) {
        int first = 2 * (index + 1) * n * n + element;
        Curve curve = Curve.of("", after, t -> correlator.component(first + 2 * t * n * n));
        double[] difference = new double[models.size()];
        for (int t = 0; t < difference.length; t++) {
          difference[t] = curve.points().get(t).value() - models.get(t)[element];
        }
        boolean noisy = curve.points().stream().allMatch(point -> point.error() > 0);
        double its =
            noisy && resampling().samples() > 2
                ? EnergyFit.covariance(curve, resampling(), FitSettings.STANDARD)
                    .chiSquared(difference)
                : Double.NaN;
        if (!Double.isNaN(its)) {
          square += its;
          points += difference.length;
        }
      }
    }
    return points > 0 && Double.isFinite(square)
        ? new Candidate(t0, energies, square, points)
        : null;
  }

  private Resampling resampling() {
    return correlator.resampling();
  }

  /** Of one exponential from a separation on, as long as there is signal. */
  private Estimate energy(
      PrincipalCorrelators principal, int state, int first, List<Integer> after) {
    Curve curve = Curve.of("", after, t -> principal.eigenvalue(first + t, state));
    int last = 0;
    while (last < after.size() && hasSignal(curve.points().get(last))) {
      last++;
    }
    WindowFit fit =
        last < 2 || resampling().samples() < 3
            ? null
            : EnergyFit.exponential(
                curve.upTo(after.get(last - 1)), resampling(), FitSettings.STANDARD, extent);
    return fit == null
        ? principal.energy(state)
        : Estimate.of(fit.energies(), resampling(), "no fit");
  }

  /** Σ_k (C(t0) v_k)_i (C(t0) v_k)_j* f_k(t), interleaved complex [i][j]. */
  private double[] model(PrincipalCorrelators principal, List<Estimate> energies, int t) {
    int n = correlator.size();
    double[] a = principal.amplitudes()[0];
    double[] sum = new double[2 * n * n];
    for (int k = 0; k < n; k++) {
      double energy = energies.get(k).value();
      double f = decay(energy, t) / decay(energy, principal.t0());
      for (int at = 0; at < n * n; at++) {
        int i = 2 * (k * n + at / n);
        int j = 2 * (k * n + at % n);
        sum[2 * at] += f * (a[i] * a[j] + a[i + 1] * a[j + 1]);
        sum[2 * at + 1] += f * (a[i + 1] * a[j] - a[i] * a[j + 1]);
      }
    }
    return sum;
  }

  private double decay(double energy, int t) {
    return Math.exp(-energy * t) + (extent > 0 ? Math.exp(-energy * (extent - t)) : 0);
  }
}
