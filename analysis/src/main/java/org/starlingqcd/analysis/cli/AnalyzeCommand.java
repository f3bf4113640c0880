package org.starlingqcd.analysis.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.Analysis;
import org.starlingqcd.analysis.AnalysisOutput;
import org.starlingqcd.analysis.AnalysisPlot;
import org.starlingqcd.analysis.AnalysisSettings;
import org.starlingqcd.analysis.CorrelatorAnalysis;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.CurrentAnalysis;
import org.starlingqcd.analysis.CurrentData;
import org.starlingqcd.analysis.CurrentSettings;
import org.starlingqcd.analysis.HtmlReport;
import org.starlingqcd.analysis.OptimizedDefinition;
import org.starlingqcd.analysis.RealPhases;
import org.starlingqcd.analysis.ResultAverage;
import org.starlingqcd.analysis.SelectionSettings;
import org.starlingqcd.analysis.Table;
import org.starlingqcd.analysis.exchange.CorrelatorSources;
import org.starlingqcd.analysis.fit.Covariance;
import org.starlingqcd.analysis.fit.FitSettings;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.TemporaryFolder;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Json;
import org.starlingqcd.correlators.run.NumberSelection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

/** {@code starling analyze}: averages, errors, effective masses, eigenvalues, tables and plots. */
@Command(
    description = {
      "Averages results over configurations and sources, with errors, effective masses and plots.",
      "Files of one definition are parts of one correlation matrix; several definitions are analysed"
          + " side by side.",
      "Of results of three-point functions it forms ratios that tend to matrix elements."
    })
public final class AnalyzeCommand extends ResultCommand {
  /** Errors of a bootstrap no longer change with the samples long before. */
  private static final int MOST_SAMPLES = 100_000;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Results of one ensemble; or correlators of other programs: JSON of pyerrors, text or HDF5"
              + " of gvar and corrfitter.")
  private List<Path> files = List.of();

  @Mixin private SelectionSettings selection = new SelectionSettings();

  @Option(
      names = "--average",
      paramLabel = "NAME",
      description =
          "Average results that are equal by symmetry, as starling average does, and analyse that.")
  private @Nullable String average;

  @Mixin private ResultAverage.Settings averaging = new ResultAverage.Settings();

  @Mixin private LevelOptionGroup levels = new LevelOptionGroup();

  @Mixin private CurrentSettings currents = new CurrentSettings();

  @Mixin private AnalysisSettings options = new AnalysisSettings();

  @Option(
      names = "--real",
      description =
          "Multiply operators by i where that makes the whole matrix real on average, and use real parts"
              + " alone.")
  private boolean real;

  @Option(
      names = "--write-optimized",
      paramLabel = "FILE",
      description =
          "With --t0: write the eigenvectors at td as a definition of optimized operators, which run"
              + " takes.")
  private @Nullable Path optimized;

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

  @Override
  public Integer call() {
    check();
    AnalysisPlot.Range shown = range();
    boolean threePoint = isThreePoint();
    ParseResult given = commandLine().getParseResult();
    rejectIf(
        threePoint
            && (levels.isGiven(this)
                || isGiven("--fit", "--real", "--effective-mass", "--average")),
        "--fit, --real, --effective-mass, --average and --masses are for two-point functions");
    rejectIf(
        average == null && isGiven("--fold", "--periodic"), "--fold and --periodic need --average");
    rejectIf(levels.isGiven(this) && !options.fit, "--masses needs --fit");
    List<? extends Analysis> analyses = threePoint ? currents() : correlators();
    List<Path> written = new ArrayList<>();
    // Plots are drawn in memory: no display is asked for, whatever the environment says.
    System.setProperty("java.awt.headless", "true");
    if (out != null) {
      written.addAll(AnalysisOutput.write(out, formats, analyses, shown));
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
      command.addAll(given.originalArgs());
      written.add(HtmlReport.write(report, analyses, command, files, shown));
    }
    if (json) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put(
          threePoint ? "three_point" : "correlators",
          analyses.stream().map(Analysis::json).toList());
      map.put("files", written.stream().map(Path::toString).toList());
      out().println(Json.text(map));
    } else {
      print(analyses, written);
    }
    return ErrorReport.SUCCESS;
  }

  private List<CorrelatorAnalysis> correlators() {
    SelectionSettings chosen = selection.checked();
    if (average == null) {
      return correlators(files, chosen);
    }
    rejectIf(
        !average.matches("[A-Za-z0-9_-]+"),
        "--average must be a name of letters, digits, _ and -, not " + average);
    try (TemporaryFolder folder = TemporaryFolder.of("starling-average-")) {
      Path mean = folder.path().resolve(average + ".h5");
      ResultAverage.Report made = ResultAverage.write(files, chosen, averaging, mean, false);
      SelectionSettings all = chosen.with(NumberSelection.ALL, NumberSelection.ALL, List.of());
      return correlators(List.of(mean), all).stream()
          .map(one -> one.with(List.of(made.comparisons()), made.doubtful()))
          .toList();
    }
  }

  private List<CorrelatorAnalysis> correlators(List<Path> read, SelectionSettings chosen) {
    List<CorrelatorAnalysis> analyses = new ArrayList<>();
    for (CorrelatorData one : CorrelatorSources.load(read, chosen)) {
      CorrelatorData data = real ? RealPhases.realParts(one) : one;
      CorrelatorAnalysis analysis = CorrelatorAnalysis.of(data, options);
      analyses.add(
          levels.isGiven(this)
              ? analysis.with(
                  levels.levels(this, List.of(analysis), read, chosen, options).tables(), List.of())
              : analysis);
    }
    return analyses;
  }

  /**
   * Whether the files hold three-point functions.
   *
   * @throws InputException when some do and others do not
   */
  private boolean isThreePoint() {
    List<Path> found = files.stream().filter(CurrentData::isOne).toList();
    String options =
        "--sink-two-point, --source-two-point, --insertions, --part, --sink-state, --source-state";
    rejectIf(
        found.isEmpty() && isGiven((options + ", --fit-window").split(", ")),
        options + " and --fit-window need a result of three-point functions");
    if (!found.isEmpty() && found.size() < files.size()) {
      throw InputException.of(
          "%s: holds three-point functions, %s does not; two-point functions for ratios are given"
              + " with --sink-two-point and --source-two-point",
          found.get(0),
          files.stream().filter(file -> !found.contains(file)).findFirst().orElseThrow());
    }
    return !found.isEmpty();
  }

  private List<CurrentAnalysis> currents() {
    rejectIf(
        isGiven("--sink-state", "--source-state") && options.t0 == null,
        "--sink-state and --source-state need --t0");
    int state = Math.min(currents.sinkState, currents.sourceState);
    rejectIf(state < 0, "a state must be >= 0: " + state);
    rejectIf(
        currents.windows.size() > 2
            || currents.windows.stream().anyMatch(window -> window.ranges().size() != 1),
        "--fit-window takes one range of separations, or one for sink and one for source: 3-7,2-6");
    SelectionSettings chosen = selection.checked();
    List<CurrentAnalysis> analyses = new ArrayList<>();
    for (CurrentData data : CurrentData.load(files, chosen, currents.insertions)) {
      CorrelatorData sink = twoPoint(currents.sink, data.sinkOperators(), chosen);
      CorrelatorData source = twoPoint(currents.source, data.sourceOperators(), chosen);
      analyses.add(new CurrentAnalysis(data, sink, source, options, currents));
    }
    return analyses;
  }

  /** The two-point functions of operators in files; null without files. */
  private static @Nullable CorrelatorData twoPoint(
      List<Path> files, List<String> operators, SelectionSettings selection) {
    if (files.isEmpty()) {
      return null;
    }
    // Sources need not be those of the three-point functions.
    SelectionSettings ofSide =
        selection.with(selection.configurations, NumberSelection.ALL, operators);
    Map<String, CorrelatorData> found = new LinkedHashMap<>();
    CorrelatorSources.load(files, ofSide).forEach(data -> found.put(data.name(), data));
    if (found.size() > 1) {
      throw new InputException(
          files + ": hold several correlators, " + found.keySet() + "; give the files of one");
    }
    return found.values().iterator().next();
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
        commandLine(), "--range must be LOW:HIGH, such as 0:1.5, not " + range);
  }

  private void print(List<? extends Analysis> analyses, List<Path> written) {
    PrintWriter text = out();
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
    warn(analyses);
  }

  /** Refuses a wrong use of options. */
  private void check() {
    rejectIf(
        options.samples < 2 || options.samples > MOST_SAMPLES,
        "--samples must be between 2 and " + MOST_SAMPLES + ", not " + options.samples);
    checkLevels(options);
    rejectWithout("--t0", options.t0 != null, "--td", "--write-optimized");
    rejectIf(optimized != null && real, "--write-optimized needs the operators without --real");
    rejectWithout("--out", out != null, "--formats");
    FitSettings fits = options.fits;
    rejectWithout("--fit", options.fit, "--fit-from", "--fit-to", "--fit-states");
    boolean fitted = options.fit || !currents.windows.isEmpty();
    rejectWithout("--fit or --fit-window", fitted, "--fit-form", "--fit-covariance", "--svd-cut");
    boolean cuts = fits.covariance == Covariance.Method.SVD;
    rejectWithout("--fit-covariance svd", cuts || !fitted, "--svd-cut");
    rejectIf(
        !(fits.cut > 0 && fits.cut < 1), "--svd-cut must lie between 0 and 1, not at " + fits.cut);
    rejectIf(fits.from < 0, "--fit-from must be at least 0, not " + fits.from);
    rejectIf(
        fits.to < fits.from,
        "--fit-to must not be before --fit-from: " + fits.from + " and " + fits.to);
    rejectIf(
        !Set.of(1, 2).containsAll(fits.states),
        "--fit-states must be 1, 2 or 1,2, not " + new TreeSet<>(fits.states));
  }
}
