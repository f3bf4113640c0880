package org.starlingqcd.analysis.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.Analysis;
import org.starlingqcd.analysis.AnalysisOptions;
import org.starlingqcd.analysis.AnalysisOutput;
import org.starlingqcd.analysis.AnalysisPlot;
import org.starlingqcd.analysis.CorrelatorAnalysis;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.EffectiveMass;
import org.starlingqcd.analysis.HtmlReport;
import org.starlingqcd.analysis.OptimizedDefinition;
import org.starlingqcd.analysis.PrincipalCorrelators;
import org.starlingqcd.analysis.RealPhases;
import org.starlingqcd.analysis.Resampling;
import org.starlingqcd.analysis.ResultAverage;
import org.starlingqcd.analysis.Selection;
import org.starlingqcd.analysis.Table;
import org.starlingqcd.analysis.exchange.CorrelatorSources;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.FitOptions;
import org.starlingqcd.correlators.TemporaryFolder;
import org.starlingqcd.correlators.cli.Console;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Json;
import org.starlingqcd.correlators.run.NumberSelection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code starling analyze}: averages, errors, effective masses, eigenvalues, tables and plots. */
@Command(
    description = {
      "Averages results over configurations and sources, with errors, effective masses and plots.",
      "Files of one definition are parts of one correlation matrix; several definitions are analysed"
          + " side by side.",
      "Of results of three-point functions it forms ratios that tend to matrix elements."
    })
public final class AnalyzeCommand implements Callable<Integer> {
  /** Errors of a bootstrap no longer change with the samples long before. */
  private static final int MOST_SAMPLES = 100_000;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Results of one ensemble; or correlators of other programs: JSON of pyerrors, text or HDF5"
              + " of gvar and corrfitter.")
  private List<Path> files = List.of();

  @Mixin private SelectionOptionGroup selection = new SelectionOptionGroup();

  @Option(
      names = "--average",
      paramLabel = "NAME",
      description =
          "Average results that are equal by symmetry, as starling average does, and analyse that.")
  private @Nullable String average;

  @Mixin private AverageOptionGroup averaging = new AverageOptionGroup();

  @Mixin private LevelOptionGroup levels = new LevelOptionGroup();

  @Mixin private CurrentOptionGroup currents = new CurrentOptionGroup();

  @Option(
      names = "--resampling",
      paramLabel = "METHOD",
      description = "How errors are estimated: ${COMPLETION-CANDIDATES} (default: jackknife).")
  private Resampling.Method resampling = Resampling.Method.JACKKNIFE;

  @Option(
      names = "--samples",
      paramLabel = "COUNT",
      description = "Bootstrap samples (default: ${DEFAULT-VALUE}).")
  private int samples = 1000;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "Seed of the bootstrap (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--bin",
      paramLabel = "COUNT",
      description =
          "Neighbouring configurations in one bin, against autocorrelation (default:"
              + " ${DEFAULT-VALUE}).")
  private int bin = 1;

  @Option(
      names = "--effective-mass",
      paramLabel = "KIND",
      split = ",",
      description =
          "Effective masses: ${COMPLETION-CANDIDATES}, or both (default: log). cosh is for mesons on a"
              + " lattice that is periodic in time.")
  private Set<EffectiveMass> masses = EnumSet.noneOf(EffectiveMass.class);

  @Option(names = "--no-subtraction", description = "Do not subtract the vacuum.")
  private boolean noSubtraction;

  @Option(
      names = "--real",
      description =
          "Multiply operators by i where that makes the whole matrix real on average, and use real parts"
              + " alone.")
  private boolean real;

  @Option(
      names = "--t0",
      paramLabel = "DT",
      description =
          "Solve the generalized eigenvalue problem C(dt) v = lambda C(t0) v; auto takes the first t0"
              + " after which the states of the matrix describe it.")
  private @Nullable String t0;

  @Option(
      names = "--td",
      paramLabel = "DT",
      description =
          "The separation at which states are numbered by falling eigenvalue (default: the next after"
              + " t0).")
  private @Nullable Integer td;

  @Option(
      names = "--vectors",
      paramLabel = "WHERE",
      description =
          "With which vectors states are followed: ${COMPLETION-CANDIDATES}, those of each separation,"
              + " matched by overlap, or those at td everywhere (default: each).")
  private PrincipalCorrelators.Vectors vectors = PrincipalCorrelators.Vectors.EACH;

  @Option(
      names = "--write-optimized",
      paramLabel = "FILE",
      description =
          "With --t0: write the eigenvectors at td as a definition of optimized operators, which run"
              + " takes.")
  private @Nullable Path optimized;

  @Option(
      names = "--fit",
      description =
          "Fit one and two exponentials to windows of correlators and eigenvalues, average the"
              + " energies over models and windows, and estimate autocorrelation times.")
  private boolean fit;

  @Option(
      names = "--fit-from",
      paramLabel = "DT",
      description =
          "The first separation that is fitted (default: 1; of eigenvalues always after t0).")
  private @Nullable Integer fitFrom;

  @Option(
      names = "--fit-to",
      paramLabel = "DT",
      description =
          "The last separation that is fitted (default: the last before one that is smaller than its"
              + " error).")
  private @Nullable Integer fitTo;

  @Option(
      names = "--fit-states",
      paramLabel = "COUNT",
      split = ",",
      description = "Numbers of states in fits: 1, 2 or both (default: 1,2).")
  private Set<Integer> fitStates = new TreeSet<>();

  @Option(
      names = "--fit-form",
      paramLabel = "FORM",
      description =
          "What is fitted: ${COMPLETION-CANDIDATES} (default: auto, a cosh for mesons where T is"
              + " known).")
  private FitOptions.@Nullable Form fitForm;

  @Option(
      names = "--fit-covariance",
      paramLabel = "REPAIR",
      description =
          "How the correlation matrix is made safe to invert: ${COMPLETION-CANDIDATES} (default:"
              + " shrinkage).")
  private Covariance.@Nullable Method covariance;

  @Option(
      names = "--svd-cut",
      paramLabel = "FRACTION",
      description =
          "With --fit-covariance svd: eigenvalues of the correlation matrix below this fraction of"
              + " the largest are raised to it (default: 0.01).")
  private @Nullable Double cut;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write tables, plots and samples to this folder.")
  private @Nullable Path out;

  @Option(
      names = "--formats",
      paramLabel = "FORMAT",
      split = ",",
      description = "What --out writes: ${COMPLETION-CANDIDATES} (default: all).")
  private Set<AnalysisOutput.Format> formats = EnumSet.noneOf(AnalysisOutput.Format.class);

  @Option(
      names = "--range",
      paramLabel = "LOW:HIGH",
      description =
          "The vertical axis of plots of masses and energies (default: that of points whose error is"
              + " below half their value).")
  private @Nullable String range;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write one HTML page with plots, tables and how it was made, for any browser.")
  private @Nullable Path report;

  @Option(names = "--json", description = "Print one JSON object instead of tables.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    AnalysisOptions options = options();
    AnalysisPlot.Range shown = range();
    boolean threePoint = currents.apply(files);
    rejectIf(
        threePoint && (fit || real || !masses.isEmpty() || average != null || levels.isGiven()),
        "--fit, --real, --effective-mass, --average and --masses are for two-point functions");
    rejectIf(average == null && averaging.isGiven(), "--fold and --periodic need --average");
    rejectIf(levels.isGiven() && !fit, "--masses needs --fit");
    List<? extends Analysis> analyses =
        threePoint ? currents.analyze(files, selection.selection(), options) : correlators(options);
    List<Path> written = new ArrayList<>();
    // Plots are drawn in memory: no display is asked for, whatever the environment says.
    System.setProperty("java.awt.headless", "true");
    if (out != null) {
      written.addAll(
          AnalysisOutput.write(
              out,
              formats.isEmpty() ? EnumSet.allOf(AnalysisOutput.Format.class) : formats,
              analyses,
              shown));
    }
    if (optimized != null) {
      rejectIf(
          analyses.size() != 1 || !(analyses.get(0) instanceof CorrelatorAnalysis),
          "--write-optimized is for one result of two-point functions");
      OptimizedDefinition.write(optimized, (CorrelatorAnalysis) analyses.get(0), files.get(0));
      written.add(optimized);
    }
    if (report != null) {
      List<String> command = new ArrayList<>(List.of("starling"));
      command.addAll(checkedSpec().commandLine().getParseResult().originalArgs());
      written.add(HtmlReport.write(report, analyses, command, files, shown));
    }
    if (json) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put(
          threePoint ? "three_point" : "correlators",
          analyses.stream().map(Analysis::json).toList());
      map.put("files", written.stream().map(Path::toString).toList());
      Console.out(spec).println(Json.text(map));
    } else {
      print(analyses, written);
    }
    return ErrorReport.SUCCESS;
  }

  private List<CorrelatorAnalysis> correlators(AnalysisOptions options) {
    Selection chosen = selection.selection();
    if (average == null) {
      return correlators(files, chosen, options);
    }
    rejectIf(
        !average.matches("[A-Za-z0-9_-]+"),
        "--average must be a name of letters, digits, _ and -, not " + average);
    try (TemporaryFolder folder = TemporaryFolder.of("starling-average-")) {
      Path mean = folder.path().resolve(average + ".h5");
      ResultAverage.Report made =
          ResultAverage.write(files, chosen, averaging.options(), mean, false);
      Selection all =
          new Selection(
              NumberSelection.ALL, NumberSelection.ALL, List.of(), chosen.temporalExtent());
      return correlators(List.of(mean), all, options).stream()
          .map(one -> one.with(List.of(made.comparisons()), made.doubtful()))
          .toList();
    }
  }

  private List<CorrelatorAnalysis> correlators(
      List<Path> read, Selection chosen, AnalysisOptions options) {
    List<CorrelatorAnalysis> analyses = new ArrayList<>();
    for (CorrelatorData one : CorrelatorSources.load(read, chosen)) {
      CorrelatorData data = real ? RealPhases.realParts(one) : one;
      CorrelatorAnalysis analysis = CorrelatorAnalysis.of(data, options);
      analyses.add(
          levels.isGiven()
              ? analysis.with(
                  levels.levels(List.of(analysis), read, chosen, options).tables(), List.of())
              : analysis);
    }
    return analyses;
  }

  private AnalysisPlot.@Nullable Range range() {
    if (range == null) {
      return null;
    }
    String[] ends = range.split(":", -1);
    try {
      double low = Double.parseDouble(ends[0]);
      double high = Double.parseDouble(ends[1]);
      if (ends.length == 2 && low < high && Double.isFinite(high - low)) {
        return new AnalysisPlot.Range(low, high);
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      // The message is the same.
    }
    throw new ParameterException(
        checkedSpec().commandLine(), "--range must be LOW:HIGH, such as 0:1.5, not " + range);
  }

  /** The t0 of an option: a number or auto. */
  static OptionalInt t0(@Nullable String text, @Nullable CommandSpec spec) {
    if (text == null) {
      return OptionalInt.empty();
    }
    if (text.equals("auto")) {
      return OptionalInt.of(AnalysisOptions.AUTO);
    }
    if (!text.matches("\\d{1,9}")) {
      throw new ParameterException(
          Objects.requireNonNull(spec, "picocli sets it").commandLine(),
          "--t0 must be a separation or auto, not " + text);
    }
    return OptionalInt.of(Integer.parseInt(text));
  }

  private void print(List<? extends Analysis> analyses, List<Path> written) {
    PrintWriter text = Console.out(spec);
    for (int k = 0; k < analyses.size(); k++) {
      if (k > 0) {
        text.println();
      }
      text.print(Table.text(analyses.get(k)));
    }
    if (!written.isEmpty()) {
      text.println();
      written.forEach(file -> text.println("wrote " + file));
    }
    text.flush();
    warn(analyses, spec);
  }

  static void warn(List<? extends Analysis> analyses, @Nullable CommandSpec spec) {
    for (Analysis analysis : analyses) {
      for (String warning : analysis.warnings()) {
        Console.err(spec).println("starling: warning: " + analysis.name() + ": " + warning);
      }
    }
  }

  private AnalysisOptions options() {
    require("--samples", samples, 2, MOST_SAMPLES);
    require("--bin", bin, 1, Integer.MAX_VALUE);
    rejectIf(td != null && t0 == null, "--td needs --t0");
    rejectIf(optimized != null && t0 == null, "--write-optimized needs --t0");
    rejectIf(optimized != null && real, "--write-optimized needs the operators without --real");
    rejectIf(!formats.isEmpty() && out == null, "--formats needs --out");
    return new AnalysisOptions(
        resampling,
        samples,
        seed,
        bin,
        masses.isEmpty() ? EnumSet.of(EffectiveMass.LOG) : masses,
        !noSubtraction,
        t0(t0, spec),
        optional(td),
        vectors,
        fit());
  }

  private @Nullable FitOptions fit() {
    rejectIf(fitFrom != null && !fit, "--fit-from needs --fit");
    rejectIf(fitTo != null && !fit, "--fit-to needs --fit");
    rejectIf(!fitStates.isEmpty() && !fit, "--fit-states needs --fit");
    if (!fit && !currents.fits()) {
      rejectIf(fitForm != null, "--fit-form needs --fit or --fit-window");
      rejectIf(covariance != null, "--fit-covariance needs --fit or --fit-window");
      rejectIf(cut != null, "--svd-cut needs --fit or --fit-window");
      return null;
    }
    Covariance.Method method = covariance == null ? Covariance.Method.SHRINKAGE : covariance;
    double fraction = cut == null ? FitOptions.DEFAULT_CUT : cut;
    rejectIf(
        cut != null && method != Covariance.Method.SVD, "--svd-cut needs --fit-covariance svd");
    rejectIf(
        !(fraction > 0 && fraction < 1), "--svd-cut must lie between 0 and 1, not at " + fraction);
    int from = fitFrom == null ? 1 : fitFrom;
    int to = fitTo == null ? Integer.MAX_VALUE : fitTo;
    rejectIf(from < 0, "--fit-from must be at least 0, not " + from);
    rejectIf(to < from, "--fit-to must not be before --fit-from: " + from + " and " + to);
    rejectIf(
        !Set.of(1, 2).containsAll(fitStates), "--fit-states must be 1, 2 or 1,2, not " + fitStates);
    return new FitOptions(
        fitForm == null ? FitOptions.Form.AUTO : fitForm,
        method,
        fraction,
        from,
        to,
        fitStates.isEmpty() ? List.of(1, 2) : List.copyOf(fitStates));
  }

  private void require(String option, int value, int least, int most) {
    String bounds =
        most == Integer.MAX_VALUE ? "at least " + least : "between " + least + " and " + most;
    rejectIf(value < least || value > most, option + " must be " + bounds + ", not " + value);
  }

  private void rejectIf(boolean wrong, String message) {
    if (wrong) {
      throw new ParameterException(checkedSpec().commandLine(), message);
    }
  }

  private CommandSpec checkedSpec() {
    return Objects.requireNonNull(spec, "picocli sets it");
  }

  private static OptionalInt optional(@Nullable Integer value) {
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }
}
