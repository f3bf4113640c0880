package org.starlingqcd.analysis.cli;

import static org.starlingqcd.analysis.cli.SelectionOptionGroup.rejectIf;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.AnalysisOptions;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.CurrentAnalysis;
import org.starlingqcd.analysis.CurrentData;
import org.starlingqcd.analysis.CurrentOptions;
import org.starlingqcd.analysis.CurrentResult;
import org.starlingqcd.analysis.Selection;
import org.starlingqcd.analysis.exchange.CorrelatorSources;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.run.NumberSelection;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code analyze} for three-point functions. */
final class CurrentOptionGroup {
  @Option(
      names = "--sink-two-point",
      paramLabel = "FILE",
      split = ",",
      description =
          "Three-point functions: two-point results with the sink's operators (default: those of the"
              + " source or of the result where sink and source are the same).")
  private List<Path> sink = new ArrayList<>();

  @Option(
      names = "--source-two-point",
      paramLabel = "FILE",
      split = ",",
      description = "The same of the source's operators.")
  private List<Path> source = new ArrayList<>();

  @Option(
      names = "--insertions",
      paramLabel = "NAME",
      split = ",",
      description = "Three-point functions: the insertions to use, in this order (default: all).")
  private List<String> insertions = new ArrayList<>();

  @Option(
      names = "--part",
      paramLabel = "PART",
      description =
          "Three-point functions: ${COMPLETION-CANDIDATES}; loops of the current are the disconnected"
              + " part (default: total).")
  private CurrentOptions.@Nullable Part part;

  @Option(
      names = "--sink-state",
      paramLabel = "K",
      description = "Three-point functions with --t0: the state at the sink (default: 0).")
  private @Nullable Integer sinkState;

  @Option(names = "--source-state", paramLabel = "K", description = "The same at the source.")
  private @Nullable Integer sourceState;

  @Option(
      names = "--fit-window",
      paramLabel = "DT-DT",
      split = ",",
      description =
          "Three-point functions: fit an exponential to the two-point functions at these separations,"
              + " for optimized operators; two windows are of sink and source.")
  private List<NumberSelection> windows = new ArrayList<>();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** Whether two-point functions are fitted. */
  boolean fits() {
    return !windows.isEmpty();
  }

  /**
   * Whether the files hold three-point functions.
   *
   * @throws InputException when some do and others do not
   * @throws ParameterException when options do not fit the files
   */
  boolean apply(List<Path> files) {
    List<Path> currents = files.stream().filter(CurrentResult::isOne).toList();
    boolean given =
        !sink.isEmpty()
            || !source.isEmpty()
            || !insertions.isEmpty()
            || part != null
            || sinkState != null
            || sourceState != null
            || fits();
    if (currents.isEmpty()) {
      rejectIf(
          spec,
          given,
          "--sink-two-point, --source-two-point, --insertions, --part, --sink-state, --source-state"
              + " and --fit-window need a result of three-point functions");
      return false;
    }
    if (currents.size() < files.size()) {
      throw InputException.of(
          "%s: holds three-point functions, %s does not; two-point functions for ratios are given"
              + " with --sink-two-point and --source-two-point",
          currents.get(0),
          files.stream().filter(file -> !currents.contains(file)).findFirst().orElseThrow());
    }
    return true;
  }

  /** Analyses results of three-point functions. */
  List<CurrentAnalysis> analyze(List<Path> files, Selection selection, AnalysisOptions options) {
    for (Integer state : new Integer[] {sinkState, sourceState}) {
      rejectIf(
          spec,
          state != null && options.t0().isEmpty(),
          "--sink-state and --source-state need --t0");
      rejectIf(spec, state != null && state < 0, "a state must be >= 0: " + state);
    }
    boolean ranges = windows.stream().allMatch(window -> window.ranges().size() == 1);
    rejectIf(
        spec,
        windows.size() > 2 || !ranges,
        "--fit-window takes one range of separations, or one for sink and one for source: 3-7,2-6");
    CurrentOptions all =
        new CurrentOptions(
            options,
            part == null ? CurrentOptions.Part.TOTAL : part,
            sinkState == null ? 0 : sinkState,
            sourceState == null ? 0 : sourceState,
            windows.stream().map(window -> window.ranges().get(0)).toList());
    List<CurrentAnalysis> analyses = new ArrayList<>();
    for (CurrentData data : CurrentResult.load(files, selection, insertions)) {
      analyses.add(
          CurrentAnalysis.of(
              data,
              twoPoint(sink, data.sinkOperators(), selection),
              twoPoint(source, data.sourceOperators(), selection),
              all));
    }
    return analyses;
  }

  /** The two-point functions of operators in files; null without files. */
  private static @Nullable CorrelatorData twoPoint(
      List<Path> files, List<String> operators, Selection selection) {
    if (files.isEmpty()) {
      return null;
    }
    // Sources need not be those of the three-point functions.
    Selection ofSide =
        new Selection(
            selection.configurations(), NumberSelection.ALL, operators, selection.temporalExtent());
    Map<String, CorrelatorData> found = new LinkedHashMap<>();
    CorrelatorSources.load(files, ofSide).forEach(data -> found.put(data.name(), data));
    if (found.size() > 1) {
      throw new InputException(
          files + ": hold several correlators, " + found.keySet() + "; give the files of one");
    }
    return found.values().iterator().next();
  }
}
