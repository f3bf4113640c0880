package org.starlingqcd.memhc.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.cache.TimeModel;
import org.starlingqcd.memhc.policy.EvictionPolicies;

final class TierModelTest {
  /** First in, first out, with lists of elements and nothing else. */
  private static final class Naive {
    final AccessTrace trace;
    final ArrayDeque<Integer> fast = new ArrayDeque<>();
    final Set<Integer> dirty = new HashSet<>();
    final Set<Integer> defined = new HashSet<>();
    final Map<Outcome, Long> bytes = new EnumMap<>(Outcome.class);
    long in;
    long out;

    Naive(AccessTrace trace, long fastBytes, Tiering tiering) {
      this.trace = trace;
      for (Outcome outcome : Outcome.values()) {
        bytes.put(outcome, 0L);
      }
      for (AccessQueue queue : trace.queues()) {
        for (int vector = 0; vector < queue.vectors(); vector++) {
          runBatch(queue, vector, fastBytes, tiering);
        }
      }
    }

    private void runBatch(AccessQueue queue, int vector, long fastBytes, Tiering tiering) {
      Set<Integer> locked = new HashSet<>();
      for (int s = queue.vectorStart(vector); s < queue.vectorStart(vector + 1); s++) {
        for (int k = queue.firstAccess(s); k < queue.firstAccess(s + 1); k++) {
          int element = queue.element(k);
          boolean written = false;
          for (int o = queue.firstOutput(s); o < queue.firstAccess(s + 1); o++) {
            written |= queue.element(o) == element;
          }
          boolean copied =
              (trace.input()[element] || defined.contains(element))
                  && !(written && queue.overwrites(s));
          Outcome outcome = place(queue, s, element, copied, locked, fastBytes, tiering);
          bytes.merge(outcome, trace.bytes(element), Long::sum);
          if (fast.contains(element)) {
            locked.add(element);
          }
        }
        for (int o = queue.firstOutput(s); o < queue.firstAccess(s + 1); o++) {
          defined.add(queue.element(o));
          if (fast.contains(queue.element(o))) {
            dirty.add(queue.element(o));
          }
        }
      }
      for (int element : locked) {
        if (usesFrom(queue, queue.vectorStart(vector + 1), element) == 0
            && !queue.isKept(element)) {
          fast.remove(element);
          dirty.remove(element);
        }
      }
      if (vector == queue.vectors() - 1) {
        defined.removeIf(element -> !queue.isKept(element));
      }
    }

    private Outcome place(
        AccessQueue queue,
        int step,
        int element,
        boolean copied,
        Set<Integer> locked,
        long fastBytes,
        Tiering tiering) {
      if (fast.contains(element)) {
        return Outcome.HIT;
      }
      Outcome outcome = Outcome.FREE;
      if (used() + trace.bytes(element) > fastBytes) {
        boolean last = usesFrom(queue, step, element) == 1;
        if (tiering == Tiering.STATIC || (tiering == Tiering.GUIDED && last)) {
          return Outcome.BYPASS;
        }
        outcome = Outcome.REPLACE;
      }
      while (used() + trace.bytes(element) > fastBytes) {
        Integer victim =
            fast.stream().filter(held -> !locked.contains(held)).findFirst().orElse(null);
        if (victim == null || trace.bytes(element) > fastBytes) {
          return Outcome.FULL;
        }
        fast.remove(victim);
        out += dirty.remove(victim) ? trace.bytes(victim) : 0;
      }
      fast.add(element);
      in += copied && !(tiering == Tiering.STATIC) ? trace.bytes(element) : 0;
      return outcome;
    }

    private long used() {
      return fast.stream().mapToLong(trace::bytes).sum();
    }

    private static int usesFrom(AccessQueue queue, int step, int element) {
      int uses = 0;
      for (int s = step; s < queue.steps(); s++) {
        boolean uses1 = false;
        for (int k = queue.firstAccess(s); k < queue.firstAccess(s + 1); k++) {
          uses1 |= queue.element(k) == element;
        }
        uses += uses1 ? 1 : 0;
      }
      return uses;
    }
  }

  @Test
  void fifo_isTheNaiveModel() {
    Random random = new Random(5);
    Set<Outcome> seen = new HashSet<>();
    for (int round = 0; round < 150; round++) {
      AccessTrace trace = RandomTraces.draw(random);
      long fast = 1L + random.nextInt(4000);
      Tiering tiering = List.of(Tiering.values()).get(random.nextInt(3));
      TierModel.Counts counts = TierModel.run(trace, fast, tiering, "fifo", 1);
      Naive naive = new Naive(trace, fast, tiering);
      String what = "round=" + round + " tiering=" + tiering + " fast=" + fast;
      assertEquals(naive.bytes, counts.cache().lookups(), what);
      assertEquals(naive.in, counts.cache().bytesToDevice(), what);
      assertEquals(naive.out, counts.cache().bytesToHost(), what);
      assertEquals(
          naive.bytes.getOrDefault(Outcome.FULL, 0L) + naive.bytes.getOrDefault(Outcome.BYPASS, 0L),
          counts.inPlaceBytes(),
          what);
      naive.bytes.forEach((outcome, bytes) -> seen.add(bytes > 0 ? outcome : Outcome.HIT));
    }
    assertEquals(Set.of(Outcome.values()), seen);
  }

  @Test
  void everyPolicy_staysWithinFastMemory_andSharesAddUp() {
    Random random = new Random(6);
    for (int round = 0; round < 20; round++) {
      AccessTrace trace = RandomTraces.draw(random);
      for (String policy : EvictionPolicies.names()) {
        TierModel.Counts counts = TierModel.run(trace, 1500, Tiering.GUIDED, policy, 3);
        assertTrue(counts.peakFastBytes() <= 1500, policy);
        assertEquals(
            1, counts.cache().shares().values().stream().mapToDouble(s -> s).sum(), 1e-12, policy);
        assertEquals(counts, TierModel.run(trace, 1500, Tiering.GUIDED, policy, 3), policy);
      }
    }
  }

  @Test
  void lastUse_isBypassed_andTimedInSlowMemory() {
    // Three elements, room for one: 0 is used again, 1 and 2 once.
    AccessQueue queue =
        AccessQueue.builder()
            .step(new int[] {0}, new int[0])
            .endVector()
            .step(new int[] {1}, new int[0])
            .endVector()
            .step(new int[] {0, 2}, new int[0])
            .build();
    TensorShape shape = new TensorShape(1, 1, 1);
    boolean[] input = new boolean[3];
    Arrays.fill(input, true);
    AccessTrace trace = new AccessTrace(List.of(shape), new int[3], input, List.of(queue));
    TierModel.Counts counts = TierModel.run(trace, 16, Tiering.GUIDED, "lru", 1);
    assertEquals(32, counts.cache().bytes(Outcome.BYPASS));
    assertEquals(16, counts.cache().bytes(Outcome.HIT));
    assertEquals(16, counts.cache().bytesToDevice());
    assertEquals(48, counts.seconds(TimeModel.parse("slow=1B/s"), 0));
    assertEquals(16, counts.seconds(TimeModel.parse("bus=1B/s"), 0));
  }
}
