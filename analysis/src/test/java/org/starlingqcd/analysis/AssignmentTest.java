package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class AssignmentTest {
  @Test
  void random_isAsGoodAsTheBestOfAllPermutations() {
    SplittableRandom random = new SplittableRandom(3);
    for (int n = 1; n <= 6; n++) {
      for (int repeat = 0; repeat < 20; repeat++) {
        double[][] weights = new double[n][];
        for (int k = 0; k < n; k++) {
          weights[k] = random.doubles(n).toArray();
        }
        int[] columns = Assignment.ofLargestSum(weights);
        assertEquals(n, Arrays.stream(columns).distinct().count());
        double sum = 0;
        for (int k = 0; k < n; k++) {
          sum += weights[k][columns[k]];
        }
        assertEquals(best(weights, 0, new boolean[n]), sum, 1e-12);
      }
    }
  }

  @Test
  void greedyTrap_isAvoided() {
    // Greedily 0.9 + 0.0; at best 0.8 + 0.8.
    assertArrayEquals(
        new int[] {1, 0}, Assignment.ofLargestSum(new double[][] {{0.9, 0.8}, {0.8, 0.0}}));
  }

  private static double best(double[][] weights, int row, boolean[] taken) {
    if (row == weights.length) {
      return 0;
    }
    double best = Double.NEGATIVE_INFINITY;
    for (int column = 0; column < weights.length; column++) {
      if (!taken[column]) {
        taken[column] = true;
        best = Math.max(best, weights[row][column] + best(weights, row + 1, taken));
        taken[column] = false;
      }
    }
    return best;
  }
}
