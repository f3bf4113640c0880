package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.analysis.fit.Autocorrelation;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.FitModel;
import org.starlingqcd.analysis.fit.FitSettings;
import org.starlingqcd.analysis.fit.WindowFit;

/**
 * Fits to the diagonal of a correlation matrix and to its eigenvalues, and autocorrelation times.
 *
 * @param correlators the lowest energy of each operator
 * @param eigenvalues the energy of each state; empty without eigenvalues
 * @param binSize the largest bin size that autocorrelation times of the diagonal elements suggest;
 *     1 where the measurements look independent
 * @param tables energies, the windows they come from, and autocorrelation times
 */
public record FitResults(
    List<EnergyFit> correlators, List<EnergyFit> eigenvalues, int binSize, List<Table> tables) {
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
      FitSettings options) {
    int extent = data.periodicExtent(options.form);
    int last = extent > 0 ? Integer.MAX_VALUE : data.lastBeforeReturn();
    List<FitModel> ofCorrelators = options.models(extent, Double.NaN);
    List<FitModel> ofEigenvalues = options.models(extent, t0);
    List<EnergyFit> ofDiagonal =
        diagonal.stream()
            .map(c -> EnergyFit.of(c.upTo(last), resampling, options, ofCorrelators))
            .toList();
    List<EnergyFit> ofStates =
        eigenvalues.stream()
            .map(c -> EnergyFit.of(c.upTo(last), resampling, options, ofEigenvalues))
            .toList();
    String method =
        ": one and two exponentials%s, %s"
            .formatted(
                extent == 0 ? "" : " both ways around T = " + extent,
                options.covariance == Covariance.Method.SHRINKAGE
                    ? "shrunk correlations"
                    : "SVD cut " + options.cut);
    List<Table> tables = new ArrayList<>();
    addEnergies(tables, "", "energies of the correlators" + method, Table.OPERATOR, ofDiagonal);
    if (!ofStates.isEmpty()) {
      String title = "energies of the eigenvalues" + method;
      addEnergies(tables, "gevp/", title, Table.STATE, ofStates);
    }
    return new FitResults(ofDiagonal, ofStates, addTimes(tables, data), tables);
  }

  /** Adds autocorrelation times; returns the bin size that they suggest. */
  private static int addTimes(List<Table> tables, CorrelatorData data) {
    int n = data.size();
    List<double[]> series =
        IntStream.range(0, n * data.separations().size())
            .mapToObj(k -> data.averages(2 * (k / n * n * n + k % n * (n + 1))))
            .toList();
    List<Autocorrelation> all = series.stream().map(Autocorrelation::of).toList();
    int suggested =
        Autocorrelation.isSignificant(series, all)
            ? all.stream().mapToInt(Autocorrelation::binSize).max().orElse(1)
            : 1;
    List<Integer> numbers = data.numbers();
    long steps =
        IntStream.range(1, numbers.size())
            .map(k -> numbers.get(k) - numbers.get(k - 1))
            .distinct()
            .count();
    String title =
        "integrated autocorrelation times, in steps of the configurations"
            + (steps <= 1 ? "" : ", whose numbers are not evenly spaced");
    Table times = new Table("autocorrelation_time", title, "separation operator", Table.VALUE);
    Table windows = new Table("autocorrelation_window", "", "separation operator", Table.VALUE);
    for (int k = 0; k < all.size(); k++) {
      Autocorrelation time = all.get(k);
      List<Object> place = List.of(data.separations().get(k / n), data.operators().get(k % n));
      times.row(place, new Estimate(time.time(), time.error(), new double[0], ""));
      windows.row(place, time.window());
    }
    tables.add(times.remark("suggested bin size: " + suggested));
    tables.add(windows);
    return suggested;
  }

  private static void addEnergies(
      List<Table> tables, String group, String title, String key, List<EnergyFit> fits) {
    Table energies =
        new Table(
            group + "fits",
            title,
            key,
            "energy statistical spread states first last chi_squared dof p second");
    Table windows =
        new Table(
            group + "fit_windows",
            "",
            key + " states first",
            "last energy second chi_squared dof p aic weight");
    for (int k = 0; k < fits.size(); k++) {
      EnergyFit fit = fits.get(k);
      Object place = key.equals(Table.STATE) ? (Object) k : fit.label();
      List<Integer> at = fit.points().separations();
      WindowFit two = fit.best(2);
      WindowFit one = fit.best(1);
      WindowFit best = one == null || (two != null && two.aic() < one.aic()) ? two : one;
      List<Object> cells = new ArrayList<>(List.of(fit.energy(), fit.statistical(), fit.spread()));
      cells.addAll(
          best == null
              ? Collections.nCopies(6, Double.NaN)
              : List.of(
                  best.model().states(),
                  at.get(best.first()),
                  at.get(at.size() - 1),
                  best.chiSquared(),
                  best.degrees(),
                  best.probability()));
      cells.add(two == null ? Double.NaN : two.energy(1));
      energies.row(List.of(place), cells.toArray());
      for (int w = 0; w < fit.fits().size(); w++) {
        WindowFit window = fit.fits().get(w);
        int states = window.model().states();
        windows.row(
            List.of(place, states, at.get(window.first())),
            at.get(at.size() - 1),
            window.energy(0),
            states == 1 ? Double.NaN : window.energy(1),
            window.chiSquared(),
            window.degrees(),
            window.probability(),
            window.aic(),
            fit.weights()[w]);
      }
    }
    tables.add(energies);
    tables.add(windows);
  }
}
