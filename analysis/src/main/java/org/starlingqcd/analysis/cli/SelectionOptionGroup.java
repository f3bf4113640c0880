package org.starlingqcd.analysis.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.Selection;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.data.DistillationHeader;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that select a part of correlators. */
final class SelectionOptionGroup {
  @Option(
      names = "--configurations",
      paramLabel = "LIST",
      description = "Configurations to use, such as 1,3,10-20 (default: all).")
  private NumberSelection configurations = NumberSelection.ALL;

  @Option(
      names = "--sources",
      paramLabel = "LIST",
      description = "Source times to use (default: all).")
  private NumberSelection sources = NumberSelection.ALL;

  @Option(
      names = "--operators",
      paramLabel = "NAME",
      description =
          "Operators of the matrix to use, in this order: names, separated by commas; a name with"
              + " commas whole or in quotes; places counted from 0; or patterns with * and ?"
              + " (default: all).")
  private List<String> operators = new ArrayList<>();

  @Option(
      names = "--temporal-extent",
      paramLabel = "T",
      description = "Temporal extent of the lattice, if the files do not contain it.")
  private @Nullable Integer temporalExtent;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** Refuses a wrong use of options. */
  static void rejectIf(@Nullable CommandSpec spec, boolean wrong, String message) {
    if (wrong) {
      throw new ParameterException(commandLine(spec), message);
    }
  }

  /** Refuses options that are given without what they need. */
  static void rejectWithout(
      @Nullable CommandSpec spec, String needed, boolean there, String... options) {
    for (String option : options) {
      boolean given = commandLine(spec).getParseResult().hasMatchedOption(option);
      rejectIf(spec, given && !there, option + " needs " + needed);
    }
  }

  static CommandLine commandLine(@Nullable CommandSpec spec) {
    return Objects.requireNonNull(spec, "picocli sets it").commandLine();
  }

  /** What is selected. */
  Selection selection() {
    Integer extent = temporalExtent;
    rejectIf(
        spec,
        extent != null && (extent < 1 || extent > DistillationHeader.MAX_EXTENT),
        "--temporal-extent must be between 1 and %s, not %s"
            .formatted(DistillationHeader.MAX_EXTENT, extent));
    return new Selection(
        configurations,
        sources,
        operators,
        extent == null ? OptionalInt.empty() : OptionalInt.of(extent));
  }
}
