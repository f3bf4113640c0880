package org.starlingqcd.correlators.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.MemoryInfo;
import org.starlingqcd.backend.TierOptions;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.cache.Tiering;

/**
 * Two tiers of memory on a certain device, or one where the device does not have what was asked
 * for.
 *
 * @param tiering how the fast tier is used
 * @param fastBytes size of the fast tier, or of the only one
 * @param slowBytes size of the slow tier; 0 without one
 * @param workingBytes what the elements of one contraction may take, in either tier
 * @param placement where the tiers are, for the device
 * @param warning why there is one tier though two were asked for; null if nothing is amiss
 */
public record TwoTiers(
    Tiering tiering,
    long fastBytes,
    long slowBytes,
    long workingBytes,
    TierOptions placement,
    @Nullable String warning) {
  private static final Logger LOG = LoggerFactory.getLogger(TwoTiers.class);
  private static final String CPU = "cpu";

  /** More than any machine has. */
  private static final long UNBOUNDED = 1L << 50;

  /** Part of the free memory of nodes that is taken if no size is given. */
  private static final double NODE_SHARE = 0.9;

  /** Nodes this much faster than the slowest are taken for fast memory. */
  private static final double FASTER = 1.5;

  /**
   * Tiers on a device.
   *
   * @param deviceBytes memory of the device: on the CPU of both tiers together, on a GPU its own
   * @param hostBytes RAM for what leaves the device; on a GPU this is the slow tier
   * @throws InputException when the fast memory is more than that
   */
  public static TwoTiers of(
      TierSettings asked, BackendProvider backend, long deviceBytes, long hostBytes) {
    if (!asked.isAsked()) {
      return single(deviceBytes);
    }
    if (asked.managed()) {
      return managed(backend);
    }
    if (!backend.name().equals(CPU)) {
      return onGpu(asked, deviceBytes, hostBytes);
    }
    List<MemoryInfo> memories = backend.memories(false);
    boolean unknown = memories.stream().anyMatch(memory -> memory.rate() == 0);
    if (memories.size() > 1 && unknown && asked.fastNodes().isEmpty()) {
      memories = backend.memories(true);
    }
    return of(asked, memories, deviceBytes);
  }

  /** Managed memory, which nothing ever has to leave. */
  private static TwoTiers managed(BackendProvider backend) {
    if (backend.name().equals(CPU)) {
      throw new InputException("--memory managed needs a GPU, not the backend cpu");
    }
    return new TwoTiers(Tiering.OFF, UNBOUNDED, 0, UNBOUNDED, TierOptions.ofManagedMemory(), null);
  }

  /**
   * Tiers on a GPU: its own memory, and page-locked memory of the host in place of the memory for
   * what leaves the device.
   */
  static TwoTiers onGpu(TierSettings asked, long deviceBytes, long hostBytes) {
    if (!asked.fastNodes().isEmpty() || !asked.slowNodes().isEmpty()) {
      return one(
          deviceBytes,
          "the slow memory of a GPU is page-locked memory of the host, which takes no memory nodes,"
              + " so there is one tier");
    }
    long fast = fastBytes(asked, deviceBytes);
    if (asked.tiering() != Tiering.OFF && hostBytes == 0) {
      return one(fast, "--host-memory leaves no slow memory to the GPU, so there is one tier");
    }
    long working = Math.min(deviceBytes, fast + hostBytes);
    return two(asked, fast, hostBytes, working, TierOptions.none());
  }

  /** Both tiers, or the fast one alone where tiering is off. */
  private static TwoTiers two(
      TierSettings asked, long fast, long slow, long working, TierOptions placement) {
    boolean off = asked.tiering() == Tiering.OFF;
    return new TwoTiers(
        asked.tiering(), fast, off ? 0 : slow, off ? fast : working, placement, null);
  }

  /** The size of the fast tier that was asked for; all of the device if none was. */
  private static long fastBytes(TierSettings asked, long deviceBytes) {
    MemorySize size = asked.fastMemory();
    long fast = size == null ? deviceBytes : Math.max(1, size.of(deviceBytes));
    if (fast > deviceBytes) {
      throw InputException.of(
          "--fast-memory %s is more than the device memory, %s",
          MemorySize.text(fast), MemorySize.text(deviceBytes));
    }
    return fast;
  }

  /** Tiers on the CPU, with these memories of the machine. */
  static TwoTiers of(TierSettings asked, List<MemoryInfo> memories, long deviceBytes) {
    if (!asked.isAsked()) {
      return one(deviceBytes, null);
    }
    String missing = missing(asked, memories);
    if (missing != null) {
      return one(deviceBytes, missing);
    }
    List<Integer> fastNodes = asked.fastNodes();
    if (fastNodes.isEmpty()) {
      fastNodes = fasterNodes(memories);
    }
    MemorySize size = asked.fastMemory();
    if (size == null && fastNodes.isEmpty()) {
      return one(
          deviceBytes, "no memory of this machine is faster than another, so there is one tier");
    }
    long fast =
        size != null
            ? fastBytes(asked, deviceBytes)
            : Math.min(deviceBytes, (long) (NODE_SHARE * freeBytes(memories, fastNodes)));
    return two(asked, fast, deviceBytes - fast, deviceBytes, asked.options(fastNodes));
  }

  /** Logs the warning, if there is one. */
  public void announce() {
    if (warning != null) {
      LOG.warn("{}", warning);
    }
  }

  /** One tier of this size. */
  public static TwoTiers single(long deviceBytes) {
    return one(deviceBytes, null);
  }

  private static TwoTiers one(long deviceBytes, @Nullable String warning) {
    return new TwoTiers(Tiering.OFF, deviceBytes, 0, deviceBytes, TierOptions.none(), warning);
  }

  /** What was asked for and is not there; null if nothing. */
  private static @Nullable String missing(TierSettings asked, List<MemoryInfo> memories) {
    List<Integer> named = new ArrayList<>(asked.fastNodes());
    named.addAll(asked.slowNodes());
    if (!named.isEmpty() && memories.isEmpty()) {
      return "memory cannot be placed on nodes here, so there is one tier";
    }
    for (int node : named) {
      if (memories.stream().noneMatch(memory -> memory.node() == node)) {
        return String.format(
            "there is no memory node %s (there are: %s), so there is one tier",
            node,
            memories.stream()
                .map(memory -> Integer.toString(memory.node()))
                .collect(Collectors.joining(", ")));
      }
    }
    return null;
  }

  /** The nodes that are known to be faster than the slowest; empty if there are none. */
  private static List<Integer> fasterNodes(List<MemoryInfo> memories) {
    double slowest =
        memories.stream()
            .mapToDouble(MemoryInfo::rate)
            .filter(rate -> rate > 0)
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    return memories.stream()
        .filter(memory -> memory.rate() >= FASTER * slowest)
        .map(MemoryInfo::node)
        .toList();
  }

  private static long freeBytes(List<MemoryInfo> memories, List<Integer> nodes) {
    return memories.stream()
        .filter(memory -> nodes.contains(memory.node()))
        .mapToLong(MemoryInfo::freeBytes)
        .sum();
  }

  /** Options of MemHC with these tiers. */
  public MemHCOptions applyTo(MemHCOptions options) {
    try {
      return options
          .withBudget(fastBytes)
          .withTiering(tiering, slowBytes)
          .withWorkingBytes(workingBytes);
    } catch (IllegalArgumentException excluded) {
      throw new InputException(
          "--tiering: " + Objects.requireNonNull(excluded.getMessage()), excluded);
    }
  }
}
