package org.starlingqcd.correlators;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.memhc.table.MemoryBudgetException;

/**
 * Results do not depend on the device budget, down to the smallest with which the run completes.
 */
class BudgetTest {
  private static final List<Integer> SEPARATIONS = List.of(0, 2, 7);

  @ParameterizedTest
  @ValueSource(strings = {"a1_rhopi", "pipi_i2", "sigma"})
  void mesons_areEqualAtEveryBudget(String name) {
    compare(name, 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nucleon", "npi_i12", "nn_i1"})
  void baryons_areEqualAtEveryBudget(String name) {
    // Stages in slices sum in another order than a whole contraction: N² terms of order one,
    // relative to the largest element.
    compare(name, 1e-12);
  }

  private static void compare(String name, double tolerance) {
    CorrelationMatrix matrix = Engine.definition(name);
    int n = matrix.operators().size();
    try (DistillationData data = DistillationData.open(List.of(Engine.data(1)))) {
      double[] expected =
          Engine.evaluate(matrix, data, 6, SEPARATIONS).correlator(0, n, SEPARATIONS.size());
      double largest = 0;
      for (double value : expected) {
        largest = Math.max(largest, Math.abs(value));
      }
      MemoryBudgetException tooSmall =
          assertThrows(
              MemoryBudgetException.class,
              () -> Engine.evaluate(matrix, data, 6, SEPARATIONS, 4096));
      long smallest = tooSmall.smallestBudgetBytes();
      assertThrows(
          MemoryBudgetException.class,
          () -> Engine.evaluate(matrix, data, 6, SEPARATIONS, smallest - 1));
      for (double factor : new double[] {1, 1.3, 3}) {
        double[] actual =
            Engine.evaluate(matrix, data, 6, SEPARATIONS, (long) (smallest * factor))
                .correlator(0, n, SEPARATIONS.size());
        assertArrayEquals(expected, actual, tolerance * largest, name + " x " + factor);
      }
    }
  }
}
