package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.HostMemory;

class BlockOrderTest {
  /** More than is looked at in one go. */
  private static final int SIZE = 5000;

  private static String flaw(double[] numbers) {
    try (HostMemory memory = HostMemory.allocate(Double.BYTES * (long) numbers.length)) {
      memory.put(0, numbers, 0, numbers.length);
      return String.valueOf(BlockOrder.flaw(memory, 0, numbers.length / 2, false));
    }
  }

  @Test
  void flaw_namesTheFirstNumberThatIsNotFinite() {
    for (double wrong : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
      double[] numbers = new double[2 * SIZE];
      Arrays.fill(numbers, -1);
      numbers[2 * 4321 + 1] = wrong;
      numbers[2 * 4400] = wrong;
      assertEquals("holds " + wrong + " at complex number 4321 of " + SIZE, flaw(numbers));
    }
  }

  /** Their sum overflows, though each is finite. */
  @Test
  void flaw_largestNumbers_areNone() {
    double[] numbers = new double[2 * SIZE];
    Arrays.fill(numbers, Double.MAX_VALUE);
    assertEquals("null", flaw(numbers));
  }

  @Test
  void flaw_smallestNumber_isNotNothing() {
    double[] numbers = new double[2 * SIZE];
    try (HostMemory memory = HostMemory.allocate(Double.BYTES * (long) numbers.length)) {
      memory.put(0, numbers, 0, numbers.length);
      assertNotNull(BlockOrder.flaw(memory, 0, SIZE, false));
      assertNull(BlockOrder.flaw(memory, 0, SIZE, true));
      numbers[2 * SIZE - 1] = -Double.MIN_VALUE;
      memory.put(0, numbers, 0, numbers.length);
      assertNull(BlockOrder.flaw(memory, 0, SIZE, false));
    }
  }
}
