package org.starlingqcd.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.policy.EvictionPolicies;

final class VectorWorkloadTest {
  private static MemoryStatistics count(
      String policy,
      int v,
      double rate,
      double oversubscription,
      VectorWorkload.Distribution distribution,
      long seed) {
    VectorWorkload workload =
        new VectorWorkload(WorkloadRun.vectorsFor(oversubscription), v, rate, distribution, seed);
    WorkloadRun run = new WorkloadRun(workload, SyntheticContraction.mesons(8));
    return run.count(
        MemHCOptions.ofBudget(run.budgetBytes(2 * v)).withPolicy(policy).withSeed(seed));
  }

  /** Every eviction of Pre-Protected LRU is forced, so its counts follow from v, r and o alone. */
  private static void assertClosedForm(int v, int eighths, int halves) {
    int n = halves;
    int repeated = v * eighths / 8;
    int fresh = v - repeated;
    VectorWorkload.Distribution[] distributions = VectorWorkload.Distribution.values();
    MemoryStatistics counted =
        count(
            "pre-protected-lru",
            v,
            eighths / 8.0,
            halves / 2.0,
            distributions[(v + eighths) % 2],
            v + halves);
    String where = "v=" + v + " r=" + eighths + "/8 o=" + halves + "/2";
    long hits = (n + 1L) * v - 1 + (long) n * repeated;
    assertEquals(4 + 2L * v + (long) n * fresh, counted.allocations(), where);
    assertEquals((long) n * fresh, counted.evictions(), where);
    assertEquals(hits, counted.hits(), where);
    assertEquals(3L * v * (n + 1) - hits, counted.misses(), where);
  }

  @Test
  void preProtectedLru_paperTables_asPrinted() {
    MemoryStatistics small =
        count("pre-protected-lru", 8, 0.5, 0.5, VectorWorkload.Distribution.UNIFORM, 3);
    assertEquals(24, small.allocations());
    assertEquals(4, small.evictions());
    assertEquals(19, small.hits());
    assertEquals(29, small.misses());
    MemoryStatistics large =
        count("pre-protected-lru", 64, 0.5, 1, VectorWorkload.Distribution.GAUSSIAN, 3);
    assertEquals(196, large.allocations());
    assertEquals(64, large.evictions());
    assertEquals(255, large.hits());
    assertEquals(321, large.misses());
  }

  @Test
  void preProtectedLru_someSizes_closedForm() {
    for (int v : new int[] {1, 2, 3, 7, 16, 61}) {
      for (int eighths = 0; eighths <= 8; eighths++) {
        for (int halves = 0; halves <= 5; halves++) {
          assertClosedForm(v, eighths, halves);
        }
      }
    }
  }

  @Test
  @Tag("slow")
  void preProtectedLru_manyCombinations_closedForm() {
    assertClosedForms(7);
  }

  @Test
  @Tag("soak")
  void preProtectedLru_everyCombination_closedForm() {
    assertClosedForms(1);
  }

  /** Compares vectors of 1 to 256 elements, {@code step} apart. */
  private static void assertClosedForms(int step) {
    for (int v = 1; v <= 256; v += step) {
      for (int eighths = 0; eighths <= 8; eighths++) {
        for (int halves = 1; halves <= 5; halves++) {
          assertClosedForm(v, eighths, halves);
        }
      }
    }
  }

  /** The paper's mean counts of LRU over its own draws; ours are means over others. */
  @ParameterizedTest
  @CsvSource({
    "8, 0.5, 0.5, UNIFORM, 8", "16, 0.5, 0.5, UNIFORM, 12", "32, 0.5, 0.5, UNIFORM, 22",
    "64, 0.5, 0.5, UNIFORM, 46", "64, 0.5, 1.0, UNIFORM, 84", "64, 0.5, 1.5, UNIFORM, 120",
    "64, 0.125, 0.5, UNIFORM, 64", "64, 0.25, 0.5, UNIFORM, 60", "64, 0.75, 0.5, UNIFORM, 20",
    "8, 0.5, 0.5, GAUSSIAN, 6", "16, 0.5, 0.5, GAUSSIAN, 12", "32, 0.5, 0.5, GAUSSIAN, 20",
    "64, 0.5, 0.5, GAUSSIAN, 40", "64, 0.5, 1.0, GAUSSIAN, 82", "64, 0.5, 1.5, GAUSSIAN, 112",
  })
  void lru_meanOfManyDraws_nearThePaper(
      int v, double rate, double over, VectorWorkload.Distribution distribution, double paper) {
    double sum = 0;
    int draws = 40;
    for (int seed = 1; seed <= draws; seed++) {
      sum += count("lru", v, rate, over, distribution, seed).evictions();
    }
    // The paper averages ten draws; at v = 8 its 8 evictions mean that nothing was ever hit again.
    assertEquals(paper, sum / draws, Math.max(0.16 * paper, 3));
  }

  @Test
  void everyPolicy_neverFewerEvictionsThanForced() {
    for (String policy : EvictionPolicies.names()) {
      MemoryStatistics counted =
          count(policy, 16, 0.5, 1.5, VectorWorkload.Distribution.UNIFORM, 11);
      assertTrue(counted.evictions() >= 24, policy + " " + counted.evictions());
    }
    for (String policy : new String[] {"furthest-next-use", "cost-aware"}) {
      MemoryStatistics counted =
          count(policy, 16, 0.5, 1.5, VectorWorkload.Distribution.UNIFORM, 11);
      assertEquals(24, counted.evictions(), policy);
    }
  }

  @Test
  void parameters_outOfRange_areNamed() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> new VectorWorkload(1, 0, 1.5, VectorWorkload.Distribution.UNIFORM, 1))
            .getMessage();
    assertEquals("vectors and vector size must be at least 1, not 1 and 0", message);
    assertThrows(IllegalArgumentException.class, () -> WorkloadRun.vectorsFor(0.3));
  }
}
