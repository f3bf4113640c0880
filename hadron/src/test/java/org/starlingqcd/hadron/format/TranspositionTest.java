package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.starlingqcd.hadron.format.Transposition.NOT_FINITE;
import static org.starlingqcd.hadron.format.Transposition.NOT_ZERO;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TranspositionTest {
  private final Transposition transposition = new Transposition();

  private static byte[] matrix(int n, double... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(16 * n * n);
    for (double number : numbers) {
      bytes.putDouble(number);
    }
    return bytes.array();
  }

  @Test
  void write_inParts_isTheTranspose() {
    for (int n : new int[] {1, 3, 4, 5, 16, 17, 38}) {
      double[] numbers = new Random(n).doubles(2L * n * n).toArray();
      byte[] value = matrix(n, numbers);
      LongBuffer target = LongBuffer.allocate(2 * n * n);
      for (int j = 0; j < n; j += 7) {
        int rows = Math.min(7, n - j);
        byte[] part = new byte[16 * n * rows];
        System.arraycopy(value, 16 * n * j, part, 0, part.length);
        assertEquals(NOT_ZERO, transposition.write(part, rows, n, target, j));
      }
      long[] expected = new long[2 * n * n];
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2 * n; k++) {
          int from = 2 * (k / 2 * n + i) + k % 2;
          expected[2 * i * n + k] = Double.doubleToRawLongBits(numbers[from]);
        }
      }
      assertArrayEquals(expected, target.array());
    }
  }

  @Test
  void write_looksAtEveryNumber() {
    for (int n : new int[] {4, 5}) {
      for (int at = 0; at < 2 * n * n; at++) {
        double[] numbers = new double[2 * n * n];
        numbers[at] = -Double.MAX_VALUE;
        assertEquals(NOT_ZERO, flags(n, numbers));
        numbers[at] = Double.MIN_VALUE;
        assertEquals(NOT_ZERO, flags(n, numbers));
        numbers[at] = -0.0;
        assertEquals(0, flags(n, numbers));
        for (double bad : new double[] {Double.NaN, 1 / 0.0, -1 / 0.0}) {
          numbers[at] = bad;
          assertEquals(NOT_FINITE | NOT_ZERO, flags(n, numbers));
        }
      }
    }
  }

  private int flags(int n, double[] numbers) {
    return transposition.write(matrix(n, numbers), n, n, LongBuffer.allocate(2 * n * n), 0);
  }
}
