package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.execute.ExecutionControl;
import org.starlingqcd.hadron.execute.MemoryForecast;
import org.starlingqcd.hadron.execute.QueueCost;
import org.starlingqcd.hadron.execute.QueueExecutor;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryBudgetException;

/** Baryons within budgets from the peak down to a few elementals. */
class BaryonMemoryTest {
  private static final long UNBOUNDED = Long.MAX_VALUE / 4;
  private static final int SMALL = 8;

  private static ContractionPlan plan(String name) {
    return Reducer.reduce(WickContraction.contract(List.of(Engine.definition(name))));
  }

  private static ExecutionQueue queue(ContractionPlan plan, int temporalExtent) {
    return TimeBinding.bind(
        plan,
        new BoundTimes(temporalExtent, List.of(0), List.of(1), List.of()),
        QueueOptions.standard(),
        QueueCost::of);
  }

  /** What docs/baryons.md says that the smallest budget is, for the pair blocks of a plan. */
  private static long smallest(ContractionPlan plan, long n) {
    long square = n * n;
    long most = 0;
    for (BaryonPart.PlannedPairs blocks : plan.baryonPart().pairs()) {
      long sums = blocks.branches().stream().mapToLong(b -> b.spins().size()).max().orElseThrow();
      long scratch = 24 * square * (32 + blocks.firstSpins()) + 16 * square * Math.min(sums, 16);
      most = Math.max(most, 16 * square * n + 16 * square * sums + scratch);
    }
    return most;
  }

  @ParameterizedTest
  @CsvSource({
    "nucleon, 128, 2",
    "nucleon, 256, 1.5",
    "npi_i12, 256, 1.5",
    "nn_i1, 128, 2.5",
    "nn_i1, 256, 2"
  })
  void smallestBudget_isOneElementalAndScratchMemory(String name, int n, double elementals) {
    ContractionPlan plan = plan(name);
    ExecutionQueue queue = queue(plan, 4);
    MemoryForecast ample = MemoryForecast.of(queue, n, Precision.DOUBLE, UNBOUNDED);
    long smallest = ample.smallestBudgetBytes();
    assertTrue(smallest <= smallest(plan, n), smallest + " > " + smallest(plan, n));
    assertTrue(smallest <= elementals * 16.0 * n * n * n, "" + smallest);
    assertEquals(List.of(), ample.slicings());
    assertEquals(0, ample.statistics().evictions());
    MemoryForecast least = MemoryForecast.of(queue, n, Precision.DOUBLE, smallest);
    assertTrue(least.statistics().evictions() > 0, least.toString());
    assertTrue(least.slicings().get(0).passes() > 1, least.toString());
    MemoryBudgetException refused =
        assertThrows(
            MemoryBudgetException.class,
            () -> MemoryForecast.of(queue, n, Precision.DOUBLE, smallest - 1));
    assertEquals(smallest, refused.smallestBudgetBytes());
  }

  static Stream<Arguments> budgets() {
    return Stream.of("nucleon", "nn_i1", "npi_i12")
        .flatMap(
            name -> Stream.of(0.0, 0.25, 0.5, 0.8, 1.0).map(share -> Arguments.of(name, share)));
  }

  @ParameterizedTest
  @MethodSource("budgets")
  void results_areEqualFromTheSmallestBudgetToThePeak(String name, double share) {
    ExecutionQueue queue = queue(plan(name), SMALL);
    MemoryForecast ample = MemoryForecast.of(queue, SMALL, Precision.DOUBLE, UNBOUNDED);
    long budget = Math.max(ample.smallestBudgetBytes(), (long) (share * ample.peakBytes()));
    int operators = Engine.definition(name).operators().size();
    double[] whole = evaluate(queue, operators, UNBOUNDED, false);
    double[] cut = evaluate(queue, operators, budget, budget < ample.peakBytes());
    double largest = Arrays.stream(whole).map(Math::abs).max().orElseThrow();
    // Products are cut otherwise: N⁴ terms in another order, relative to the largest element.
    assertArrayEquals(whole, cut, 1e-12 * largest, name + " within " + budget);
  }

  /** The correlator, after what the forecast says about the run has been compared with it. */
  private static double[] evaluate(
      ExecutionQueue queue, int operators, long budget, boolean isShort) {
    try (DistillationData data = DistillationData.open(List.of(Engine.data(1)));
        Device device = Backends.select("cpu", 0).open(DeviceOptions.defaults());
        QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(budget))) {
      assertEquals(SMALL, data.header().eigenvectors());
      double[] values =
          executor
              .run(executor.prepare(queue, SMALL), data, ExecutionControl.NONE)
              .correlator(0, operators, 1);
      assertTrue(executor.memory().peakDeviceBytes() <= budget, executor.memory().toString());
      if (isShort) {
        MemoryForecast forecast = MemoryForecast.of(queue, SMALL, Precision.DOUBLE, budget);
        assertEquals(forecast.statistics().evictions(), executor.memory().evictions());
        assertEquals(forecast.statistics().bytesToDevice(), executor.memory().bytesToDevice());
      }
      executor.audit();
      return values;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 256})
  @Tag("slow")
  void aQuarterOfThePeak_isEnoughForNucleonAndPionAndEvicts(int n) {
    ExecutionQueue queue = queue(plan("npi_i12"), 4);
    long peak = MemoryForecast.of(queue, n, Precision.DOUBLE, UNBOUNDED).peakBytes();
    MemoryForecast quarter = MemoryForecast.of(queue, n, Precision.DOUBLE, peak / 4);
    assertTrue(quarter.statistics().evictions() > 0, quarter.toString());
  }

  @Test
  void manyElementalsAtTheOtherEnd_doNotRaiseTheSmallestBudget() {
    long one =
        MemoryForecast.of(queue(plan("nucleon"), 4), 128, Precision.DOUBLE, UNBOUNDED)
            .smallestBudgetBytes();
    ContractionPlan large = plan("npi_i12");
    long many =
        MemoryForecast.of(queue(large, 4), 128, Precision.DOUBLE, UNBOUNDED).smallestBudgetBytes();
    int elementals = large.baryonPart().baryons().size();
    assertTrue(elementals > 2 && many < one + 16L * 128 * 128 * 128, many + " and " + one);
  }
}
