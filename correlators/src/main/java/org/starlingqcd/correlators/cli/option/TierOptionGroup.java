package org.starlingqcd.correlators.cli.option;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.tier.TierSettings;
import picocli.CommandLine.Option;

/** The options for two tiers of memory. */
public final class TierOptionGroup {
  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--fast-memory",
      paramLabel = "SIZE|NODES",
      description =
          "The part of the device memory that is fast: an amount such as 60GiB or 25%%, or memory nodes such"
              + " as node:1 (`starling backends` lists them). Kernels use what has no room there in slow"
              + " memory. Default: all device memory is alike.")
  private @Nullable String fastMemory;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--slow-memory",
      paramLabel = "NODES",
      description = "Memory nodes of the slow part, such as node:0. Default: any.")
  private @Nullable String slowMemory;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--tiering",
      paramLabel = "NAME",
      description =
          "What is in fast memory: static, what comes first; guided, what the queue uses again; off,"
              + " everything that a kernel uses. Default: guided with --fast-memory.")
  private @Nullable String tiering;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--copy-threads",
      paramLabel = "N",
      converter = WholeNumber.FromZero.class,
      description =
          "Threads that only copy between fast and slow memory, beside idle ones. Default:"
              + " ${DEFAULT-VALUE}.")
  private int copyThreads;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--copy-chunk",
      paramLabel = "SIZE",
      description = "What a thread takes of such a copy at a time. Default: 1MiB.")
  private @Nullable MemorySize copyChunk;

  /** The settings that were given, and the defaults of the others. */
  public TierSettings settings() {
    return TierSettings.parse(fastMemory, slowMemory, tiering, copyThreads, copyChunk);
  }
}
