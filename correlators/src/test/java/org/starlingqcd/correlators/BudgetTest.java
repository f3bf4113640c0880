package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.memhc.MemoryBudgetException;

/**
 * Results do not depend on the device budget, down to the smallest with which the run completes.
 */
@Tag("slow")
class BudgetTest {
  private static final List<Integer> SEPARATIONS = List.of(0, 2, 7);

  @ParameterizedTest
  @ValueSource(strings = {"a1_rhopi", "pipi_i2", "sigma", "nucleon", "npi_i12", "nn_i1"})
  void resultsAreEqualBitForBitAtEveryBudget(String name) {
    compare(name, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a1_rhopi", "npi_i12"})
  void exactResultsAreEqualBitForBitAtEveryBudget(String name) {
    compare(name, true);
  }

  private static double[] evaluate(
      CorrelationMatrix matrix, DistillationData data, long budgetBytes, boolean exact) {
    return Engine.evaluate(
            matrix,
            data,
            6,
            SEPARATIONS,
            budgetBytes,
            PlanSettings.defaults(),
            new DeviceOptions(0, 0, 0, exact))
        .correlator(0, matrix.operators().size(), SEPARATIONS.size());
  }

  private static void compare(String name, boolean exact) {
    CorrelationMatrix matrix = Engine.definition(name);
    try (DistillationData data = DistillationData.open(List.of(Engine.data(1)))) {
      double[] expected = evaluate(matrix, data, Engine.BUDGET, exact);
      MemoryBudgetException tooSmall =
          assertThrows(MemoryBudgetException.class, () -> evaluate(matrix, data, 4096, exact));
      long smallest = tooSmall.smallestBudgetBytes();
      assertThrows(MemoryBudgetException.class, () -> evaluate(matrix, data, smallest - 1, exact));
      for (double factor : new double[] {1, 1.3, 3}) {
        assertArrayEquals(
            expected,
            evaluate(matrix, data, (long) (smallest * factor), exact),
            name + " x " + factor);
      }
    }
  }
}
