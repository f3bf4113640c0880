package org.starlingqcd.analysis;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;

/**
 * The analysis of one correlation matrix.
 *
 * @param data the data
 * @param options how it was made
 * @param connected whether the vacuum was subtracted
 * @param correlator the averaged matrix
 * @param principal the generalized eigenvalues; null unless requested
 * @param fits energies from fits, and autocorrelation times; null unless requested
 * @param tables correlators, effective masses, eigenvalues, overlaps, energies and times
 * @param warnings limitations of the numbers, in words
 */
public record CorrelatorAnalysis(
    CorrelatorData data,
    AnalysisSettings options,
    boolean connected,
    ResampledCorrelator correlator,
    @Nullable PrincipalCorrelators principal,
    @Nullable FitResults fits,
    List<Table> tables,
    List<String> warnings)
    implements Analysis {
  /** Title of the table whose rows a page shows as bars. */
  static final String OVERLAPS = "overlaps |<0|O|state>|";

  private static final String GEVP = "gevp/";
  private static final String EIGENVALUES = GEVP + "eigenvalues";
  private static final String MASSES = "effective_mass/";

  /**
   * Analyses a correlation matrix.
   *
   * @throws InputException if the options do not fit the data
   */
  public static CorrelatorAnalysis of(CorrelatorData data, AnalysisSettings options) {
    return of(data, options, options.t0());
  }

  /** The same with another t0; without one each operator stands alone. */
  public static CorrelatorAnalysis of(
      CorrelatorData data, AnalysisSettings options, OptionalInt t0) {
    if (data.configurations().isEmpty()) {
      throw new InputException(data.name() + ": no configuration to analyse");
    }
    if (options.masses.contains(EffectiveMass.COSH)) {
      data.requireExtent("a cosh effective mass");
    }
    Resampling resampling = options.resampling(data.configurations().size());
    boolean connected = !options.noSubtraction && data.hasOnePointFunctions();
    ResampledCorrelator correlator = resampled(data, resampling, connected);
    List<Table> tables = new ArrayList<>();
    List<Integer> separations = data.separations();
    List<Curve> diagonal = new ArrayList<>();
    List<Curve> eigenvalues = new ArrayList<>();
    for (int k = 0; k < data.size(); k++) {
      int i = k;
      diagonal.add(Curve.of(data.operators().get(k), separations, t -> correlator.real(t, i, i)));
    }
    String title = connected ? "connected correlator" : "correlator";
    tables.add(Table.of("", title, Table.OPERATOR, diagonal));
    tables.add(matrix(data, correlator));
    if (data.hasNoise()) {
      addNoise(tables, data, correlator, connected);
    }
    addMasses(tables, "", Table.OPERATOR, diagonal, data, options.masses, resampling);
    PrincipalCorrelators principal = null;
    if (t0.isPresent()) {
      PrincipalCorrelators solved = principal(data, correlator, options, tables);
      principal = solved;
      for (int k = 0; k < data.size(); k++) {
        int state = k;
        eigenvalues.add(Curve.of("state " + k, separations, t -> solved.eigenvalue(t, state)));
      }
      title = "eigenvalues, t0 = " + solved.t0() + ", states numbered at " + solved.td();
      tables.add(Table.of(EIGENVALUES, title, Table.STATE, eigenvalues));
      addMasses(tables, GEVP, Table.STATE, eigenvalues, data, options.masses, resampling);
      tables.add(solved.eigenvectors(data.operators()));
    }
    double start = principal == null ? Double.NaN : principal.t0();
    FitResults fits =
        options.fit
            ? FitResults.of(data, diagonal, eigenvalues, start, resampling, options.fits)
            : null;
    if (principal != null) {
      tables.add(overlaps(data, principal, fits));
    }
    if (fits != null) {
      tables.addAll(fits.tables());
    }
    List<String> warnings = warnings(data, resampling, connected, fits, options.binSize);
    return new CorrelatorAnalysis(
        data, options, connected, correlator, principal, fits, tables, warnings);
  }

  /** The same with more tables and warnings. */
  public CorrelatorAnalysis with(List<Table> more, List<String> moreWarnings) {
    return new CorrelatorAnalysis(
        data,
        options,
        connected,
        correlator,
        principal,
        fits,
        Stream.concat(tables.stream(), more.stream()).toList(),
        Stream.concat(warnings.stream(), moreWarnings.stream()).toList());
  }

  /** The whole matrix, for files; rows are made when they are read, since samples are many. */
  private static Table matrix(CorrelatorData data, ResampledCorrelator correlator) {
    int n = data.size();
    return new Table(
        "correlator",
        "",
        0,
        "separation sink source",
        Table.COMPLEX,
        new AbstractList<>() {
          @Override
          public Table.Row get(int k) {
            int t = k / (n * n);
            int i = k / n % n;
            int j = k % n;
            return new Table.Row(
                List.of(
                    data.separations().get(t), data.operators().get(i), data.operators().get(j)),
                List.of(correlator.real(t, i, j), correlator.imaginary(t, i, j)));
          }

          @Override
          public int size() {
            return data.separations().size() * n * n;
          }
        });
  }

  /** With the fitted energies, where there are, or those at td. */
  private static Table overlaps(
      CorrelatorData data, PrincipalCorrelators principal, @Nullable FitResults fits) {
    Table table = new Table(GEVP + "overlaps", OVERLAPS, "state operator", Table.VALUE);
    for (int k = 0; k < data.size(); k++) {
      Estimate energy = fits == null ? null : fits.eigenvalues().get(k).energy();
      Estimate known = energy != null && energy.hasError() ? energy : principal.energy(k);
      for (int i = 0; i < data.size(); i++) {
        table.row(List.of(k, data.operators().get(i)), principal.overlap(known, k, i));
      }
    }
    return table;
  }

  /**
   * Adds the error of the diagonal that comes from stochastic lines, and its share in the error.
   */
  private static void addNoise(
      List<Table> tables, CorrelatorData data, ResampledCorrelator correlator, boolean connected) {
    String title =
        "error from noise%s, by the spread over windows; a lower bound, since windows share noises"
            .formatted(connected ? " before the vacuum is subtracted" : "");
    Table errors = new Table("noise/error", title, "separation operator", Table.VALUE);
    String ofAll = "its share in the error of the correlator, a lower bound, too";
    Table shares = new Table("noise/share", ofAll, "separation operator", Table.VALUE);
    int n = data.size();
    int count = data.configurations().size();
    for (int k = 0; k < data.separations().size() * n; k++) {
      int at = k;
      double square = data.configurations().stream().mapToDouble(c -> c.noise()[at]).sum();
      double noise = Math.sqrt(square) / count;
      double error = correlator.real(k / n, k % n, k % n).error();
      List<Object> place = List.of(data.separations().get(k / n), data.operators().get(k % n));
      errors.row(place, noise);
      shares.row(place, error > 0 ? noise / error : Double.NaN);
    }
    tables.add(errors);
    tables.add(shares);
  }

  /** Adds effective masses of all kinds asked for. */
  private static void addMasses(
      List<Table> tables,
      String group,
      String key,
      List<Curve> curves,
      CorrelatorData data,
      Set<EffectiveMass> kinds,
      Resampling resampling) {
    int extent = data.temporalExtent().orElse(0);
    for (EffectiveMass kind : new TreeSet<>(kinds)) {
      int last = kind == EffectiveMass.LOG ? data.lastBeforeReturn() : Integer.MAX_VALUE;
      List<Curve> masses =
          curves.stream().map(c -> c.upTo(last).masses(kind, extent, resampling)).toList();
      String title = "effective mass (" + kind + ")";
      tables.add(Table.of(group + MASSES + kind, title, key, masses));
    }
  }

  /** The table of a name; null without it. */
  @Nullable Table table(String name) {
    return tables.stream().filter(t -> t.name().equals(name)).findFirst().orElse(null);
  }

  private List<Curve> curves(String name) {
    Table table = table(name);
    return table == null ? List.of() : table.curves(0);
  }

  /** The diagonal elements. */
  List<Curve> diagonal() {
    return curves("");
  }

  /** The eigenvalues, if requested. */
  List<Curve> eigenvalues() {
    return curves(EIGENVALUES);
  }

  /** The effective masses of operators or states by their kinds. */
  Map<String, List<Curve>> masses(boolean ofStates) {
    String group = (ofStates ? GEVP : "") + MASSES;
    Map<String, List<Curve>> masses = new LinkedHashMap<>();
    for (Table table : tables) {
      if (table.name().startsWith(group)) {
        masses.put(table.name().substring(group.length()), table.curves(0));
      }
    }
    return masses;
  }

  static ResampledCorrelator resampled(
      CorrelatorData data, Resampling resampling, boolean connected) {
    try {
      return ResampledCorrelator.of(data, resampling, connected);
    } catch (IllegalArgumentException e) {
      String unknown = " (the temporal extent is unknown: --temporal-extent T)";
      throw new InputException(
          String.format(
              Locale.US,
              "%s: the vacuum cannot be subtracted: %s%s; --no-subtraction leaves it in",
              data.name(),
              e.getMessage(),
              data.temporalExtent().isPresent() ? "" : unknown),
          e);
    }
  }

  /** Solves the generalized eigenvalue problem; adds the tables of a scan where t0 is chosen. */
  static PrincipalCorrelators principal(
      CorrelatorData data,
      ResampledCorrelator correlator,
      AnalysisSettings options,
      List<Table> tables) {
    int asked = options.t0().orElseThrow();
    int t0 =
        asked == AnalysisSettings.AUTO
            ? T0Scan.choose(data, correlator, options.vectors, tables)
            : asked;
    List<Integer> separations = data.separations();
    int index = separations.indexOf(t0);
    if (index < 0 || index == separations.size() - 1) {
      throw InputException.of(
          "%s: t0 must be one of the separations %s but the last: t0=%d",
          data.name(), separations, t0);
    }
    int td = options.td == null ? separations.get(index + 1) : options.td;
    if (!separations.contains(td) || td <= t0) {
      throw InputException.of(
          "%s: td must be one of the separations %s after t0=%d: td=%d",
          data.name(), separations, t0, td);
    }
    try {
      return PrincipalCorrelators.of(correlator, t0, td, options.vectors);
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
          "autocorrelation times suggest bins of %s configurations (--bin %1$s); errors with bins of %s may"
                  .formatted(fits.binSize(), binSize)
              + " be too small");
    }
    CorrelatorData.Configuration first = all.get(0);
    all.stream()
        .filter(configuration -> !configuration.sourceTimes().equals(first.sourceTimes()))
        .findFirst()
        .ifPresent(
            other ->
                warnings.add(
                    "sources differ: configuration %s has %s, configuration %s has %s; every pair of"
                            .formatted(
                                first.number(),
                                first.sourceTimes(),
                                other.number(),
                                other.sourceTimes())
                        + " configuration and source counts the same"));
    return warnings;
  }

  @Override
  public Head head() {
    return new Head(
        data.name(),
        data.ensemble(),
        data.numbers(),
        data.configurations().stream().mapToInt(c -> c.sourceTimes().size()).sum(),
        data.temporalExtent(),
        correlator.resampling(),
        options.binSize,
        connected);
  }

  @Override
  public Map<String, AnalysisPlot> plots() {
    return AnalysisPlots.of(this);
  }

  @Override
  public Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("format", "correlator_analysis");
    facts.put("operators", data.operators());
    facts.put("conjugation", data.conjugation());
    facts.put("separations", data.separations());
    facts.put(
        "sources",
        data.configurations().stream().map(CorrelatorData.Configuration::sourceTimes).toList());
    if (principal != null) {
      facts.put("t0", principal.t0());
      facts.put("td", principal.td());
    }
    if (fits != null) {
      facts.put("suggested_bin_size", fits.binSize());
      facts.put("samples_contain", "statistics and spread of windows");
    }
    return facts;
  }
}
