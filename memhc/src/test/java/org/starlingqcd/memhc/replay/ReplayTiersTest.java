package org.starlingqcd.memhc.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
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

final class ReplayTiersTest {
  private static long accessedBytes(AccessTrace trace) {
    long sum = 0;
    for (AccessQueue queue : trace.queues()) {
      for (int k = 0; k < queue.accesses(); k++) {
        sum += trace.bytes(queue.element(k));
      }
    }
    return sum;
  }

  @Test
  void everyPolicyAndTiering_staysWithinFastMemory_andLooksUpEveryAccess() {
    Random random = new Random(6);
    Set<Outcome> seen = new HashSet<>();
    for (int round = 0; round < 20; round++) {
      AccessTrace trace = RandomTraces.draw(random);
      long fast = 1L + random.nextInt(4000);
      for (String policy : EvictionPolicies.names()) {
        for (Tiering tiering : Tiering.values()) {
          String what = round + " " + policy + " " + tiering;
          Replay.Tiers tiers = Replay.inTiers(trace, fast, tiering, policy, 3);
          assertTrue(tiers.peakFastBytes() <= fast, what);
          assertEquals(accessedBytes(trace), tiers.cache().lookupBytes(), what);
          assertEquals(tiers, Replay.inTiers(trace, fast, tiering, policy, 3), what);
          long replaced = tiers.cache().bytes(Outcome.REPLACE);
          long bypassed = tiers.cache().bytes(Outcome.BYPASS);
          assertTrue(tiering == Tiering.OFF ? bypassed == 0 : true, what);
          if (tiering == Tiering.STATIC) {
            assertEquals(0, replaced + tiers.cache().movedBytes(), what);
          }
          tiers
              .cache()
              .lookups()
              .forEach(
                  (outcome, bytes) -> {
                    if (bytes > 0) {
                      seen.add(outcome);
                    }
                  });
        }
      }
    }
    assertEquals(Set.of(Outcome.values()), seen);
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
    AccessTrace trace =
        new AccessTrace(
            List.of(new TensorShape(1, 1, 1)),
            new int[3],
            new boolean[] {true, true, true},
            List.of(queue));
    Replay.Tiers tiers = Replay.inTiers(trace, 16, Tiering.GUIDED, "lru", 1);
    assertEquals(32, tiers.cache().bytes(Outcome.BYPASS));
    assertEquals(16, tiers.cache().bytes(Outcome.HIT));
    assertEquals(16, tiers.cache().bytesToDevice());
    assertEquals(48, tiers.seconds(TimeModel.parse("slow=1B/s"), 0));
    assertEquals(16, tiers.seconds(TimeModel.parse("bus=1B/s"), 0));
  }
}
