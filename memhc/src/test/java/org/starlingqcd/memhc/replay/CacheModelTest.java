package org.starlingqcd.memhc.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.WritePolicy;

/** MemHC and the model of a cache, which share no tables, count the same on random traces. */
final class CacheModelTest {
  private static final String[] ORGANIZATIONS = {"full", "direct", "2-way", "3-way", "5-way"};

  /** The counters that a cache without blocks has. */
  static Map<String, Object> counters(MemoryStatistics statistics) {
    Map<String, Object> counters = new HashMap<>(statistics.describe());
    counters
        .keySet()
        .removeAll(
            java.util.List.of("peak_device_bytes", "allocations", "pool_reuses", "victim_reuses"));
    counters.remove("peak_host_bytes");
    return counters;
  }

  @ParameterizedTest
  @MethodSource("org.starlingqcd.memhc.policy.EvictionPolicies#names")
  void randomTraces_anyOrganizationLinesAndWrites_equalCounters(String policy) {
    long full = 0;
    long replaced = 0;
    for (int seed = 1; seed <= 100; seed++) {
      Random random = new Random(seed);
      AccessTrace trace = RandomTraces.draw(random);
      long budget = Replay.smallestBudget(trace) + 16L * random.nextInt(200);
      Organization organization =
          Organization.parse(ORGANIZATIONS[random.nextInt(ORGANIZATIONS.length)]);
      MemHCOptions options =
          MemHCOptions.ofBudget(budget)
              .withPolicy(policy)
              .withSeed(seed)
              .withPrefetch(0)
              .withLiveness(random.nextBoolean())
              .withLateLocks(random.nextInt(4) == 0)
              .withOverwriteVictims(random.nextBoolean())
              .withWritePolicy(random.nextBoolean() ? WritePolicy.BACK : WritePolicy.THROUGH)
              .withOrganization(organization.byAddress(random.nextInt(4) == 0), random.nextInt(20));
      MemoryStatistics managed = Replay.run(trace, options);
      MemoryStatistics modelled = CacheModel.run(trace, options);
      String where =
          "seed " + seed + " " + organization.label() + " " + options.lines() + " " + budget;
      assertEquals(counters(modelled), counters(managed), where);
      full += managed.cache().bytes(Outcome.FULL);
      replaced += managed.cache().bytes(Outcome.REPLACE);
    }
    assertTrue(full > 0 && replaced > 0, "every outcome happens");
  }
}
