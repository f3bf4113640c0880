package org.starlingqcd.memhc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random queues under random budgets against the naive evaluation, for every policy. */
final class MemHCRandomTest {
  private static final int QUEUES = 150;

  @ParameterizedTest
  @MethodSource("org.starlingqcd.memhc.EvictionPolicies#names")
  void randomQueues_anyBudget_sameValues(String policy) {
    for (long seed = 1; seed <= QUEUES; seed++) {
      Random random = new Random(seed);
      Workbench bench = Workbench.random(seed, 5 + random.nextInt(60));
      long smallest = bench.largestWorkingSet();
      long budget = smallest + 16L * random.nextInt(1 + random.nextInt(400));
      LazyDevice device = new LazyDevice(budget, seed);
      MemHCOptions options =
          MemHCOptions.ofBudget(budget)
              .withPolicy(policy)
              .withSeed(seed)
              .withOverwriteVictims(random.nextBoolean())
              .withOptimizations(
                  random.nextInt(4) > 0, random.nextInt(4) > 0, random.nextInt(4) > 0);
      try (MemHC memory = MemHC.open(device, options)) {
        bench.addTo(memory);
        if (random.nextInt(4) > 0) {
          memory.schedule(bench.queue());
        }
        bench.run(memory, device);
        MemoryStatistics statistics = memory.statistics();
        assertTrue(statistics.peakDeviceBytes() <= budget, "peak within budget");
        assertEquals(
            3L * bench.steps.size(), statistics.hits() + statistics.misses(), "look-ups counted");
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError("seed " + seed, failure);
      }
      assertEquals(0, device.allocatedBytes(), "all memory returned");
      device.close();
    }
  }
}
