package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.Autocorrelation;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.FitModel;
import org.starlingqcd.analysis.fit.FitOptions;
import org.starlingqcd.analysis.fit.WindowFit;
import org.starlingqcd.analysis.fit.WindowScan;
import org.starlingqcd.correlators.InputException;

/**
 * Fits to the diagonal of a correlation matrix and to its eigenvalues, and autocorrelation times.
 *
 * @param correlators the lowest energy of each operator
 * @param eigenvalues the energy of each state; empty without eigenvalues
 * @param periodicExtent T where a cosh was fitted, 0 for exponentials
 * @param options how it was fitted
 * @param autocorrelations of the diagonal elements, [operator][separation]
 * @param binSize the largest bin size that they suggest
 * @param evenlySpaced whether the numbers of the configurations are
 */
public record FitResults(
    List<EnergyFit> correlators,
    List<EnergyFit> eigenvalues,
    int periodicExtent,
    FitOptions options,
    List<List<Autocorrelation>> autocorrelations,
    int binSize,
    boolean evenlySpaced) {

  /** Values with a smaller relative error are exact, as an eigenvalue at t0. */
  private static final double ROUNDING = 1e-12;

  /** Copies the lists. */
  public FitResults {
    correlators = List.copyOf(correlators);
    eigenvalues = List.copyOf(eigenvalues);
    autocorrelations = List.copyOf(autocorrelations);
  }

  /**
   * The fits to one correlator.
   *
   * @param label operator or state
   * @param separations those that were used
   * @param energy the lowest energy, averaged over models and windows
   * @param scan all windows; null when nothing could be fitted
   * @param share of the unit matrix in the correlation matrix, with shrinkage
   * @param resampling how samples were drawn
   */
  public record EnergyFit(
      String label,
      List<Integer> separations,
      Estimate energy,
      @Nullable WindowScan scan,
      double share,
      Resampling resampling) {
    /** Copies the list. */
    public EnergyFit {
      separations = List.copyOf(separations);
    }

    /** The spread of the energies of all models and windows; NaN when there are none. */
    public double spread() {
      return scan == null ? Double.NaN : scan.spread();
    }

    /** The fit with a number of states that has the least AIC; null when there is none. */
    public @Nullable WindowFit best(int states) {
      return scan == null || scan.best(states) < 0 ? null : scan.fits().get(scan.best(states));
    }

    /** The lowest energy of one fit of the scan. */
    Estimate energy(WindowScan found, int fit) {
      return Estimate.of(
          found.fits().get(fit).energy(0), found.energySamples()[fit], resampling, "no fit");
    }

    /** The separations of a fit, such as {@code 2-9}. */
    String window(WindowFit fit) {
      return separations.get(fit.first()) + "-" + separations.get(fit.last());
    }
  }

  /**
   * Fits everything.
   *
   * @throws InputException when a cosh is asked for and T is not known
   */
  static FitResults of(
      CorrelatorData data,
      ResampledCorrelator correlator,
      @Nullable PrincipalCorrelators principal,
      FitOptions options) {
    OptionalInt extent = data.temporalExtent();
    if (options.form() == FitOptions.Form.COSH && extent.isEmpty()) {
      throw new InputException(
          data.name()
              + ": a fit of a cosh needs the temporal extent, which the result does not say:"
              + " --temporal-extent T");
    }
    boolean mesonic = data.mesonic() && extent.isPresent();
    boolean periodic =
        options.form() == FitOptions.Form.COSH
            || (options.form() == FitOptions.Form.AUTO && mesonic);
    int periodicExtent = periodic ? extent.orElse(0) : 0;
    // Where a meson runs around the lattice, exponentials fit the first half only.
    int last = !periodic && mesonic ? extent.getAsInt() / 2 : Integer.MAX_VALUE;
    List<EnergyFit> correlators = new ArrayList<>();
    List<EnergyFit> eigenvalues = new ArrayList<>();
    List<List<Autocorrelation>> times = new ArrayList<>();
    int bin = 1;
    for (int k = 0; k < data.size(); k++) {
      int index = k;
      correlators.add(
          fit(
              data.operators().get(k),
              correlator,
              t -> correlator.real(t, index, index),
              periodicExtent,
              last,
              options));
      if (principal != null) {
        eigenvalues.add(
            fit(
                "state " + k,
                correlator,
                t -> principal.eigenvalue(t, index),
                periodicExtent,
                last,
                options));
      }
      List<Autocorrelation> ofOperator = new ArrayList<>();
      for (int t = 0; t < data.separations().size(); t++) {
        Autocorrelation time = Autocorrelation.of(series(data, t, k));
        bin = Math.max(bin, time.binSize());
        ofOperator.add(time);
      }
      times.add(List.copyOf(ofOperator));
    }
    return new FitResults(
        correlators, eigenvalues, periodicExtent, options, times, bin, evenlySpaced(data));
  }

  private static EnergyFit fit(
      String label,
      ResampledCorrelator correlator,
      IntFunction<Estimate> values,
      int periodicExtent,
      int last,
      FitOptions options) {
    Resampling resampling = correlator.resampling();
    List<Integer> separations = new ArrayList<>();
    List<Estimate> points = new ArrayList<>();
    for (int t = 0; t < correlator.separations().size(); t++) {
      Estimate point = values.apply(t);
      if (correlator.separations().get(t) <= last
          && Double.isFinite(point.value())
          && point.error() > ROUNDING * Math.abs(point.value())) {
        separations.add(correlator.separations().get(t));
        points.add(point);
      }
    }
    WindowScan scan = null;
    double share = 0;
    int samples = resampling.samples();
    if (samples > 2 && points.size() > 2) {
      double[][] bySample = new double[samples][points.size()];
      for (int s = 0; s < samples; s++) {
        for (int t = 0; t < points.size(); t++) {
          bySample[s][t] = points.get(t).samples()[s];
        }
      }
      double factor =
          resampling.method() == Resampling.Method.JACKKNIFE
              ? (samples - 1.0) / samples
              : 1.0 / (samples - 1);
      Covariance covariance =
          Covariance.of(bySample, factor, resampling.bins(), options.covariance(), options.cut());
      share = covariance.share();
      scan =
          WindowScan.of(
              separations.stream().mapToDouble(Integer::doubleValue).toArray(),
              points.stream().mapToDouble(Estimate::value).toArray(),
              bySample,
              covariance,
              List.of(new FitModel(1, periodicExtent), new FitModel(2, periodicExtent)));
    }
    Estimate energy =
        scan == null
            ? new Estimate(
                Double.NaN,
                Double.NaN,
                new double[samples],
                samples > 2
                    ? "no fit converges; there are " + points.size() + " points with errors"
                    : "no fit with fewer than three samples")
            : Estimate.of(
                scan.average(), scan.averageSamples(), resampling, "no window has an error");
    return new EnergyFit(label, separations, energy, scan, share, resampling);
  }

  /** The average over sources of a diagonal element on every configuration. */
  private static double[] series(CorrelatorData data, int separation, int operator) {
    int n = data.size();
    return data.configurations().stream()
        .mapToDouble(
            c -> c.sum()[2 * ((separation * n + operator) * n + operator)] / c.sourceTimes().size())
        .toArray();
  }

  private static boolean evenlySpaced(CorrelatorData data) {
    List<CorrelatorData.Configuration> all = data.configurations();
    for (int k = 2; k < all.size(); k++) {
      if (all.get(k).number() - all.get(k - 1).number()
          != all.get(1).number() - all.get(0).number()) {
        return false;
      }
    }
    return true;
  }
}
