package org.starlingqcd.analysis.cli;

import static org.starlingqcd.analysis.cli.SelectionOptionGroup.commandLine;
import static org.starlingqcd.analysis.cli.SelectionOptionGroup.rejectIf;
import static org.starlingqcd.analysis.cli.SelectionOptionGroup.rejectWithout;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
import picocli.CommandLine.ParseResult;
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
  private Set<EffectiveMass> masses = EnumSet.of(EffectiveMass.LOG);

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
  private int fitFrom = 1;

  @Option(
      names = "--fit-to",
      paramLabel = "DT",
      description =
          "The last separation that is fitted (default: the last before one that is smaller than its"
              + " error).")
  private int fitTo = Integer.MAX_VALUE;

  @Option(
      names = "--fit-states",
      paramLabel = "COUNT",
      split = ",",
      description = "Numbers of states in fits: 1, 2 or both (default: 1,2).")
  private Set<Integer> fitStates = Set.of(1, 2);

  @Option(
      names = "--fit-form",
      paramLabel = "FORM",
      description =
          "What is fitted: ${COMPLETION-CANDIDATES} (default: auto, a cosh for mesons where T is"
              + " known).")
  private FitOptions.Form fitForm = FitOptions.Form.AUTO;

  @Option(
      names = "--fit-covariance",
      paramLabel = "REPAIR",
      description =
          "How the correlation matrix is made safe to invert: ${COMPLETION-CANDIDATES} (default:"
              + " shrinkage).")
  private Covariance.Method covariance = Covariance.Method.SHRINKAGE;

  @Option(
      names = "--svd-cut",
      paramLabel = "FRACTION",
      description =
          "With --fit-covariance svd: eigenvalues of the correlation matrix below this fraction of"
              + " the largest are raised to it (default: 0.01).")
  private double cut = FitOptions.DEFAULT_CUT;

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
  private Set<AnalysisOutput.Format> formats = EnumSet.allOf(AnalysisOutput.Format.class);

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
    ParseResult given = commandLine(spec).getParseResult();
    rejectIf(
        spec,
        threePoint
            && (levels.isGiven()
                || Stream.of("--fit", "--real", "--effective-mass", "--average")
                    .anyMatch(given::hasMatchedOption)),
        "--fit, --real, --effective-mass, --average and --masses are for two-point functions");
    rejectIf(spec, average == null && averaging.isGiven(), "--fold and --periodic need --average");
    rejectIf(spec, levels.isGiven() && !fit, "--masses needs --fit");
    List<? extends Analysis> analyses =
        threePoint ? currents.analyze(files, selection.selection(), options) : correlators(options);
    List<Path> written = new ArrayList<>();
    // Plots are drawn in memory: no display is asked for, whatever the environment says.
    System.setProperty("java.awt.headless", "true");
    if (out != null) {
      written.addAll(AnalysisOutput.write(out, formats, analyses, shown));
    }
    if (optimized != null) {
      rejectIf(
          spec,
          analyses.size() != 1 || !(analyses.get(0) instanceof CorrelatorAnalysis),
          "--write-optimized is for one result of two-point functions");
      OptimizedDefinition.write(optimized, (CorrelatorAnalysis) analyses.get(0), files.get(0));
      written.add(optimized);
    }
    if (report != null) {
      List<String> command = new ArrayList<>(List.of("starling"));
      command.addAll(given.originalArgs());
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
        spec,
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
        commandLine(spec), "--range must be LOW:HIGH, such as 0:1.5, not " + range);
  }

  /** The t0 of an option: a number or auto. */
  static OptionalInt t0(@Nullable String text, @Nullable CommandSpec spec) {
    if (text == null) {
      return OptionalInt.empty();
    }
    if (text.equals("auto")) {
      return OptionalInt.of(AnalysisOptions.AUTO);
    }
    rejectIf(spec, !text.matches("\\d{1,9}"), "--t0 must be a separation or auto, not " + text);
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
    rejectIf(
        spec,
        samples < 2 || samples > MOST_SAMPLES,
        "--samples must be between 2 and " + MOST_SAMPLES + ", not " + samples);
    rejectIf(spec, bin < 1, "--bin must be at least 1, not " + bin);
    rejectWithout(spec, "--t0", t0 != null, "--td", "--write-optimized");
    rejectIf(
        spec, optimized != null && real, "--write-optimized needs the operators without --real");
    rejectWithout(spec, "--out", out != null, "--formats");
    return new AnalysisOptions(
        resampling,
        samples,
        seed,
        bin,
        masses,
        !noSubtraction,
        t0(t0, spec),
        td == null ? OptionalInt.empty() : OptionalInt.of(td),
        vectors,
        fit());
  }

  private @Nullable FitOptions fit() {
    rejectWithout(spec, "--fit", fit, "--fit-from", "--fit-to", "--fit-states");
    boolean fits = fit || currents.fits();
    rejectWithout(
        spec, "--fit or --fit-window", fits, "--fit-form", "--fit-covariance", "--svd-cut");
    rejectWithout(
        spec, "--fit-covariance svd", covariance == Covariance.Method.SVD || !fits, "--svd-cut");
    rejectIf(spec, !(cut > 0 && cut < 1), "--svd-cut must lie between 0 and 1, not at " + cut);
    rejectIf(spec, fitFrom < 0, "--fit-from must be at least 0, not " + fitFrom);
    rejectIf(
        spec,
        fitTo < fitFrom,
        "--fit-to must not be before --fit-from: " + fitFrom + " and " + fitTo);
    rejectIf(
        spec,
        !Set.of(1, 2).containsAll(fitStates),
        "--fit-states must be 1, 2 or 1,2, not " + new TreeSet<>(fitStates));
    return fits
        ? new FitOptions(
            fitForm, covariance, cut, fitFrom, fitTo, List.copyOf(new TreeSet<>(fitStates)))
        : null;
  }
}
