package org.starlingqcd.analysis.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.Analysis;
import org.starlingqcd.analysis.AnalysisSettings;
import org.starlingqcd.correlators.cli.Console;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command on a part of results. */
abstract class ResultCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;

  CommandLine commandLine() {
    return Objects.requireNonNull(spec, "picocli sets it").commandLine();
  }

  PrintWriter out() {
    return Console.out(spec);
  }

  void warn(String warning) {
    Console.err(spec).println("starling: warning: " + warning);
  }

  void warn(List<? extends Analysis> analyses) {
    for (Analysis analysis : analyses) {
      analysis.warnings().forEach(warning -> warn(analysis.name() + ": " + warning));
    }
  }

  /** Refuses a wrong use of options. */
  void rejectIf(boolean wrong, String message) {
    if (wrong) {
      throw new ParameterException(commandLine(), message);
    }
  }

  /** Refuses bins and a t0 that cannot be. */
  void checkLevels(AnalysisSettings options) {
    rejectIf(options.binSize < 1, "--bin must be at least 1, not " + options.binSize);
    rejectIf(
        options.t0 != null && !options.t0.matches("auto|\\d{1,9}"),
        "--t0 must be a separation or auto, not " + options.t0);
  }

  boolean isGiven(String... options) {
    return Stream.of(options).anyMatch(commandLine().getParseResult()::hasMatchedOption);
  }

  /** Refuses options that are given without what they need. */
  void rejectWithout(String needed, boolean there, String... options) {
    for (String option : options) {
      rejectIf(isGiven(option) && !there, option + " needs " + needed);
    }
  }
}
