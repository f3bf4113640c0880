package org.starlingqcd.backend.cpu.product;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.BatchSpinMapping;

class FusedPlanTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void of_aContractionOfNodes_isAProductOf4By4Spins(long seed) {
    Random random = new Random(seed);
    int[] rowA = random.ints(0, 4).distinct().limit(4).toArray();
    int[] rowB = random.ints(0, 4).distinct().limit(4).toArray();
    int[] signs = random.ints(8, 0, 2).map(bit -> 2 * bit - 1).toArray();
    int[] signA = java.util.Arrays.copyOf(signs, 4);
    int[] signB = java.util.Arrays.copyOfRange(signs, 4, 8);
    FusedPlan plan = plan(BatchSpinMapping.mesonProduct(rowA, signA, rowB, signB));
    assertNotNull(plan);
    assertEquals(4, plan.rows());
    assertEquals(4, plan.inner());
    assertEquals(4, plan.columns());
    // With any spin matrices, the right input is read in its own order.
    assertEquals(IntStream.range(0, 16).boxed().toList(), plan.rights());
    for (int alpha = 0; alpha < 4; alpha++) {
      for (int gamma = 0; gamma < 4; gamma++) {
        FusedPlan.Term term = plan.left(alpha, rowB[gamma]);
        assertEquals(4 * rowA[alpha] + gamma, term.spin());
        assertEquals(signA[alpha] * signB[gamma], term.factorRe());
        assertEquals(0, term.factorIm());
      }
    }
  }

  @Test
  void of_theBuildingOfANode_isOneMatrixTimesARow() {
    FusedPlan plan = plan(BatchSpinMapping.leftScalar(16));
    assertNotNull(plan);
    assertEquals(1, plan.rows());
    assertEquals(1, plan.inner());
    assertEquals(16, plan.columns());
    assertEquals(11, plan.right(0, 11));
  }

  @Test
  void of_mappingsThatAreNoProducts_isNull() {
    // A destination without an entry.
    assertNull(plan(mapping(2, new int[] {0}, new int[] {0}, new int[] {0}, 1)));
    // Destinations of a row with different factors.
    assertNull(plan(mapping(2, new int[] {0, 0}, new int[] {0, 1}, new int[] {0, 1}, 1, 2)));
    // Rows that read different rights.
    assertNull(plan(mapping(2, new int[] {0, 1}, new int[] {0, 1}, new int[] {0, 1}, 1, 1)));
    // Rows of different lengths.
    assertNull(
        plan(mapping(3, new int[] {0, 0, 1}, new int[] {0, 1, 0}, new int[] {0, 1, 2}, 1, 1, 1)));
    // Rows with different numbers of terms.
    assertNull(
        plan(mapping(2, new int[] {0, 1, 1}, new int[] {0, 0, 1}, new int[] {0, 1, 1}, 1, 1, 1)));
  }

  private static @Nullable FusedPlan plan(BatchSpinMapping mapping) {
    return new MappingPlan(mapping).fused;
  }

  private static BatchSpinMapping mapping(
      int destinations, int[] left, int[] right, int[] destination, double... factors) {
    double[] complex = new double[2 * factors.length];
    for (int b = 0; b < factors.length; b++) {
      complex[2 * b] = factors[b];
    }
    return new BatchSpinMapping(2, 2, destinations, left, right, destination, complex);
  }
}
