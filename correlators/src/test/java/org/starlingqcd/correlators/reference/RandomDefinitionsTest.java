package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.plan.Optimization;
import org.starlingqcd.graph.schedule.StepOrder;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.execute.QueueResult;
import org.starlingqcd.hadron.reference.NaiveCorrelator;

/**
 * The whole engine against the naive evaluation: random definitions on random data, planned with
 * all optimizations, with a random choice of them, and with none.
 */
@Tag("slow")
class RandomDefinitionsTest {
  private static final int EXTENT = 4;
  private static final int SOURCE = 3;

  /** One that wraps around the lattice, and the contact term. */
  private static final List<Integer> SEPARATIONS = List.of(0, 2);

  /**
   * Relative to the largest number in the matrix. Sums of some thousand products of a few hundred
   * terms with 1e-16 each; coefficients that cancel cost a digit or two.
   */
  private static final double TOLERANCE = 1e-11;

  private static final long BUDGET = 1L << 30;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void mesons_agree(long seed) {
    compare(new RandomDefinitions(seed).mesons(), 2, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void writtenOut_agree(long seed) {
    compare(new RandomDefinitions(seed).writtenOut(0), 2, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void nucleons_agree(long seed) {
    compare(new RandomDefinitions(seed).nucleons(), 3, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 4, 5, 6, 7})
  void baryonsWrittenOut_agree(long seed) {
    compare(new RandomDefinitions(seed).writtenOut(1), 3, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 4})
  void twoBaryonsWrittenOut_agree(long seed) {
    compare(new RandomDefinitions(seed).writtenOut(2), 3, seed);
  }

  private void compare(CorrelationMatrix matrix, int eigenvectors, long seed) {
    int n = matrix.operators().size();
    Path file = data(matrix, eigenvectors, seed);
    try (DistillationData data = DistillationData.open(List.of(file));
        NaiveCorrelator naive = new NaiveCorrelator(file)) {
      List<Complex> expected = new ArrayList<>();
      for (int separation : SEPARATIONS) {
        for (int i = 0; i < n; i++) {
          for (int j = 0; j < n; j++) {
            expected.add(naive.element(matrix, i, j, (SOURCE + separation) % EXTENT, SOURCE));
          }
        }
      }
      assertTrue(expected.stream().anyMatch(c -> c.abs() > 1e-6), "nothing contracts: " + matrix);
      List<Integer> times = List.of((SOURCE + SEPARATIONS.get(1)) % EXTENT, SOURCE);
      List<Complex> vev = new ArrayList<>();
      for (int time : matrix.onePoint() ? times : List.<Integer>of()) {
        for (int i = 0; i < n; i++) {
          vev.add(naive.onePoint(matrix, i, time));
        }
      }
      for (PlanSettings planning : plannings(new Random(seed))) {
        QueueResult result = Engine.evaluate(matrix, data, SOURCE, SEPARATIONS, BUDGET, planning);
        String what = planning + " of " + matrix;
        assertClose(expected, result.correlator(0, n, SEPARATIONS.size()), what);
        if (matrix.onePoint()) {
          assertClose(vev, result.onePoint(0, n, times.size()), what);
        }
      }
    }
  }

  /** All optimizations, a random choice, and none; any order and vector size. */
  private static List<PlanSettings> plannings(Random random) {
    List<Optimization> some = new ArrayList<>(List.of(Optimization.values()));
    some.removeIf(name -> random.nextBoolean());
    StepOrder[] orders = StepOrder.values();
    return List.of(
        PlanSettings.defaults(),
        new PlanSettings(
            null, random.nextInt(6), orders[random.nextInt(orders.length)], Set.copyOf(some)),
        new PlanSettings(null, 1, StepOrder.GIVEN, Set.of(Optimization.values())));
  }

  private static void assertClose(List<Complex> expected, double[] actual, String what) {
    double largest = expected.stream().mapToDouble(Complex::abs).max().orElse(0);
    // Elements that vanish by symmetry are rounding errors of terms of this size.
    double scale = Math.max(largest, 1e-3);
    for (int k = 0; k < expected.size(); k++) {
      String where = "element " + k + " of " + what;
      assertEquals(expected.get(k).re(), actual[2 * k], TOLERANCE * scale, where);
      assertEquals(expected.get(k).im(), actual[2 * k + 1], TOLERANCE * scale, where);
    }
  }

  private Path data(CorrelationMatrix matrix, int eigenvectors, long seed) {
    return SyntheticLattice.write(folder, matrix, EXTENT, eigenvectors, seed);
  }
}
