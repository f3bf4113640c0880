package org.starlingqcd.correlators.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.run.SettingName;
import picocli.CommandLine.Option;

/** The options that say how contractions are planned, for the commands that plan some. */
final class PlanOptionGroup {
  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = {
        "Use the plan that `starling plan --save` kept, instead of planning; refused unless it was",
        "made for these definitions, in this order, and the same optimizations."
      })
  private @Nullable Path plan;

  @Option(
      names = "--vector-size",
      paramLabel = "N",
      description = "Most contractions that run as one batch. Default: auto.")
  private @Nullable String vectorSize;

  @Option(
      names = "--order",
      paramLabel = "NAME",
      description = {
        "Order of the contractions: given, tree, sibling, greedy, searched, or auto, the one that",
        "moves least within the device memory. Default: auto."
      })
  private @Nullable String order;

  @Option(
      names = "--without",
      paramLabel = "LIST",
      description = {
        "Optimizations to leave out, of gamma5_hermiticity, end_gammas, accumulation, search,",
        "trace_blocks, node_rebuilding. Results are the same but for rounding."
      })
  private @Nullable String without;

  /** Adds what was given. */
  void putInto(Map<SettingName, List<String>> values) {
    RunOptionGroup.put(values, SettingName.PLAN, plan == null ? null : plan.toString());
    RunOptionGroup.put(values, SettingName.VECTOR_SIZE, vectorSize);
    RunOptionGroup.put(values, SettingName.ORDER, order);
    RunOptionGroup.put(values, SettingName.WITHOUT, without);
  }
}
