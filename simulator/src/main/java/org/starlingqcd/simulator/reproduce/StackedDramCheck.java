package org.starlingqcd.simulator.reproduce;

import java.util.HashMap;
import java.util.Map;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.cache.TimeModel;
import org.starlingqcd.memhc.replay.Replay;
import org.starlingqcd.simulator.workload.Workloads;

/**
 * Runtime-guided stacked DRAM: the outcomes of look-ups with 16 GiB of fast memory and 64 tasks in
 * flight. Cholesky and SMI are a half and a quarter as wide as in the paper, with fast memory, and
 * for SMI tasks in flight, smaller to scale. All rows run in MemHC's own two tiers, and evict as
 * section 3.3 says: the first entry of the directory that no task in flight uses, whose place the
 * new one takes.
 *
 * <p>Triad has 256 blocks of 40 MiB in each array, every one used once a loop. The tracker sees the
 * tasks of one loop, because a loop is a parallel region of its own.
 */
final class StackedDramCheck extends PaperCheck {
  private static final long GIB = 1L << 30;
  private static final long SEED = 1;
  private static final String VICTIMS = "first-unused";
  private static final String TRIAD = "triad:n=256,tile=2290";

  private final Map<String, Map<String, Double>> shares = new HashMap<>();
  private String made = "";
  private AccessTrace trace = Workloads.make("triad:n=1", SEED, true);

  @Override
  Object measure(String what, String[] arguments) {
    return switch (what) {
      case "tasks" -> trace(arguments[0]).queues().stream().mapToLong(queue -> queue.steps()).sum();
      case "share" -> share(arguments[3], arguments[0], arguments[1], arguments[2]);
      case "missed" -> 100 - share("hit", arguments[0], "16", "guided");
      case "speed" -> 100 * seconds(Tiering.STATIC) / seconds(Tiering.OFF);
      default -> throw unknown(what);
    };
  }

  /** Rows of one workload follow each other; the traces are too large to keep them all. */
  private AccessTrace trace(String workload) {
    if (!workload.equals(made)) {
      trace = Workloads.make(workload, SEED, true);
      made = workload;
    }
    return trace;
  }

  /** Time where only slow memory limits: its rate is 1 byte a second, all others are unbounded. */
  private double seconds(Tiering tiering) {
    double any = Double.POSITIVE_INFINITY;
    TimeModel slowOnly = new TimeModel(1, any, any, any, true);
    return Replay.inTiers(trace(TRIAD), 16 * GIB, tiering, VICTIMS, SEED).seconds(slowOnly, 0);
  }

  private double share(String outcome, String... tiers) {
    return 100 * shares(tiers).getOrDefault(outcome, 0.0);
  }

  /** Shares of the bytes looked up: workload, GiB of fast memory, tiering. */
  private Map<String, Double> shares(String... tiers) {
    return shares.computeIfAbsent(
        String.join(" ", tiers),
        key -> {
          long bytes = Long.parseLong(tiers[1]) * GIB;
          Tiering tiering = Tiering.parse(tiers[2]);
          return Replay.inTiers(trace(tiers[0]), bytes, tiering, VICTIMS, SEED).cache().shares();
        });
  }
}
