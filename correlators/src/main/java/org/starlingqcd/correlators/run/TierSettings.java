package org.starlingqcd.correlators.run;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.TierOptions;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.option.HelpSection;
import org.starlingqcd.correlators.cli.option.WholeNumber;
import org.starlingqcd.memhc.cache.Tiering;
import picocli.CommandLine.Option;

/** Two tiers of memory as a user asks for them. Picocli fills the fields. */
public final class TierSettings {
  private static final String NODES = "node:";
  private static final Pattern NODE_LIST = Pattern.compile("[0-9]{1,5}(,[0-9]{1,5})*");
  private static final int MOST_COPY_THREADS = 1024;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--fast-memory",
      paramLabel = "SIZE|NODES",
      description =
          "The part of the device memory that is fast: an amount such as 60GiB or 25%%, or memory"
              + " nodes such as node:1 (`starling backends` lists them). Kernels use what has no"
              + " room there in slow memory. Default: all device memory is alike.")
  private @Nullable String fast;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--slow-memory",
      paramLabel = "NODES",
      description = "Memory nodes of the slow part, such as node:0. Default: any.")
  private @Nullable String slow;

  @HelpSection.In(HelpSection.MEMORY)
  @Option(
      names = "--tiering",
      paramLabel = "NAME",
      description =
          "What is in fast memory: static, what comes first; guided, what the queue uses again;"
              + " off, everything that a kernel uses. Default: guided with --fast-memory.")
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
  private @Nullable MemorySize chunk;

  @HelpSection.In(HelpSection.TUNING)
  @Option(
      names = "--memory",
      paramLabel = "NAME",
      description =
          "Device memory of a GPU: device, which the program fills and empties; managed, which the"
              + " GPU's driver moves, for comparison. Default: ${DEFAULT-VALUE}.")
  private String memory = "device";

  /** Settings with these texts of options. */
  static TierSettings of(
      @Nullable String fast, @Nullable String slow, @Nullable String tiering, int copyThreads) {
    TierSettings settings = new TierSettings();
    settings.fast = fast;
    settings.slow = slow;
    settings.tiering = tiering;
    settings.copyThreads = copyThreads;
    return settings.checked();
  }

  /**
   * Checks texts that picocli takes as they are.
   *
   * @throws InputException when a text cannot be understood or a number is out of range
   */
  public TierSettings checked() {
    if (copyThreads > MOST_COPY_THREADS) {
      throw new InputException(
          "--copy-threads must be between 0 and " + MOST_COPY_THREADS + ", not " + copyThreads);
    }
    if (chunk != null && chunk.fraction() > 0) {
      throw new InputException("--copy-chunk is an amount, such as 1MiB: " + chunk);
    }
    if (!managed() && !memory.equals("device")) {
      throw new InputException("--memory must be device or managed: " + memory);
    }
    if (managed() && (tiering() != Tiering.OFF || fast != null || slow != null)) {
      throw new InputException(
          "--memory managed leaves all copies to the driver of the GPU: leave out fast and slow"
              + " memory");
    }
    tiering();
    fastMemory();
    fastNodes();
    slowNodes();
    return this;
  }

  /** Whether a GPU takes managed memory. */
  boolean managed() {
    return memory.equals("managed");
  }

  /** How the fast tier is used: guided if a memory is given, otherwise off. */
  Tiering tiering() {
    if (tiering == null) {
      return fast != null || slow != null ? Tiering.GUIDED : Tiering.OFF;
    }
    try {
      return Tiering.parse(tiering);
    } catch (IllegalArgumentException unknown) {
      throw new InputException("--tiering: " + unknown.getMessage(), unknown);
    }
  }

  /** Size of the fast tier, or null. */
  @Nullable MemorySize fastMemory() {
    return fast == null || fast.startsWith(NODES) ? null : MemorySize.parse(fast);
  }

  /** NUMA nodes of the fast tier; empty: not given. */
  List<Integer> fastNodes() {
    return fast == null || !fast.startsWith(NODES) ? List.of() : nodes("--fast-memory", fast);
  }

  /** NUMA nodes of the slow tier; empty: not given. */
  List<Integer> slowNodes() {
    return slow == null ? List.of() : nodes("--slow-memory", slow);
  }

  /** Where the tiers are, for the device. */
  TierOptions options(List<Integer> nodesOfFastTier) {
    return new TierOptions(nodesOfFastTier, slowNodes(), copyThreads, chunkBytes(), false);
  }

  private long chunkBytes() {
    return chunk == null ? TierOptions.DEFAULT_CHUNK : chunk.bytes();
  }

  private static List<Integer> nodes(String option, String text) {
    String list = text.startsWith(NODES) ? text.substring(NODES.length()) : "";
    if (!NODE_LIST.matcher(list).matches()) {
      throw new InputException(option + " takes memory nodes as node:0 or node:0,1: " + text);
    }
    return Arrays.stream(list.split(",", -1)).map(Integer::valueOf).distinct().toList();
  }

  /** Whether anything but one tier is asked for. */
  boolean isAsked() {
    return managed() || tiering() != Tiering.OFF || fast != null || slow != null;
  }

  /** Adds the settings that differ from the defaults, under their names in a settings file. */
  void describe(Map<String, Object> map) {
    if (!isAsked()) {
      return;
    }
    if (managed()) {
      map.put("memory", memory);
      return;
    }
    MemorySize size = fastMemory();
    RunSettings.put(map, "fast_memory", size == null ? text(fastNodes()) : size, NODES);
    RunSettings.put(map, "slow_memory", text(slowNodes()), NODES);
    map.put("tiering", tiering().label());
    map.put("copy_threads", copyThreads);
    map.put("copy_chunk", Long.toString(chunkBytes()));
  }

  private static String text(List<Integer> nodes) {
    return nodes.stream().map(String::valueOf).collect(Collectors.joining(",", NODES, ""));
  }
}
