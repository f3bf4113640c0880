package org.starlingqcd.analysis.cli;

import org.starlingqcd.analysis.ResultAverage;
import picocli.CommandLine.Option;

/** What is averaged besides rows and directions. */
final class AverageOptionGroup {
  @Option(
      names = "--fold",
      description =
          "Also average t with T - t, with the sign that the operators have; mesons only.")
  private boolean fold;

  @Option(
      names = "--periodic",
      description =
          "Quarks are periodic in time, for parity partners (default: they are antiperiodic).")
  private boolean periodic;

  ResultAverage.Options options() {
    return new ResultAverage.Options(fold, !periodic);
  }

  boolean isGiven() {
    return fold || periodic;
  }
}
