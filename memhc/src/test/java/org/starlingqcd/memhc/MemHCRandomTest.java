package org.starlingqcd.memhc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.Organization;

/**
 * Random queues under random budgets, tiers and switches against the naive evaluation, for every
 * policy; the tables are audited after every call. Numbers are small integers and sums of a few
 * products, so equality is exact.
 */
final class MemHCRandomTest {
  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @MethodSource("org.starlingqcd.memhc.policy.EvictionPolicies#names")
  void randomQueues_anyBudget_sameValues(String policy) throws IOException {
    runQueues(policy, 1, 40);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("org.starlingqcd.memhc.policy.EvictionPolicies#names")
  void manyRandomQueues_anyBudget_sameValues(String policy) throws IOException {
    runQueues(policy, 1000, 1090);
  }

  @Tag("soak")
  @ParameterizedTest
  @MethodSource("org.starlingqcd.memhc.policy.EvictionPolicies#names")
  void thousandsOfRandomQueues_anyBudget_sameValues(String policy) throws IOException {
    runQueues(policy, 2000, 5000);
  }

  private void runQueues(String policy, long firstSeed, long lastSeed) throws IOException {
    long recomputations = 0;
    long spilled = 0;
    long prefetches = 0;
    for (long seed = firstSeed; seed <= lastSeed; seed++) {
      try {
        MemoryStatistics statistics = runQueue(policy, seed);
        recomputations += statistics.recomputations();
        spilled += statistics.spilledBytes();
        prefetches += statistics.prefetches();
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError("seed " + seed, failure);
      }
    }
    assertTrue(recomputations > 0 && spilled > 0, "every path is taken");
    assertTrue(prefetches > 0, "something is prefetched");
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(0, left.count(), "spill files are deleted");
    }
  }

  private MemoryStatistics runQueue(String policy, long seed) {
    Random random = new Random(seed);
    Workbench bench = Workbench.random(seed, 5 + random.nextInt(60));
    long smallest = bench.largestWorkingSet();
    long budget = smallest + 16L * random.nextInt(1 + random.nextInt(400));
    long hostBytes = random.nextBoolean() ? Long.MAX_VALUE : 16L * random.nextInt(300);
    LazyDevice device = new LazyDevice(budget, seed);
    MemHCOptions options =
        MemHCOptions.ofBudget(budget)
            .withPolicy(policy)
            .withSeed(seed)
            .withTiers(hostBytes, folder, Long.MAX_VALUE)
            .withPrefetch(random.nextInt(3) * budget / 2)
            .withLiveness(random.nextInt(4) > 0)
            .withOverwriteVictims(random.nextBoolean())
            .withOptimizations(random.nextInt(4) > 0, random.nextInt(4) > 0, random.nextInt(4) > 0)
            .withOrganization(
                new Organization(random.nextInt(5), random.nextBoolean()),
                random.nextBoolean() ? 0 : random.nextInt(25));
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
      assertTrue(statistics.peakDeviceBytes() <= budget, "peak within budget");
      assertTrue(statistics.peakHostBytes() <= hostBytes, "host memory within its bound");
      assertEquals(
          3L * bench.steps.size(), statistics.hits() + statistics.misses(), "look-ups counted");
    }
    assertEquals(0, device.allocatedBytes(), "all memory returned");
    device.close();
    return statistics;
  }
}
