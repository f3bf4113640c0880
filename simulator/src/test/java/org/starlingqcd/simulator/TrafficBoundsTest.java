package org.starlingqcd.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.memhc.replay.Replay;

/** The bounds against the exact optimum, found by trying everything on small traces. */
final class TrafficBoundsTest {
  private static final TensorShape NODE = new TensorShape(1, 1, 1);

  /** Contractions of random live elements, one a vector; about half of the results are kept. */
  private static AccessTrace random(long seed, int inputs, int contractions) {
    Random random = new Random(seed);
    AccessQueue.Builder builder = AccessQueue.builder();
    for (int k = 0; k < contractions; k++) {
      int known = inputs + k;
      builder.step(
          new int[] {random.nextInt(known), random.nextInt(known)}, new int[] {inputs + k});
      builder.endVector();
      if (random.nextBoolean()) {
        builder.keep(inputs + k);
      }
    }
    boolean[] input = new boolean[inputs + contractions];
    Arrays.fill(input, 0, inputs, true);
    return new AccessTrace(List.of(NODE), new int[input.length], input, List.of(builder.build()));
  }

  /**
   * Least traffic in elements, of ups alone or of both directions, over every choice of what is on
   * the device after every step. A state is what is on the device and what has a copy on the host.
   */
  private static int optimum(AccessTrace trace, int slots, boolean countDowns) {
    AccessQueue queue = trace.queues().get(0);
    int inputs = 0;
    for (int element = 0; element < trace.elements(); element++) {
      inputs |= trace.input()[element] ? 1 << element : 0;
    }
    int[] lastUse = new int[trace.elements()];
    Arrays.fill(lastUse, -1);
    for (int step = 0; step < queue.steps(); step++) {
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        lastUse[queue.element(k)] = queue.isKept(queue.element(k)) ? queue.steps() : step;
      }
    }
    Map<Long, Integer> states = new HashMap<>(Map.of((long) inputs, 0));
    for (int step = 0; step < queue.steps(); step++) {
      int used = 0;
      int output = queue.element(queue.firstOutput(step));
      for (int k = queue.firstAccess(step); k < queue.firstAccess(step + 1); k++) {
        used |= 1 << queue.element(k);
      }
      Map<Long, Integer> next = new HashMap<>();
      for (Map.Entry<Long, Integer> entry : states.entrySet()) {
        int device = (int) (entry.getKey() >> 32);
        int host = (int) (long) entry.getKey();
        int ups = Integer.bitCount(used & ~device & ~(1 << output));
        int others = device & ~used;
        // Every subset of what is there may stay beside what is used.
        for (int stay = others; ; stay = (stay - 1) & others) {
          if (Integer.bitCount(stay | used) <= slots) {
            int downs = 0;
            int copies = host;
            for (int e = 0; e < trace.elements(); e++) {
              boolean leaves = (others & ~stay & (1 << e)) != 0;
              if (leaves && (host & (1 << e)) == 0 && lastUse[e] >= step) {
                downs++;
                copies |= 1 << e;
              }
            }
            long state = ((long) (stay | used) << 32) | copies;
            next.merge(state, entry.getValue() + ups + (countDowns ? downs : 0), Math::min);
          }
          if (stay == 0) {
            break;
          }
        }
      }
      states = next;
    }
    int best = Integer.MAX_VALUE;
    for (Map.Entry<Long, Integer> entry : states.entrySet()) {
      int downs = 0;
      for (int element : queue.kept()) {
        downs += (entry.getKey() & (1L << element)) == 0 ? 1 : 0;
      }
      best = Math.min(best, entry.getValue() + (countDowns ? downs : 0));
    }
    return best;
  }

  @Tag("slow")
  @Test
  void bounds_smallTraces_neverAboveTheOptimum() {
    double looseness = 0;
    double costAware = 0;
    int cases = 0;
    for (int seed = 1; seed <= 60; seed++) {
      AccessTrace trace = random(seed, 4, 9);
      for (int slots = 3; slots <= 6; slots++) {
        TrafficBounds bounds = TrafficBounds.of(trace, slots * NODE.bytes());
        int optimum = optimum(trace, slots, true);
        String where = "seed " + seed + " slots " + slots;
        assertEquals(optimum(trace, slots, false), bounds.beladyLoads().orElseThrow(), where);
        assertTrue(bounds.compulsoryBytes() <= bounds.pfooBytes(), where);
        assertTrue(bounds.pfooBytes() <= bounds.trafficBytes(), where);
        assertTrue(bounds.trafficBytes() <= optimum * NODE.bytes(), where);
        for (String policy : EvictionPolicies.names()) {
          MemoryStatistics counted =
              Replay.run(
                  trace,
                  MemHCOptions.ofBudget(slots * NODE.bytes()).withPolicy(policy).withPrefetch(0));
          assertTrue(counted.trafficBytes() >= optimum * NODE.bytes(), where + " " + policy);
          if (policy.equals(MemHCOptions.DEFAULT_POLICY)) {
            costAware += counted.trafficBytes() / (double) (optimum * NODE.bytes());
          }
        }
        looseness += bounds.trafficBytes() / (double) (optimum * NODE.bytes());
        cases++;
      }
    }
    assertTrue(looseness / cases > 0.9, "the bound is near: " + looseness / cases);
    assertTrue(costAware / cases < 1.005, "so is the default policy: " + costAware / cases);
  }

  @Test
  void everythingFits_boundIsCompulsory() {
    AccessTrace trace = random(5, 6, 30);
    TrafficBounds bounds = TrafficBounds.of(trace, 100 * NODE.bytes());
    MemoryStatistics counted =
        Replay.run(trace, MemHCOptions.ofBudget(100 * NODE.bytes()).withPrefetch(0));
    assertEquals(bounds.compulsoryBytes(), bounds.trafficBytes());
    assertEquals(bounds.compulsoryBytes(), counted.trafficBytes());
  }

  @Test
  void orders_keepDependenciesAndContractions() {
    for (int seed = 1; seed <= 20; seed++) {
      AccessTrace trace = random(seed, 5, 40);
      for (String order : AccessOrders.names()) {
        AccessTrace ordered = AccessOrders.reorder(trace, order);
        AccessQueue queue = ordered.queues().get(0);
        boolean[] made = trace.input().clone();
        List<Integer> outputs = new ArrayList<>();
        for (int step = 0; step < queue.steps(); step++) {
          for (int k = queue.firstAccess(step); k < queue.firstOutput(step); k++) {
            assertTrue(made[queue.element(k)], order + " seed " + seed + " step " + step);
          }
          made[queue.element(queue.firstOutput(step))] = true;
          outputs.add(queue.element(queue.firstOutput(step)));
        }
        assertEquals(40, outputs.stream().distinct().count());
      }
      assertTrue(
          Replay.peakBytes(AccessOrders.reorder(trace, AccessOrders.GREEDY))
              <= Replay.peakBytes(trace) + NODE.bytes(),
          "greedy needs little");
    }
  }

  @Test
  void replay_longQueue_everyLookUpIsCounted() {
    AccessTrace trace = random(9, 500, 40_000);
    MemoryStatistics counted =
        Replay.run(trace, MemHCOptions.ofBudget(200 * NODE.bytes()).withPrefetch(0));
    assertEquals(120_000, counted.hits() + counted.misses());
  }
}
