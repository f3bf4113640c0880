package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.Autocorrelation;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.ExponentialFit;
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
 * @param binSize the largest bin size that they suggest; 1 where the measurements look independent
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
  static final double ROUNDING = 1e-12;

  /** Points that are taken in any case. */
  private static final int LEAST_POINTS = 4;

  /**
   * Points end before the first that is less than so many errors. With 1, chance decides where they
   * end: in lucky ensembles noise is fitted, and errors are too small.
   */
  private static final double LEAST_SIGNAL = 3;

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
    /** The part of the error from statistics; NaN when there are no fits. */
    public double statistical() {
      return scan == null ? Double.NaN : scan.statistical();
    }

    /** The part from the spread of the energies of windows; NaN when there are no fits. */
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
  }

  /**
   * Fits everything.
   *
   * @param t0 of the eigenvalues
   * @throws InputException when a cosh is asked for and T is not known
   */
  static FitResults of(
      CorrelatorData data,
      List<Curve> diagonal,
      List<Curve> eigenvalues,
      double t0,
      Resampling resampling,
      FitOptions options) {
    int extent = periodicExtent(data, options);
    int last = extent > 0 ? Integer.MAX_VALUE : data.lastBeforeReturn();
    int separations = data.separations().size();
    int matrix = data.size() * data.size();
    List<double[]> series =
        IntStream.range(0, data.size() * separations)
            .map(k -> k % separations * matrix + k / separations * (data.size() + 1))
            .mapToObj(element -> data.averages(2 * element))
            .toList();
    List<Autocorrelation> times = series.stream().map(Autocorrelation::of).toList();
    int suggested =
        Autocorrelation.isSignificant(series, times)
            ? times.stream().mapToInt(Autocorrelation::binSize).max().orElse(1)
            : 1;
    return new FitResults(
        diagonal.stream()
            .map(curve -> fit(curve.upTo(last), resampling, extent, options, Double.NaN))
            .toList(),
        eigenvalues.stream()
            .map(curve -> fit(curve.upTo(last), resampling, extent, options, t0))
            .toList(),
        extent,
        options,
        IntStream.range(0, data.size())
            .mapToObj(k -> times.subList(k * separations, (k + 1) * separations))
            .toList(),
        suggested,
        evenlySpaced(data));
  }

  /** Adds energies, the windows they come from, and autocorrelation times. */
  void addTables(List<Table> tables, CorrelatorData data) {
    String form =
        periodicExtent == 0
            ? "exponentials"
            : "exponentials both ways around T = " + periodicExtent;
    String method =
        ": one and two %s, %s"
            .formatted(
                form,
                options.covariance() == Covariance.Method.SHRINKAGE
                    ? "shrunk correlations"
                    : "SVD cut " + options.cut());
    addEnergies(tables, "", "energies of the correlators" + method, Table.OPERATOR, correlators);
    if (!eigenvalues.isEmpty()) {
      String title = "energies of the eigenvalues" + method;
      addEnergies(tables, "gevp/", title, Table.STATE, eigenvalues);
    }
    String title =
        "integrated autocorrelation times, in steps of the configurations"
            + (evenlySpaced ? "" : ", whose numbers are not evenly spaced");
    List<String> keys = List.of(Table.SEPARATION, Table.OPERATOR);
    Table times = new Table("autocorrelation_time", title, 0, keys, Table.VALUE);
    Table windows = new Table("autocorrelation_window", "", 0, keys, Table.VALUE);
    for (int t = 0; t < data.separations().size(); t++) {
      for (int k = 0; k < data.size(); k++) {
        Autocorrelation time = autocorrelations.get(k).get(t);
        List<Object> place = List.of(data.separations().get(t), data.operators().get(k));
        times.row(place, new Estimate(time.time(), time.error(), new double[0], ""));
        windows.row(place, time.window());
      }
    }
    tables.add(times.remark("suggested bin size: " + binSize));
    tables.add(windows);
  }

  private static void addEnergies(
      List<Table> tables, String group, String title, String key, List<EnergyFit> fits) {
    List<String> columns =
        List.of(
            "energy",
            "statistical",
            "spread",
            "states",
            "first",
            "last",
            "chi_squared",
            "dof",
            "p",
            "second");
    Table energies = new Table(group + "fits", title, 0, List.of(key), columns);
    Table windows =
        new Table(
            group + "fit_windows",
            "",
            0,
            List.of(key, "states", "first"),
            List.of("last", "energy", "second", "chi_squared", "dof", "p", "aic", "weight"));
    for (int k = 0; k < fits.size(); k++) {
      EnergyFit fit = fits.get(k);
      Object place = key.equals(Table.STATE) ? (Object) k : fit.label();
      WindowFit two = fit.best(2);
      WindowFit one = fit.best(1);
      WindowFit best = one == null || (two != null && two.aic() < one.aic()) ? two : one;
      energies.row(
          List.of(place),
          fit.energy(),
          fit.statistical(),
          fit.spread(),
          best == null ? Double.NaN : (Object) best.model().states(),
          best == null ? Double.NaN : (Object) fit.separations().get(best.first()),
          best == null ? Double.NaN : (Object) fit.separations().get(best.last()),
          best == null ? Double.NaN : best.chiSquared(),
          best == null ? Double.NaN : (Object) best.degrees(),
          best == null ? Double.NaN : best.probability(),
          two == null ? Double.NaN : two.energy(1));
      for (WindowFit w : fit.scan() == null ? List.<WindowFit>of() : fit.scan().fits()) {
        int states = w.model().states();
        windows.row(
            List.of(place, states, fit.separations().get(w.first())),
            fit.separations().get(w.last()),
            w.energy(0),
            states == 1 ? Double.NaN : w.energy(1),
            w.chiSquared(),
            w.degrees(),
            w.probability(),
            w.aic(),
            w.weight());
      }
    }
    tables.add(energies);
    tables.add(windows);
  }

  /** T where a cosh is fitted, 0 for exponentials. */
  static int periodicExtent(CorrelatorData data, FitOptions options) {
    if (options.form() == FitOptions.Form.COSH) {
      CorrelatorAnalysis.requireExtent(data, "a fit of a cosh");
    }
    boolean periodic =
        options.form() == FitOptions.Form.COSH
            || (options.form() == FitOptions.Form.AUTO && data.mesonic());
    return periodic ? data.temporalExtent().orElse(0) : 0;
  }

  static Covariance covariance(double[][] samples, Resampling resampling, FitOptions options) {
    return Covariance.of(
        samples, resampling.factor(), resampling.bins(), options.covariance(), options.cut());
  }

  /** The fit of one exponential to a ratio in which backward states are left out. */
  EnergyFit shift(
      Curve ratio, CorrelatorAnalysis analysis, @Nullable PrincipalCorrelators principal) {
    FitOptions one =
        new FitOptions(
            FitOptions.Form.EXP,
            options.covariance(),
            options.cut(),
            options.from(),
            options.to(),
            List.of(1));
    return fit(
        ratio.upTo(analysis.data().lastBeforeReturn()),
        analysis.correlator().resampling(),
        0,
        one,
        principal == null ? Double.NaN : principal.t0());
  }

  private static double[][] bySample(List<Estimate> points, int samples) {
    double[][] bySample = new double[samples][points.size()];
    for (int s = 0; s < samples; s++) {
      for (int t = 0; t < points.size(); t++) {
        bySample[s][t] = points.get(t).samples()[s];
      }
    }
    return bySample;
  }

  /** One exponential fitted to all points of a curve; null where none converges. */
  static @Nullable ExponentialFit exponential(
      Curve curve, Resampling resampling, FitOptions options, int periodicExtent) {
    double[][] samples = bySample(curve.points(), resampling.samples());
    double[][] values = new double[1 + samples.length][];
    values[0] = curve.points().stream().mapToDouble(Estimate::value).toArray();
    System.arraycopy(samples, 0, values, 1, samples.length);
    return ExponentialFit.of(
        curve.separations().stream().mapToDouble(Integer::doubleValue).toArray(),
        values,
        covariance(samples, resampling, options),
        periodicExtent);
  }

  private static EnergyFit fit(
      Curve curve, Resampling resampling, int periodicExtent, FitOptions options, double t0) {
    List<Integer> separations = new ArrayList<>();
    List<Estimate> points = new ArrayList<>();
    for (int t = 0; t < curve.points().size(); t++) {
      Estimate point = curve.points().get(t);
      int dt = curve.separations().get(t);
      boolean inside = dt >= options.from() && dt <= options.to() && !(dt <= t0);
      boolean lost =
          options.to() == Integer.MAX_VALUE
              && LEAST_SIGNAL * point.error() > Math.abs(point.value());
      if (inside && lost && points.size() >= LEAST_POINTS) {
        break;
      }
      if (inside
          && Double.isFinite(point.value())
          && point.error() > ROUNDING * Math.abs(point.value())) {
        separations.add(dt);
        points.add(point);
      }
    }
    WindowScan scan = null;
    double share = 0;
    int samples = resampling.samples();
    if (samples > 2 && points.size() > 2) {
      double[][] bySample = bySample(points, samples);
      Covariance covariance = covariance(bySample, resampling, options);
      share = covariance.share();
      scan =
          WindowScan.of(
              separations.stream().mapToDouble(Integer::doubleValue).toArray(),
              points.stream().mapToDouble(Estimate::value).toArray(),
              bySample,
              covariance,
              resampling.factor(),
              options.states().stream().map(n -> new FitModel(n, periodicExtent, t0)).toList());
    }
    Estimate energy;
    if (scan != null) {
      energy =
          Estimate.of(scan.average(), scan.averageSamples(), resampling, "no window has an error");
    } else {
      String why =
          samples > 2
              ? "no fit converges; there are " + points.size() + " points with errors"
              : "no fit with fewer than three samples";
      energy = new Estimate(Double.NaN, Double.NaN, new double[samples], why);
    }
    return new EnergyFit(curve.label(), separations, energy, scan, share, resampling);
  }

  private static boolean evenlySpaced(CorrelatorData data) {
    List<CorrelatorData.Configuration> all = data.configurations();
    return IntStream.range(1, all.size())
            .map(k -> all.get(k).number() - all.get(k - 1).number())
            .distinct()
            .count()
        <= 1;
  }
}
