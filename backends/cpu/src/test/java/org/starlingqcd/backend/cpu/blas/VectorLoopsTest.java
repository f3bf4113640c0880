package org.starlingqcd.backend.cpu.blas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.cpu.Compilers;
import org.starlingqcd.backend.cpu.InstructionSets;

/** Vector loops and the BLAS calls that replace them. */
final class VectorLoopsTest {
  private static final double ROUNDING = 1e-15;

  @Test
  void loops_areThereWhereThereIsACompiler() {
    assertEquals(Compilers.hasCxx(), VectorLoops.isAvailable());
  }

  @Test
  void instructions_areLimited() {
    assumeTrue(VectorLoops.isAvailable());
    InstructionSets.limit(InstructionSets.BASELINE);
    assertEquals("baseline", VectorLoops.instructions());
    InstructionSets.limit(InstructionSets.AVX512);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 33, 1000})
  void finishThree_makesRealPartImaginaryPartAndSum(int count) {
    double[] products = new Random(count).doubles(3L * count, -1, 1).toArray();
    double[] expected = new double[3 * count];
    for (int i = 0; i < count; i++) {
      expected[i] = products[i] - products[count + i];
      expected[count + i] = products[2 * count + i] - products[i] - products[count + i];
      expected[2 * count + i] = expected[i] + expected[count + i];
    }
    for (boolean loops : new boolean[] {false, VectorLoops.isAvailable()}) {
      try (HostMemory memory = HostMemory.allocate(8L * products.length)) {
        memory.put(0, products, 0, products.length);
        new Blas(loops, Precision.DOUBLE).finishThree(count, memory.address(), 8L * count);
        double[] actual = new double[products.length];
        memory.get(0, actual, 0, actual.length);
        // A few additions of numbers below 3, in another order.
        assertArrayEquals(expected, actual, 20 * ROUNDING);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 33})
  void keepHalf_keepsWhatIsOverTheDiagonalLessWhatIsUnderIt(int n) {
    int matrices = 3;
    int kept = matrices * n * (n - 1) / 2;
    double[] products = new Random(n).doubles(3L * matrices * n * n, -1, 1).toArray();
    double[] halves = new double[3 * kept];
    int next = 0;
    for (int matrix = 0; matrix < 3 * matrices; matrix++) {
      for (int k = 0; k < n; k++) {
        for (int l = k + 1; l < n; l++) {
          halves[next++] = products[(matrix * n + k) * n + l] - products[(matrix * n + l) * n + k];
        }
      }
    }
    double[] finished = new double[3 * kept];
    for (int i = 0; i < kept; i++) {
      finished[i] = halves[i] - halves[kept + i];
      finished[kept + i] = halves[2 * kept + i] - halves[i] - halves[kept + i];
      finished[2 * kept + i] = finished[i] + finished[kept + i];
    }
    for (boolean way : ways()) {
      for (boolean three : new boolean[] {false, true}) {
        try (HostMemory from = memory(products);
            HostMemory to = HostMemory.allocate(8L * Math.max(1, 3 * kept))) {
          new Blas(way, Precision.DOUBLE)
              .keepHalf(
                  matrices,
                  n,
                  three,
                  from.address(),
                  8L * matrices * n * n,
                  to.address(),
                  8L * kept);
          double[] expected = three ? finished : Arrays.copyOf(halves, 2 * kept);
          // A few additions of numbers below 6, in another order.
          assertArrayEquals(expected, numbers(to, expected.length), 50 * ROUNDING);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 21})
  void upperTriangles_lieInPlanesWithTheirSums(int n) {
    int count = 3;
    double[] matrices = new Random(n).doubles(2L * count * n * n, -1, 1).toArray();
    int half = count * n * (n - 1) / 2;
    double[] expected = new double[3 * half];
    int next = 0;
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < n; k++) {
        for (int l = k + 1; l < n; l++) {
          expected[next] = matrices[(i * n + k) * n + l];
          expected[half + next] = matrices[((count + i) * n + k) * n + l];
          expected[2 * half + next] = expected[next] + expected[half + next];
          next++;
        }
      }
    }
    for (boolean way : ways()) {
      try (HostMemory from = memory(matrices);
          HostMemory to = HostMemory.allocate(8L * 3 * count * n * n)) {
        new Blas(way, Precision.DOUBLE)
            .upperTriangles(
                count, n, true, from.address(), 8L * count * n * n, to.address(), 8L * half);
        assertArrayEquals(expected, numbers(to, 3 * half), 0);
      }
    }
  }

  private static boolean[] ways() {
    return new boolean[] {false, VectorLoops.isAvailable()};
  }

  private static HostMemory memory(double[] numbers) {
    HostMemory memory = HostMemory.allocate(8L * numbers.length);
    memory.put(0, numbers, 0, numbers.length);
    return memory;
  }

  private static double[] numbers(HostMemory memory, int count) {
    double[] result = new double[count];
    memory.get(0, result, 0, count);
    return result;
  }
}
