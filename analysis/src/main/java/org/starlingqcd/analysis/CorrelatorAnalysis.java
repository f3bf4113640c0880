package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.fit.FitOptions;
import org.starlingqcd.correlators.InputException;

/**
 * The analysis of one correlation matrix.
 *
 * @param data the data
 * @param binSize least number of configurations per bin
 * @param connected whether the vacuum was subtracted
 * @param correlator the averaged matrix
 * @param masses effective masses of the diagonal elements, for every kind and operator
 * @param principal the generalized eigenvalues; null unless requested
 * @param principalMasses effective masses of the eigenvalues, for every kind and state
 * @param fits energies from fits, and autocorrelation times; null unless requested
 * @param warnings limitations of the numbers, in words
 */
public record CorrelatorAnalysis(
    CorrelatorData data,
    int binSize,
    boolean connected,
    ResampledCorrelator correlator,
    List<MassCurve> masses,
    @Nullable PrincipalCorrelators principal,
    List<MassCurve> principalMasses,
    @Nullable FitResults fits,
    List<String> warnings) {

  /** Copies the lists. */
  public CorrelatorAnalysis {
    masses = List.copyOf(masses);
    principalMasses = List.copyOf(principalMasses);
    warnings = List.copyOf(warnings);
  }

  /**
   * Analyses a correlation matrix.
   *
   * @throws InputException if the options do not fit the data
   */
  public static CorrelatorAnalysis of(CorrelatorData data, AnalysisOptions options) {
    if (data.configurations().isEmpty()) {
      throw new InputException(data.name() + ": no configuration to analyse");
    }
    OptionalInt extent = data.temporalExtent();
    if (options.masses().contains(EffectiveMass.COSH) && extent.isEmpty()) {
      throw new InputException(
          data.name()
              + ": a cosh effective mass needs the temporal extent, which the result does not say:"
              + " --temporal-extent T");
    }
    Resampling resampling = options.resampling(data.configurations().size());
    boolean connected = options.subtract() && data.hasOnePointFunctions();
    ResampledCorrelator correlator = resampled(data, resampling, connected);
    List<MassCurve> masses = new ArrayList<>();
    for (EffectiveMass kind : sorted(options)) {
      for (int i = 0; i < data.size(); i++) {
        int operator = i;
        masses.add(
            curve(
                data.operators().get(i),
                kind,
                correlator,
                data,
                t -> correlator.real(t, operator, operator)));
      }
    }
    PrincipalCorrelators principal = null;
    List<MassCurve> principalMasses = new ArrayList<>();
    if (options.t0().isPresent()) {
      PrincipalCorrelators solved = principal(data, correlator, options);
      principal = solved;
      for (EffectiveMass kind : sorted(options)) {
        for (int k = 0; k < data.size(); k++) {
          int state = k;
          principalMasses.add(
              curve("state " + k, kind, correlator, data, t -> solved.eigenvalue(t, state)));
        }
      }
    }
    FitOptions fit = options.fit();
    FitResults fits = fit == null ? null : FitResults.of(data, correlator, principal, fit);
    return new CorrelatorAnalysis(
        data,
        options.binSize(),
        connected,
        correlator,
        masses,
        principal,
        principalMasses,
        fits,
        warnings(data, resampling, connected, fits, options.binSize()));
  }

  /** The kinds of masses in the order of declaration. */
  private static List<EffectiveMass> sorted(AnalysisOptions options) {
    return options.masses().stream().sorted().toList();
  }

  private static ResampledCorrelator resampled(
      CorrelatorData data, Resampling resampling, boolean connected) {
    try {
      return ResampledCorrelator.of(data, resampling, connected);
    } catch (IllegalArgumentException e) {
      throw new InputException(
          String.format(
              Locale.ROOT,
              "%s: the vacuum cannot be subtracted: %s%s; --no-subtraction leaves it in",
              data.name(),
              e.getMessage(),
              data.temporalExtent().isPresent()
                  ? ""
                  : " (the temporal extent is unknown: --temporal-extent T)"),
          e);
    }
  }

  private static MassCurve curve(
      String label,
      EffectiveMass kind,
      ResampledCorrelator correlator,
      CorrelatorData data,
      IntFunction<Estimate> values) {
    OptionalInt extent = data.temporalExtent();
    // Beyond T/2 the state that runs around the lattice dominates a meson's correlator.
    boolean half = kind == EffectiveMass.LOG && data.mesonic() && extent.isPresent();
    return MassCurve.of(
        label,
        kind,
        half
            ? correlator.separations().stream().filter(dt -> 2 * dt <= extent.getAsInt()).toList()
            : correlator.separations(),
        extent.orElse(0),
        values,
        correlator.resampling());
  }

  private static PrincipalCorrelators principal(
      CorrelatorData data, ResampledCorrelator correlator, AnalysisOptions options) {
    int t0 = options.t0().orElseThrow();
    List<Integer> separations = data.separations();
    int index = separations.indexOf(t0);
    if (index < 0 || index == separations.size() - 1) {
      throw new InputException(
          String.format(
              Locale.ROOT,
              "%s: t0 must be one of the separations %s but the last: t0=%d",
              data.name(),
              separations,
              t0));
    }
    int td = options.td().orElse(separations.get(index + 1));
    if (!separations.contains(td) || td <= t0) {
      throw new InputException(
          String.format(
              Locale.ROOT,
              "%s: td must be one of the separations %s after t0=%d: td=%d",
              data.name(),
              separations,
              t0,
              td));
    }
    try {
      return PrincipalCorrelators.of(correlator, t0, td);
    } catch (InputException e) {
      throw new InputException(data.name() + ": " + e.getMessage(), e);
    }
  }

  private static List<String> warnings(
      CorrelatorData data,
      Resampling resampling,
      boolean connected,
      @Nullable FitResults fits,
      int binSize) {
    List<String> warnings = new ArrayList<>();
    int configurations = data.configurations().size();
    if (resampling.samples() == 0) {
      warnings.add(
          configurations == 1
              ? "only one configuration: no errors can be estimated"
              : "all "
                  + configurations
                  + " configurations are in one bin: no errors can be estimated");
    }
    if (connected && configurations == 1) {
      warnings.add(
          "the vacuum is subtracted with one-point functions of a single configuration: the"
              + " connected correlator means little");
    }
    if (fits != null && fits.binSize() > binSize) {
      warnings.add(
          "autocorrelation times suggest bins of "
              + fits.binSize()
              + " configurations (--bin "
              + fits.binSize()
              + "); errors with bins of "
              + binSize
              + " may be too small");
    }
    List<Integer> first = data.configurations().get(0).sourceTimes();
    for (CorrelatorData.Configuration configuration : data.configurations()) {
      if (!configuration.sourceTimes().equals(first)) {
        warnings.add(
            String.format(
                Locale.ROOT,
                "sources differ: configuration %d has %s, configuration %d has %s; every pair of"
                    + " configuration and source counts the same",
                data.configurations().get(0).number(),
                first,
                configuration.number(),
                configuration.sourceTimes()));
        break;
      }
    }
    return warnings;
  }
}
