package org.starlingqcd.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.HostMemory;

/** Vector loops and the BLAS calls that stand in for them. */
final class VectorLoopsTest {
  private static final double ROUNDING = 1e-15;

  @Test
  void loops_areThereWhereThereIsACompiler() {
    assertEquals(Compilers.hasCxx(), VectorLoops.isAvailable());
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
        new Blas(loops).finishThree(count, memory.address(), 8L * count);
        double[] actual = new double[products.length];
        memory.get(0, actual, 0, actual.length);
        // A few additions of numbers below 3, in another order.
        assertArrayEquals(expected, actual, 20 * ROUNDING);
      }
    }
  }
}
