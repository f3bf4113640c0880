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
 * Random queues under random budgets and switches, in one tier of memory and in two, against the
 * naive evaluation, for every policy; the tables are audited after every call. Numbers are small
 * integers and sums of a few products, so equality is exact.
 */
final class MemHCRandomTest {
  private static final String POLICIES = "org.starlingqcd.memhc.policy.EvictionPolicies#names";

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @MethodSource(POLICIES)
  void randomQueues_sameValues(String policy) throws IOException {
    runQueues(policy, 1, 40, false);
    runQueues(policy, 1, 60, true);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource(POLICIES)
  void manyRandomQueues_sameValues(String policy) throws IOException {
    runQueues(policy, 1000, 1090, false);
    runQueues(policy, 1000, 1090, true);
  }

  @Tag("soak")
  @ParameterizedTest
  @MethodSource(POLICIES)
  void thousandsOfRandomQueues_sameValues(String policy) throws IOException {
    runQueues(policy, 2000, 5000, false);
    runQueues(policy, 2000, 5000, true);
  }

  private void runQueues(String policy, long firstSeed, long lastSeed, boolean tiers)
      throws IOException {
    Set<Outcome> seen = EnumSet.noneOf(Outcome.class);
    long recomputations = 0;
    long spilled = 0;
    long prefetches = 0;
    for (long seed = firstSeed; seed <= lastSeed; seed++) {
      try {
        MemoryStatistics statistics = runQueue(policy, seed, tiers);
        for (Outcome outcome : Outcome.values()) {
          if (statistics.cache().bytes(outcome) > 0) {
            seen.add(outcome);
          }
        }
        recomputations += statistics.recomputations();
        spilled += statistics.spilledBytes();
        prefetches += statistics.prefetches();
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError("seed " + seed, failure);
      }
    }
    assertTrue(
        recomputations > 0 && spilled > 0 && (tiers || prefetches > 0), "every path is taken");
    assertTrue(!tiers || seen.containsAll(EnumSet.allOf(Outcome.class)), seen.toString());
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(0, left.count(), "spill files are deleted");
    }
  }

  private MemoryStatistics runQueue(String policy, long seed, boolean tiers) {
    Random random = new Random(seed);
    Workbench bench = Workbench.random(seed, 5 + random.nextInt(60));
    long smallest = bench.largestWorkingSet();
    // With two tiers from less than one element on.
    long budget =
        tiers
            ? 1L + random.nextInt((int) (3 * smallest))
            : smallest + 16L * random.nextInt(1 + random.nextInt(400));
    long slow = 0;
    if (tiers) {
      slow = smallest + (random.nextBoolean() ? 1L << 40 : 16L * random.nextInt(400));
    }
    long hostBytes = random.nextBoolean() ? Long.MAX_VALUE : 16L * random.nextInt(300);
    LazyDevice device = new LazyDevice(budget, seed);
    boolean refuses = tiers && seed % 3 == 0;
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
            .withRecomputation(1)
            .withOverwriteVictims(random.nextBoolean());
    options =
        tiers
            ? options.withTiering(random.nextInt(3) > 0 ? Tiering.GUIDED : Tiering.STATIC, slow)
            : options
                .withOptimizations(
                    random.nextInt(4) > 0, random.nextInt(4) > 0, random.nextInt(4) > 0)
                .withOrganization(
                    new Organization(random.nextInt(5), random.nextBoolean()),
                    random.nextBoolean() ? 0 : random.nextInt(25));
    MemoryStatistics statistics;
    try (MemHC memory = MemHC.open(device, options)) {
      bench.addTo(memory);
      if (random.nextBoolean()) {
        memory.recomputeWith(Workbench.again(device));
      }
      if (random.nextInt(4) > 0) {
        memory.schedule(bench.queue());
      }
      bench.run(memory, device);
      statistics = memory.statistics();
    }
    assertTrue(statistics.peakDeviceBytes() <= budget, "peak within budget");
    assertTrue(statistics.peakSlowBytes() <= Math.min(slow, limit), "slow memory within bounds");
    assertTrue(
        statistics.peakHostBytes() <= hostBytes || (refuses && slow > limit),
        "host memory within its bound");
    assertTrue(
        statistics.peakHostBytes() - hostBytes <= slow,
        "host memory takes no more than what was meant for slow memory");
    assertEquals(
        3L * bench.steps.size(), statistics.hits() + statistics.misses(), "look-ups counted");
    assertEquals(
        statistics.hitBytes() + statistics.missBytes(),
        statistics.cache().lookupBytes(),
        "outcomes are those of all look-ups");
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
