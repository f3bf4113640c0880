package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;

/**
 * The analysis of one correlation matrix.
 *
 * @param data the data
 * @param binSize least number of configurations per bin
 * @param connected whether the vacuum was subtracted
 * @param correlator the averaged matrix
 * @param principal the generalized eigenvalues; null unless requested
 * @param quantities the diagonal of the correlator, then its effective masses of every kind;
 *     likewise the eigenvalues and theirs, if requested
 * @param fits energies from fits, and autocorrelation times; null unless requested
 * @param overlaps |⟨0|O|k⟩| with eigenvalues: a curve for each operator, with the number of the
 *     state in place of the separation
 * @param warnings limitations of the numbers, in words
 */
public record CorrelatorAnalysis(
    CorrelatorData data,
    int binSize,
    boolean connected,
    ResampledCorrelator correlator,
    @Nullable PrincipalCorrelators principal,
    List<Quantity> quantities,
    @Nullable FitResults fits,
    List<Curve> overlaps,
    List<String> warnings)
    implements Analysis {
  /**
   * Analyses a correlation matrix.
   *
   * @throws InputException if the options do not fit the data
   */
  public static CorrelatorAnalysis of(CorrelatorData data, AnalysisOptions options) {
    if (data.configurations().isEmpty()) {
      throw new InputException(data.name() + ": no configuration to analyse");
    }
    if (options.masses().contains(EffectiveMass.COSH)) {
      requireExtent(data, "a cosh effective mass");
    }
    Resampling resampling = options.resampling(data.configurations().size());
    boolean connected = options.subtract() && data.hasOnePointFunctions();
    ResampledCorrelator correlator = resampled(data, resampling, connected);
    List<Quantity> quantities = new ArrayList<>();
    List<Curve> diagonal =
        curves(
            data.operators(),
            operator -> t -> correlator.real(t, operator, operator),
            data.separations());
    String title = connected ? "connected correlator" : "correlator";
    add(quantities, new Quantity(false, null, title, diagonal), data, options, resampling);
    PrincipalCorrelators principal = null;
    List<Curve> eigenvalues = List.of();
    if (options.t0().isPresent()) {
      PrincipalCorrelators solved = principal(data, correlator, options);
      principal = solved;
      List<String> states = IntStream.range(0, data.size()).mapToObj(k -> "state " + k).toList();
      eigenvalues = curves(states, k -> t -> solved.eigenvalue(t, k), data.separations());
      title =
          String.format(
              Locale.ROOT, "eigenvalues, t0 = %d, states numbered at %d", solved.t0(), solved.td());
      add(quantities, new Quantity(true, null, title, eigenvalues), data, options, resampling);
    }
    FitResults fits =
        options.fit() == null
            ? null
            : FitResults.of(
                data,
                diagonal,
                eigenvalues,
                principal == null ? Double.NaN : principal.t0(),
                resampling,
                options.fit());
    return new CorrelatorAnalysis(
        data,
        options.binSize(),
        connected,
        correlator,
        principal,
        quantities,
        fits,
        overlaps(data, principal, fits),
        warnings(data, resampling, connected, fits, options.binSize()));
  }

  /** With the fitted energies, where there are, or those at td. */
  private static List<Curve> overlaps(
      CorrelatorData data, @Nullable PrincipalCorrelators principal, @Nullable FitResults fits) {
    if (principal == null) {
      return List.of();
    }
    List<Estimate> energies =
        IntStream.range(0, data.size())
            .mapToObj(
                k ->
                    fits != null && fits.eigenvalues().get(k).energy().hasError()
                        ? fits.eigenvalues().get(k).energy()
                        : principal.energy(k))
            .toList();
    return curves(
        data.operators(),
        i -> k -> principal.overlap(energies.get(k), k, i),
        IntStream.range(0, data.size()).boxed().toList());
  }

  private static List<Curve> curves(
      List<String> labels, IntFunction<IntFunction<Estimate>> points, List<Integer> separations) {
    return IntStream.range(0, labels.size())
        .mapToObj(k -> Curve.of(labels.get(k), separations, points.apply(k)))
        .toList();
  }

  /** Adds a quantity and its effective masses of all kinds asked for. */
  private static void add(
      List<Quantity> quantities,
      Quantity quantity,
      CorrelatorData data,
      AnalysisOptions options,
      Resampling resampling) {
    quantities.add(quantity);
    int extent = data.temporalExtent().orElse(0);
    for (EffectiveMass kind : options.masses().stream().sorted().toList()) {
      int last = kind == EffectiveMass.LOG ? data.lastBeforeReturn() : Integer.MAX_VALUE;
      quantities.add(
          new Quantity(
              quantity.ofStates(),
              kind,
              "effective mass (" + kind + ")",
              quantity.curves().stream()
                  .map(curve -> curve.upTo(last).masses(kind, extent, resampling))
                  .toList()));
    }
  }

  /** The effective masses of operators or states, of all kinds. */
  List<Quantity> masses(boolean ofStates) {
    return quantities.stream().filter(q -> q.mass() != null && q.ofStates() == ofStates).toList();
  }

  /** A use of one element of the matrix. */
  interface Element {
    void use(int separation, String sink, String source, Estimate real, Estimate imaginary);
  }

  /** Calls {@code use} for every separation, sink and source. */
  void forEachElement(Element use) {
    for (int t = 0; t < data.separations().size(); t++) {
      for (int i = 0; i < data.size(); i++) {
        for (int j = 0; j < data.size(); j++) {
          use.use(
              data.separations().get(t),
              data.operators().get(i),
              data.operators().get(j),
              correlator.real(t, i, j),
              correlator.imaginary(t, i, j));
        }
      }
    }
  }

  static void requireExtent(CorrelatorData data, String what) {
    if (data.temporalExtent().isEmpty()) {
      throw new InputException(
          data.name()
              + ": "
              + what
              + " needs the temporal extent, which the result does not say: --temporal-extent T");
    }
  }

  static ResampledCorrelator resampled(
      CorrelatorData data, Resampling resampling, boolean connected) {
    try {
      return ResampledCorrelator.of(data, resampling, connected);
    } catch (IllegalArgumentException e) {
      String unknown = " (the temporal extent is unknown: --temporal-extent T)";
      throw new InputException(
          String.format(
              Locale.ROOT,
              "%s: the vacuum cannot be subtracted: %s%s; --no-subtraction leaves it in",
              data.name(),
              e.getMessage(),
              data.temporalExtent().isPresent() ? "" : unknown),
          e);
    }
  }

  static PrincipalCorrelators principal(
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
      return PrincipalCorrelators.of(correlator, t0, td, options.vectors());
    } catch (InputException e) {
      throw new InputException(data.name() + ": " + e.getMessage(), e);
    }
  }

  /** The warning of a single bin. */
  static String noErrors(int count) {
    return (count == 1
            ? "only one configuration"
            : "all " + count + " configurations are in one bin")
        + ": no errors can be estimated";
  }

  private static List<String> warnings(
      CorrelatorData data,
      Resampling resampling,
      boolean connected,
      @Nullable FitResults fits,
      int binSize) {
    List<String> warnings = new ArrayList<>();
    List<CorrelatorData.Configuration> all = data.configurations();
    if (resampling.samples() == 0) {
      warnings.add(noErrors(all.size()));
    }
    if (connected && all.size() == 1) {
      warnings.add(
          "the vacuum is subtracted with one-point functions of a single configuration: the"
              + " connected correlator means little");
    }
    if (fits != null && fits.binSize() > binSize) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "autocorrelation times suggest bins of %d configurations (--bin %1$d); errors with bins"
                  + " of %d may be too small",
              fits.binSize(),
              binSize));
    }
    CorrelatorData.Configuration first = all.get(0);
    all.stream()
        .filter(configuration -> !configuration.sourceTimes().equals(first.sourceTimes()))
        .findFirst()
        .ifPresent(
            other ->
                warnings.add(
                    String.format(
                        Locale.ROOT,
                        "sources differ: configuration %d has %s, configuration %d has %s; every pair"
                            + " of configuration and source counts the same",
                        first.number(),
                        first.sourceTimes(),
                        other.number(),
                        other.sourceTimes())));
    return warnings;
  }

  @Override
  public Head head() {
    List<CorrelatorData.Configuration> all = data.configurations();
    return new Head(
        data.name(),
        data.ensemble(),
        all.stream().map(CorrelatorData.Configuration::number).toList(),
        all.stream().mapToInt(c -> c.sourceTimes().size()).sum(),
        data.temporalExtent(),
        correlator.resampling(),
        binSize,
        connected);
  }

  @Override
  public List<Table> tables() {
    return Table.of(this);
  }

  @Override
  public List<Table> pageTables() {
    return Table.ofPage(this);
  }

  @Override
  public Map<String, AnalysisPlot> plots() {
    return AnalysisPlots.of(this);
  }

  @Override
  public Map<String, @Nullable Object> json() {
    return AnalysisRecord.json(this);
  }

  @Override
  public String csv() {
    return AnalysisRecord.csv(this);
  }

  @Override
  public void write(Path path) {
    AnalysisFile.write(path, this);
  }
}
