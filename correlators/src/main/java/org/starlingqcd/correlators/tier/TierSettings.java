package org.starlingqcd.correlators.tier;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.TierOptions;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.memhc.cache.Tiering;

/**
 * Two tiers of memory as a user asks for them.
 *
 * @param fastMemory size of the fast tier, or null
 * @param fastNodes NUMA nodes of the fast tier; empty: not given
 * @param slowNodes NUMA nodes of the slow tier; empty: not given
 * @param tiering how the fast tier is used
 * @param copyThreads threads that only copy
 * @param chunkBytes bytes that a thread takes of a copy at a time
 */
public record TierSettings(
    @Nullable MemorySize fastMemory,
    List<Integer> fastNodes,
    List<Integer> slowNodes,
    Tiering tiering,
    int copyThreads,
    long chunkBytes) {
  private static final String NODES = "node:";
  private static final Pattern NODE_LIST = Pattern.compile("[0-9]{1,5}(,[0-9]{1,5})*");
  private static final int MOST_COPY_THREADS = 1024;

  /** Copies the lists. */
  public TierSettings {
    fastNodes = List.copyOf(fastNodes);
    slowNodes = List.copyOf(slowNodes);
  }

  /** One tier. */
  public static TierSettings none() {
    return new TierSettings(null, List.of(), List.of(), Tiering.OFF, 0, TierOptions.DEFAULT_CHUNK);
  }

  /**
   * Settings from what a user typed.
   *
   * @param fast a size, or nodes as {@code node:0,1}; null: not given
   * @param slow nodes; null: not given
   * @param tiering null: guided if a memory is given, otherwise off
   * @param chunk null: the default
   * @throws InputException when a text cannot be understood or a number is out of range
   */
  public static TierSettings parse(
      @Nullable String fast,
      @Nullable String slow,
      @Nullable String tiering,
      int copyThreads,
      @Nullable MemorySize chunk) {
    if (copyThreads < 0 || copyThreads > MOST_COPY_THREADS) {
      throw new InputException(
          "--copy-threads must be >= 0 && <= " + MOST_COPY_THREADS + ": " + copyThreads);
    }
    if (chunk != null && chunk.fraction() > 0) {
      throw new InputException("--copy-chunk is an amount, such as 1MiB: " + chunk);
    }
    boolean given = fast != null || slow != null;
    Tiering how = given ? Tiering.GUIDED : Tiering.OFF;
    if (tiering != null) {
      try {
        how = Tiering.parse(tiering);
      } catch (IllegalArgumentException unknown) {
        throw new InputException("--tiering: " + unknown.getMessage(), unknown);
      }
    }
    boolean byNodes = fast != null && fast.startsWith(NODES);
    return new TierSettings(
        fast == null || byNodes ? null : MemorySize.parse(fast),
        byNodes ? nodes("--fast-memory", fast) : List.of(),
        slow == null ? List.of() : nodes("--slow-memory", slow),
        how,
        copyThreads,
        chunk == null ? TierOptions.DEFAULT_CHUNK : chunk.bytes());
  }

  private static List<Integer> nodes(String option, @Nullable String text) {
    String list = text == null || !text.startsWith(NODES) ? "" : text.substring(NODES.length());
    if (!NODE_LIST.matcher(list).matches()) {
      throw new InputException(option + " takes memory nodes as node:0 or node:0,1: " + text);
    }
    return Arrays.stream(list.split(",", -1)).map(Integer::valueOf).distinct().toList();
  }

  /** Whether anything but one tier is asked for. */
  public boolean isAsked() {
    return tiering != Tiering.OFF
        || fastMemory != null
        || !fastNodes.isEmpty()
        || !slowNodes.isEmpty();
  }

  /** The settings that differ from the defaults, under their names in a settings file. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (!isAsked()) {
      return map;
    }
    if (fastMemory != null) {
      map.put("fast_memory", fastMemory.toString());
    } else if (!fastNodes.isEmpty()) {
      map.put("fast_memory", text(fastNodes));
    }
    if (!slowNodes.isEmpty()) {
      map.put("slow_memory", text(slowNodes));
    }
    map.put("tiering", tiering.label());
    map.put("copy_threads", copyThreads);
    map.put("copy_chunk", Long.toString(chunkBytes));
    return map;
  }

  private static String text(List<Integer> nodes) {
    return nodes.stream().map(String::valueOf).collect(Collectors.joining(",", NODES, ""));
  }
}
