package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.run.NumberSelection;
import picocli.CommandLine.Option;

/** How three-point functions are analysed. picocli fills the fields. */
public final class CurrentSettings {
  @Option(
      names = "--sink-two-point",
      paramLabel = "FILE",
      split = ",",
      description =
          "Three-point functions: two-point results with the sink's operators (default: those of the"
              + " source or of the result where sink and source are the same).")
  public List<Path> sink = List.of();

  @Option(
      names = "--source-two-point",
      paramLabel = "FILE",
      split = ",",
      description = "The same of the source's operators.")
  public List<Path> source = List.of();

  @Option(
      names = "--insertions",
      paramLabel = "NAME",
      split = ",",
      description = "Three-point functions: the insertions to use, in this order (default: all).")
  public List<String> insertions = List.of();

  @Option(
      names = "--part",
      paramLabel = "PART",
      description =
          "Three-point functions: ${COMPLETION-CANDIDATES}; loops of the current are the disconnected"
              + " part (default: total).")
  public Part part = Part.TOTAL;

  @Option(
      names = "--sink-state",
      paramLabel = "K",
      description = "Three-point functions with --t0: the state at the sink (default: 0).")
  public int sinkState;

  @Option(names = "--source-state", paramLabel = "K", description = "The same at the source.")
  public int sourceState;

  @Option(
      names = "--fit-window",
      paramLabel = "DT-DT",
      split = ",",
      description =
          "Three-point functions: fit an exponential to the two-point functions at these separations,"
              + " for optimized operators; two windows are of sink and source.")
  public List<NumberSelection> windows = List.of();

  /** Wick contractions of the current. */
  public enum Part {
    /** All that there are. */
    TOTAL,
    /** The current's fields are paired with those of operators. */
    CONNECTED,
    /** The current's fields are paired with each other. */
    DISCONNECTED;

    /** As users write it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** First and last separation of the fit to a side's two-point functions; null: no fit. */
  NumberSelection.@Nullable Range window(boolean atSink) {
    return windows.isEmpty() ? null : windows.get(atSink ? 0 : windows.size() - 1).ranges().get(0);
  }
}
