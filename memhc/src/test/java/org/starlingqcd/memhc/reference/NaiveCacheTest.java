package org.starlingqcd.memhc.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.memhc.replay.RandomTraces;
import org.starlingqcd.memhc.replay.Replay;

/** MemHC counts what a naive cache counts. */
final class NaiveCacheTest {
  private static final List<String> COUNTERS =
      List.of(
          "hits",
          "misses",
          "hit_bytes",
          "miss_bytes",
          "evictions",
          "evicted_bytes",
          "dirty_evictions",
          "dead_evictions",
          "bytes_to_device",
          "bytes_to_host",
          "uncached_bytes");

  private static final List<String> ORGANIZATIONS =
      List.of("full", "direct", "2-way", "3-way", "5-way");
  private static final List<Integer> LINES = List.of(0, 3, 7, 12);

  /** Every organization, number of lines and write policy, each on random queues of its own. */
  @ParameterizedTest
  @MethodSource("org.starlingqcd.memhc.policy.EvictionPolicies#names")
  void everyCombination_countsWhatTheNaiveCacheCounts(String policy) {
    Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
    int seed = 0;
    for (String organization : ORGANIZATIONS) {
      for (int lines : LINES) {
        for (WritePolicy write : WritePolicy.values()) {
          for (int round = 0; round < 2; round++) {
            seed++;
            Random random = new Random(seed);
            AccessTrace trace = RandomTraces.draw(random);
            MemHCOptions options =
                MemHCOptions.ofBudget(Replay.smallestBudget(trace) + 16L * random.nextInt(200))
                    .withPolicy(policy)
                    .withSeed(seed)
                    .withPrefetch(0)
                    .withLiveness(random.nextBoolean())
                    .withOverwriteVictims(random.nextBoolean())
                    .withLateLocks(random.nextInt(4) == 0)
                    .withWritePolicy(write)
                    .withOrganization(
                        Organization.parse(organization).byAddress(random.nextInt(4) == 0), lines);
            String where = "seed " + seed + " " + organization + " " + lines + " " + write;
            NaiveCache naive = new NaiveCache(trace, options);
            assertCounts(naive, Replay.run(trace, options), where);
            outcomes.addAll(naive.outcomes.keySet());
          }
        }
      }
    }
    assertTrue(
        outcomes.containsAll(Set.of(Outcome.HIT, Outcome.FREE, Outcome.REPLACE, Outcome.FULL)),
        outcomes.toString());
  }

  private static void assertCounts(NaiveCache naive, MemoryStatistics actual, String where) {
    Map<String, Object> described = actual.describe();
    for (String counter : COUNTERS) {
      assertEquals(
          naive.counters.getOrDefault(counter, 0L), described.get(counter), where + " " + counter);
    }
    for (Outcome outcome : Outcome.values()) {
      assertEquals(
          naive.outcomes.getOrDefault(outcome, 0L),
          actual.cache().bytes(outcome),
          where + " " + outcome);
    }
  }
}
