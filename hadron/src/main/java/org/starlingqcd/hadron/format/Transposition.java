package org.starlingqcd.hadron.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Transposes a matrix of big-endian complex doubles while it swaps their bytes, and looks whether
 * they are finite and not all zero. Doubles are moved as their 64 bits.
 *
 * <p>Rows of the result are made four at a time; the last ones may be made twice. What is read of a
 * row of the source, 64 bytes, is then a line of the cache, and the four rows that are written stay
 * in the first-level cache. Each has an array of its own: the compiler removes the checks of an
 * index that counts the loop, but not those of one that jumps between rows.
 */
final class Transposition {
  private static final VarHandle NUMBERS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int COMPLEX_BYTES = 2 * Double.BYTES;
  private static final int AT_ONCE = 4;
  private static final long MAGNITUDE = Long.MAX_VALUE;
  private static final long LEAST_EXPONENT = 1L << 52;

  /** The flag of {@link #write} for NaN or an infinity. */
  static final int NOT_FINITE = 1;

  /** The flag of {@link #write} for a number other than zero. */
  static final int NOT_ZERO = 2;

  private final long[][] columns = new long[AT_ONCE][0];

  /**
   * Writes the transpose of some rows into columns.
   *
   * @param value the rows, [rows][n]
   * @param n the numbers of a row
   * @param target the result [n][n] from its index 0
   * @param first the column that the first of the rows becomes
   * @return {@link #NOT_FINITE} and {@link #NOT_ZERO}, where they hold, joined
   */
  int write(byte[] value, int rows, int n, LongBuffer target, int first) {
    int[] wanted = new int[AT_ONCE];
    for (int k = 0; k < AT_ONCE && columns[k].length < 2 * rows; k++) {
      columns[k] = new long[2 * rows];
    }
    int flags = 0;
    for (int i = 0; i < n; i += AT_ONCE) {
      for (int k = 0; k < AT_ONCE; k++) {
        wanted[k] = Math.min(i + k, n - 1);
      }
      flags |= read(value, wanted, rows, n * COMPLEX_BYTES);
      for (int k = 0; k < AT_ONCE; k++) {
        target.put(2 * (wanted[k] * n + first), columns[k], 0, 2 * rows);
      }
    }
    return flags;
  }

  /** Reads four columns, then looks at them: two loops are faster than one. */
  private int read(byte[] value, int[] wanted, int rows, int stride) {
    long[] a = columns[0];
    long[] b = columns[1];
    long[] c = columns[2];
    long[] d = columns[3];
    int fromA = wanted[0] * COMPLEX_BYTES;
    int fromB = wanted[1] * COMPLEX_BYTES;
    int fromC = wanted[2] * COMPLEX_BYTES;
    int fromD = wanted[3] * COMPLEX_BYTES;
    int row = 0;
    for (int j = 0; j < rows; j++) {
      a[2 * j] = (long) NUMBERS.get(value, row + fromA);
      a[2 * j + 1] = (long) NUMBERS.get(value, row + fromA + 8);
      b[2 * j] = (long) NUMBERS.get(value, row + fromB);
      b[2 * j + 1] = (long) NUMBERS.get(value, row + fromB + 8);
      c[2 * j] = (long) NUMBERS.get(value, row + fromC);
      c[2 * j + 1] = (long) NUMBERS.get(value, row + fromC + 8);
      d[2 * j] = (long) NUMBERS.get(value, row + fromD);
      d[2 * j + 1] = (long) NUMBERS.get(value, row + fromD + 8);
      row += stride;
    }
    long carry = 0;
    long any = 0;
    for (int k = 0; k < 2 * rows; k++) {
      long w = a[k] & MAGNITUDE;
      long x = b[k] & MAGNITUDE;
      long y = c[k] & MAGNITUDE;
      long z = d[k] & MAGNITUDE;
      // Only an exponent of all ones, that of NaN and infinities, carries into the sign bit.
      carry |= (w + LEAST_EXPONENT) | (x + LEAST_EXPONENT);
      carry |= (y + LEAST_EXPONENT) | (z + LEAST_EXPONENT);
      any |= w | x | y | z;
    }
    return (carry < 0 ? NOT_FINITE : 0) | (any != 0 ? NOT_ZERO : 0);
  }
}
