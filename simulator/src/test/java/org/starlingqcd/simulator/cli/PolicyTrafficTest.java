package org.starlingqcd.simulator.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.ShippedDefinitions;
import org.starlingqcd.correlators.plan.BoundQueue;
import org.starlingqcd.correlators.plan.CurrentTimes;
import org.starlingqcd.correlators.plan.DataTraits;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.hadron.execute.PreparedQueue;
import org.starlingqcd.hadron.execute.QueueCost;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.memhc.replay.Replay;

final class PolicyTrafficTest {
  private static final int N = Integer.getInteger("exp.n", 4);

  static ExecutionQueue queue(String name) {
    List<AnyDefinition> all = List.of(new DefinitionLoader().loadAny(name));
    PlanSettings planning = PlanSettings.defaults();
    return BoundQueue.of(
            all,
            BoundQueue.contractions(all, new DataTraits(Set.of(), false), planning),
            4,
            List.of(0),
            List.of(1),
            new CurrentTimes(List.of(1), List.of(0), false, false),
            Map.of(),
            planning,
            Long.MAX_VALUE,
            N)
        .queue();
  }

  @Tag("slow")
  @Test
  void table() {
    long flops = Long.getLong("exp.flops", 100);
    int worse = 0;
    for (String name : System.getProperty("exp.names", "").isEmpty() ? ShippedDefinitions.names() : List.of(System.getProperty("exp.names").split(","))) {
      ExecutionQueue queue = queue(name);
      long peak = QueueCost.prepare(queue, N, Precision.DOUBLE, Long.MAX_VALUE).peakBytes();
      for (int percent : new int[] {20, 40, 60, 80, 90}) {
        long budget = peak * percent / 100;
        PreparedQueue prepared;
        AccessTrace trace;
        try {
          prepared = QueueCost.prepare(queue, N, Precision.DOUBLE, budget);
          trace = prepared.trace();
          if (budget < Replay.smallestBudget(trace)) {
            throw new IllegalStateException();
          }
        } catch (RuntimeException tooSmall) {
          System.out.printf("%s %d too small%n", name, percent);
          continue;
        }
        for (long perByte : new long[] {0, flops}) {
          Map<String, Double> cost = new TreeMap<>();
          Map<String, MemoryStatistics> all = new TreeMap<>();
          long t0 = 0, t1 = 0;
          for (String policy : EvictionPolicies.names()) {
            MemHCOptions options = MemHCOptions.ofBudget(budget).withPolicy(policy).withRecomputation(perByte);
            long t = System.nanoTime();
            MemoryStatistics counted = Replay.run(trace, options);
            t = System.nanoTime() - t;
            if (policy.equals("cost-aware")) t0 = t;
            if (policy.equals("lru")) t1 = t;
            cost.put(policy, counted.cost(perByte));
            all.put(policy, counted);
          }
          String best = cost.entrySet().stream().min(Map.Entry.comparingByValue()).get().getKey();
          double ratio = cost.get("cost-aware") / cost.get(best);
          worse += ratio > 1.01 ? 1 : 0;
          System.out.printf(
              Locale.ROOT,
              "%-16s %2d %% %3d: %s %s cost-aware %.0f (%d re) %s %.0f (%d re) %.4f ms %.1f %.1f steps %d%n",
              name, percent, perByte, ratio > 1.01 ? "WORSE" : "ok", best,
              cost.get("cost-aware"), all.get("cost-aware").recomputations(), best, cost.get(best), all.get(best).recomputations(), ratio, t0 * 1e-6, t1 * 1e-6, trace.queues().get(0).steps());
        }
      }
    }
    System.out.println("worse " + worse);
  }
}
