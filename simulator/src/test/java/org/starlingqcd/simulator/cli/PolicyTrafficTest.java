package org.starlingqcd.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import org.starlingqcd.hadron.execute.QueueCost;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.memhc.replay.Replay;
import org.starlingqcd.simulator.TrafficBounds;

/** Eviction on the queues of all shipped definitions: the default against other policies. */
final class PolicyTrafficTest {
  private static final int N = 4;
  private static final int[] PERCENTS = {20, 40, 60, 80, 90};

  /** What {@code starling run} takes with a spill file. */
  private static final long FLOPS_PER_BYTE = 100;

  /** Planned once for all tests. */
  private static final Map<String, ExecutionQueue> QUEUES = new HashMap<>();

  /** The queue of one separation. */
  private static ExecutionQueue plan(String name) {
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
            planning.queueOptions(Long.MAX_VALUE, N))
        .queue();
  }

  private static AccessTrace trace(ExecutionQueue queue, long budget) {
    return QueueCost.prepare(queue, N, Precision.DOUBLE, budget).trace();
  }

  private static double cost(AccessTrace trace, long budget, long flopsPerByte, String policy) {
    MemHCOptions options =
        MemHCOptions.ofBudget(budget).withPolicy(policy).withRecomputation(flopsPerByte);
    return Replay.run(trace, options).cost(flopsPerByte);
  }

  /** What is asked of a queue at a budget. */
  private interface Check {
    void at(String where, ExecutionQueue queue, long budget);
  }

  /** Asks it at shares of the peak with which a queue runs; returns how often. */
  private static int each(List<String> names, int[] percents, Check check) {
    int asked = 0;
    for (String name : names) {
      ExecutionQueue queue = QUEUES.computeIfAbsent(name, PolicyTrafficTest::plan);
      long peak = QueueCost.prepare(queue, N, Precision.DOUBLE, Long.MAX_VALUE).peakBytes();
      for (int percent : percents) {
        long budget = peak * percent / 100;
        if (budget >= Replay.smallestBudget(trace(queue, 1))) {
          check.at(name + " at " + percent + " %: ", queue, budget);
          asked++;
        }
      }
    }
    return asked;
  }

  /**
   * Bytes copied both ways and flops computed again, as the bytes that could be copied meanwhile,
   * are at most one percent above those of the best policy.
   */
  @Tag("slow")
  @Test
  void defaultPolicy_everyDefinition_fiveBudgets_withinOnePercentOfTheBest() {
    int compared =
        each(
            ShippedDefinitions.names(),
            PERCENTS,
            (where, queue, budget) -> {
              AccessTrace trace = trace(queue, budget);
              for (long flopsPerByte : new long[] {0, 10, FLOPS_PER_BYTE}) {
                double ours = cost(trace, budget, flopsPerByte, MemHCOptions.DEFAULT_POLICY);
                for (String policy : EvictionPolicies.names()) {
                  double other = cost(trace, budget, flopsPerByte, policy);
                  String said = where + ours + " against " + other + " of " + policy;
                  assertTrue(ours <= 1.01 * other, said);
                }
              }
            });
    assertEquals(170, compared, 5);
  }

  @Test
  void defaultPolicy_withoutRecomputation_nearTheBound() {
    int[] percents = {25, 50, 75};
    each(
        List.of("f0d2", "f0d4"),
        percents,
        (where, queue, budget) -> {
          AccessTrace trace = trace(queue, budget);
          double ours = cost(trace, budget, 0, MemHCOptions.DEFAULT_POLICY);
          double gap = ours / TrafficBounds.of(trace, budget).trafficBytes();
          assertTrue(gap <= 1.15, where + gap);
        });
  }

  /** Without the price of computing again f0d2 moves up to twice as much at these budgets. */
  @Test
  void recomputation_savesMoreThanItCosts() {
    each(
        List.of("f0d2"),
        PERCENTS,
        (where, queue, budget) -> {
          AccessTrace trace = trace(queue, budget);
          double without = cost(trace, budget, 0, MemHCOptions.DEFAULT_POLICY);
          double with = cost(trace, budget, FLOPS_PER_BYTE, MemHCOptions.DEFAULT_POLICY);
          assertTrue(with <= without, where + with + " against " + without);
        });
  }

  /** Guided tiers move no more than one tier of the size of the fast one. */
  @Tag("slow")
  @Test
  void guidedTiers_everyDefinition_neverMoreThanOneTier() {
    int compared =
        each(
            ShippedDefinitions.names(),
            new int[] {25, 50, 75},
            (where, queue, budget) -> {
              AccessTrace trace = trace(queue, budget);
              for (long flopsPerByte : new long[] {0, FLOPS_PER_BYTE}) {
                double one = cost(trace, budget, flopsPerByte, MemHCOptions.DEFAULT_POLICY);
                MemHCOptions guided =
                    MemHCOptions.ofBudget(budget)
                        .withRecomputation(flopsPerByte)
                        .withTiering(Tiering.GUIDED, Long.MAX_VALUE / 4);
                long working = QueueCost.inTiers(queue, N, Precision.DOUBLE, guided).workingBytes();
                double two = Replay.run(trace(queue, working), guided).cost(flopsPerByte);
                assertTrue(two <= one, where + two + " against " + one);
              }
            });
    assertEquals(100, compared, 5);
  }
}
