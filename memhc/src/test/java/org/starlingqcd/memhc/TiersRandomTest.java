package org.starlingqcd.memhc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.Outcome;
import org.starlingqcd.memhc.cache.Tiering;

/**
 * Random queues in two tiers of memory give the values of plain arrays, whatever the sizes of both
 * tiers, the tiering and the policy; the tables are audited after every call.
 */
final class TiersRandomTest {
  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @MethodSource("org.starlingqcd.memhc.policy.EvictionPolicies#names")
  void randomQueues_anyTiers_sameValues(String policy) throws IOException {
    runQueues(policy, 1, 60);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("org.starlingqcd.memhc.policy.EvictionPolicies#names")
  void manyRandomQueues_anyTiers_sameValues(String policy) throws IOException {
    runQueues(policy, 1000, 1090);
  }

  @Tag("soak")
  @ParameterizedTest
  @MethodSource("org.starlingqcd.memhc.policy.EvictionPolicies#names")
  void thousandsOfRandomQueues_anyTiers_sameValues(String policy) throws IOException {
    runQueues(policy, 2000, 5000);
  }

  private void runQueues(String policy, long firstSeed, long lastSeed) throws IOException {
    Set<Outcome> seen = EnumSet.noneOf(Outcome.class);
    long spilled = 0;
    long recomputations = 0;
    for (long seed = firstSeed; seed <= lastSeed; seed++) {
      try {
        MemoryStatistics statistics = runQueue(policy, seed);
        statistics
            .cache()
            .lookups()
            .forEach(
                (outcome, bytes) -> {
                  if (bytes > 0) {
                    seen.add(outcome);
                  }
                });
        spilled += statistics.spilledBytes();
        recomputations += statistics.recomputations();
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError("seed " + seed, failure);
      }
    }
    assertEquals(EnumSet.allOf(Outcome.class), seen);
    assertTrue(spilled > 0 && recomputations > 0, "every path is taken");
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(0, left.count(), "spill files are deleted");
    }
  }

  private MemoryStatistics runQueue(String policy, long seed) {
    Random random = new Random(seed);
    Workbench bench = Workbench.random(seed, 5 + random.nextInt(60));
    long smallest = bench.largestWorkingSet();
    // From less than one element on.
    long budget = 1L + random.nextInt((int) (3 * smallest));
    long slow = smallest + (random.nextBoolean() ? 1L << 40 : 16L * random.nextInt(400));
    long hostBytes = random.nextBoolean() ? Long.MAX_VALUE : 16L * random.nextInt(300);
    LazyDevice device = new LazyDevice(budget, seed);
    boolean refuses = seed % 3 == 0;
    // Where fast memory takes every contraction, slow memory may be smaller than one.
    long least = budget >= smallest ? 0 : smallest;
    long limit = refuses ? least + 16L * random.nextInt(200) : Long.MAX_VALUE;
    device.limitSlow(limit, seed % 2 == 0);
    MemHCOptions options =
        MemHCOptions.ofBudget(budget)
            .withPolicy(policy)
            .withSeed(seed)
            .withTiers(hostBytes, folder, Long.MAX_VALUE)
            .withPrefetch(random.nextInt(3) * budget / 2)
            .withLiveness(random.nextInt(4) > 0)
            .withOverwriteVictims(random.nextBoolean())
            .withTiering(random.nextInt(3) > 0 ? Tiering.GUIDED : Tiering.STATIC, slow);
    MemoryStatistics statistics;
    try (MemHC memory = MemHC.open(device, options)) {
      bench.addTo(memory);
      if (random.nextBoolean()) {
        bench.offerRecomputation(memory, device, random);
      }
      if (random.nextInt(4) > 0) {
        memory.schedule(bench.queue());
      }
      bench.run(memory, device);
      statistics = memory.statistics();
      assertTrue(statistics.peakDeviceBytes() <= budget, "fast memory within its bound");
      assertTrue(statistics.peakSlowBytes() <= slow, "slow memory within its bound");
      assertTrue(
          statistics.peakHostBytes() <= hostBytes || (refuses && slow > limit),
          "host memory within its bound");
      assertTrue(
          statistics.peakHostBytes() - hostBytes <= slow,
          "host memory takes no more than what was meant for slow memory");
      assertTrue(statistics.peakSlowBytes() <= limit, "what the device has");
      assertEquals(
          3L * bench.steps.size(), statistics.hits() + statistics.misses(), "look-ups counted");
      assertEquals(
          statistics.hitBytes() + statistics.missBytes(),
          statistics.cache().lookupBytes(),
          "outcomes are those of all look-ups");
    }
    assertEquals(0, device.allocatedBytes(), "all memory returned");
    device.close();
    return statistics;
  }

  @Test
  void tiers_goNeitherWithLinesNorWithoutPacking() {
    MemHCOptions lines = MemHCOptions.ofBudget(100).withOrganization(Organization.DIRECT, 4);
    assertThrows(IllegalArgumentException.class, () -> lines.withTiering(Tiering.GUIDED, 100));
    MemHCOptions parts = MemHCOptions.ofBudget(100).withOptimizations(true, false, true);
    assertThrows(IllegalArgumentException.class, () -> parts.withTiering(Tiering.STATIC, 100));
    assertEquals(0, lines.withTiering(Tiering.OFF, 100).slowBytes);
  }
}
