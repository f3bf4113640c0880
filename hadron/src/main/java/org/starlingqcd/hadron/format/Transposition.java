package org.starlingqcd.hadron.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Transposes a matrix of big-endian complex doubles while it swaps their bytes, and looks whether
 * they are finite and not all zero. Doubles are moved as their 64 bits.
 *
 * <p>Rows of the result are made four at a time. What is read of a row of the source, 64 bytes, is
 * then a line of the cache, and the four rows that are written stay in the first-level cache. Each
 * has an array of its own: the compiler removes the checks of an index that counts the loop, but
 * not those of one that jumps between rows.
 */
final class Transposition {
  private static final VarHandle NUMBERS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int COMPLEX_BYTES = 2 * Double.BYTES;

  private static final long MAGNITUDE = Long.MAX_VALUE;
  private static final long LEAST_EXPONENT = 1L << 52;

  /** The flag of {@link #write} for NaN or an infinity. */
  static final int NOT_FINITE = 1;

  /** The flag of {@link #write} for a number other than zero. */
  static final int NOT_ZERO = 2;

  private long[] row0 = {};
  private long[] row1 = {};
  private long[] row2 = {};
  private long[] row3 = {};

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
    if (row0.length < 2 * rows) {
      row0 = new long[2 * rows];
      row1 = new long[2 * rows];
      row2 = new long[2 * rows];
      row3 = new long[2 * rows];
    }
    int flags = 0;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
      fourColumns(value, i * COMPLEX_BYTES, rows, n * COMPLEX_BYTES);
      flags |= flagsOfFour(rows);
      int at = 2 * (i * n + first);
      target.put(at, row0, 0, 2 * rows);
      target.put(at + 2 * n, row1, 0, 2 * rows);
      target.put(at + 4 * n, row2, 0, 2 * rows);
      target.put(at + 6 * n, row3, 0, 2 * rows);
    }
    for (; i < n; i++) {
      column(value, i * COMPLEX_BYTES, rows, n * COMPLEX_BYTES);
      flags |= flagsOfOne(rows);
      target.put(2 * (i * n + first), row0, 0, 2 * rows);
    }
    return flags;
  }

  private int flagsOfFour(int rows) {
    long[] a = row0;
    long[] b = row1;
    long[] c = row2;
    long[] d = row3;
    long carry = 0;
    long any = 0;
    for (int k = 0; k < 2 * rows; k++) {
      long w = a[k] & MAGNITUDE;
      long x = b[k] & MAGNITUDE;
      long y = c[k] & MAGNITUDE;
      long z = d[k] & MAGNITUDE;
      carry |= (w + LEAST_EXPONENT) | (x + LEAST_EXPONENT);
      carry |= (y + LEAST_EXPONENT) | (z + LEAST_EXPONENT);
      any |= w | x | y | z;
    }
    return flags(carry, any);
  }

  private int flagsOfOne(int rows) {
    long carry = 0;
    long any = 0;
    for (int k = 0; k < 2 * rows; k++) {
      long x = row0[k] & MAGNITUDE;
      carry |= x + LEAST_EXPONENT;
      any |= x;
    }
    return flags(carry, any);
  }

  /** Only an exponent of all ones, that of NaN and infinities, carries into the sign bit. */
  private static int flags(long carry, long any) {
    return (carry < 0 ? NOT_FINITE : 0) | (any != 0 ? NOT_ZERO : 0);
  }

  private void fourColumns(byte[] value, int begin, int rows, int stride) {
    long[] a = row0;
    long[] b = row1;
    long[] c = row2;
    long[] d = row3;
    int from = begin;
    for (int j = 0; j < rows; j++) {
      a[2 * j] = (long) NUMBERS.get(value, from);
      a[2 * j + 1] = (long) NUMBERS.get(value, from + 8);
      b[2 * j] = (long) NUMBERS.get(value, from + 16);
      b[2 * j + 1] = (long) NUMBERS.get(value, from + 24);
      c[2 * j] = (long) NUMBERS.get(value, from + 32);
      c[2 * j + 1] = (long) NUMBERS.get(value, from + 40);
      d[2 * j] = (long) NUMBERS.get(value, from + 48);
      d[2 * j + 1] = (long) NUMBERS.get(value, from + 56);
      from += stride;
    }
  }

  private void column(byte[] value, int begin, int rows, int stride) {
    int from = begin;
    for (int j = 0; j < rows; j++) {
      row0[2 * j] = (long) NUMBERS.get(value, from);
      row0[2 * j + 1] = (long) NUMBERS.get(value, from + Double.BYTES);
      from += stride;
    }
  }
}
