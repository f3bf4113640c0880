package org.starlingqcd.correlators.cli.option;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.plan.PlanSettings;
import picocli.CommandLine.Option;

/** The options for planning, of all commands that plan contractions. */
public final class PlanOptionGroup {
  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description =
          "Use a plan saved with `starling plan --save` instead of planning. It must have been made"
              + " for these definitions, in this order, and with the same optimizations.")
  private @Nullable Path plan;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--vector-size",
      paramLabel = "N",
      description = "Largest number of contractions in one batch. Default: ${DEFAULT-VALUE}.")
  private String vectorSize = PlanSettings.AUTO;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--order",
      paramLabel = "NAME",
      description =
          "Order of the contractions: given, tree, sibling, greedy, searched, or auto, which takes the"
              + " order that moves the least data within the device memory. Default: ${DEFAULT-VALUE}.")
  private String order = PlanSettings.AUTO;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--without",
      paramLabel = "LIST",
      split = ",",
      hideParamSyntax = true,
      description =
          "Optimizations to leave out: any of gamma5_hermiticity, end_gammas, accumulation, search,"
              + " trace_blocks, node_rebuilding. Results change by rounding only.")
  private List<String> without = List.of();

  /** The settings that were given, and the defaults of the others. */
  public PlanSettings settings() {
    return PlanSettings.of(plan, vectorSize, order, without);
  }
}
