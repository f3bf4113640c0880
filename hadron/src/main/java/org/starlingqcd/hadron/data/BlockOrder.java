package org.starlingqcd.hadron.data;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.plan.BaryonPart;

/**
 * Operations on a block of numbers between file and element, in place: the search for invalid
 * numbers, adjoints, γ5-hermiticity and the rotation to the DeGrand-Rossi basis. Blocks are
 * [spin][i][j], interleaved complex. Each pass is linear in the size of the block.
 */
public final class BlockOrder {
  private static final int SPINS = SpinMatrix.SPINS;

  /** Doubles handled at a time; they stay in the second-level cache. */
  private static final int STRIP = 8192;

  /** Rows and columns of a part of an n × n matrix; that of a tetraquark may have gigabytes. */
  private static final int ADJOINT_TILE = 64;

  /** The largest asymmetry of packed pairs in terms of the largest number. */
  private static final double ASYMMETRY = 1e-12;

  /** Diagonal of g5 in the DeGrand-Rossi basis. */
  private static final int[] G5 = g5();

  private BlockOrder() {}

  private static int[] g5() {
    SpinMatrix matrix = SpinMatrix.deGrandRossi(Gamma.G5);
    int[] diagonal = new int[SPINS];
    for (int k = 0; k < SPINS; k++) {
      diagonal[k] = (int) matrix.re(k, k);
    }
    return diagonal;
  }

  /**
   * Says what is wrong with {@code size} complex numbers: NaN, an infinity, or nothing but zeros;
   * null if they are valid.
   *
   * @param mayBeZero whether zeros are valid
   */
  static @Nullable String flaw(HostMemory memory, long offset, long size, boolean mayBeZero) {
    double[] strip = new double[(int) Math.min(STRIP, 2 * size)];
    boolean zero = !mayBeZero;
    long first = offset / Double.BYTES;
    for (long done = 0; done < 2 * size; done += strip.length) {
      int count = (int) Math.min(strip.length, 2 * size - done);
      memory.get(first + done, strip, 0, count);
      // Two sums, of which neither waits for the other, tell whether to look closer.
      double re = 0;
      double im = 0;
      for (int k = 0; k < count; k += 2) {
        re += Math.abs(strip[k]);
        im += Math.abs(strip[k + 1]);
      }
      double sum = re + im;
      zero &= sum == 0;
      if (!Double.isFinite(sum)) {
        for (int k = 0; k < count; k++) {
          if (!Double.isFinite(strip[k])) {
            return "holds " + strip[k] + " at complex number " + (done + k) / 2 + " of " + size;
          }
        }
      }
    }
    return zero ? "holds nothing but zeros, as if it had never been written; write it again" : null;
  }

  /** Replaces {@code size} numbers by their complex conjugates. */
  static void conjugate(HostMemory memory, long offset, long size) {
    changeSigns(memory, offset, size, 1, 2);
  }

  /** Changes the sign of {@code size} numbers. */
  public static void negate(HostMemory memory, long offset, long size) {
    changeSigns(memory, offset, size, 0, 1);
  }

  /**
   * Changes the sign of the doubles {@code start}, {@code start + step}, … of {@code size} numbers.
   */
  private static void changeSigns(HostMemory memory, long offset, long size, int start, int step) {
    double[] strip = new double[(int) Math.min(STRIP, 2 * size)];
    long first = offset / Double.BYTES;
    for (long done = 0; done < 2 * size; done += strip.length) {
      int count = (int) Math.min(strip.length, 2 * size - done);
      memory.get(first + done, strip, 0, count);
      for (int k = start; k < count; k += step) {
        strip[k] = -strip[k];
      }
      memory.put(first + done, strip, 0, count);
    }
  }

  /** Brings the legs of an n × n × n tensor into the order {@code [open][first][second]}. */
  static void permuteLegs(HostMemory memory, long offset, int n, BaryonPart.Legs legs) {
    long index = offset / Double.BYTES;
    int matrix = 2 * n * n;
    double[][] tensor = new double[n][matrix];
    for (int k = 0; k < n; k++) {
      memory.get(index + (long) k * matrix, tensor[k], 0, matrix);
    }
    double[] result = new double[matrix];
    int[] at = new int[3];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
          at[legs.open()] = i;
          at[legs.first()] = j;
          at[legs.second()] = k;
          int from = 2 * (at[1] * n + at[2]);
          result[2 * (j * n + k)] = tensor[at[0]][from];
          result[2 * (j * n + k) + 1] = tensor[at[0]][from + 1];
        }
      }
      memory.put(index + (long) i * matrix, result, 0, matrix);
    }
  }

  /**
   * Multiplies a block by weights of its indices.
   *
   * @param given the entries of its first index that it has
   * @param weights by index of the block, two or three of them
   */
  public static void weight(
      HostMemory memory, long offset, Rows given, double[][] weights, Precision precision) {
    double[] last = weights[weights.length - 1];
    int n = last.length;
    int rows = given.isAll() ? weights[0].length : given.count();
    int middle = weights.length == 3 ? weights[1].length : 1;
    long bytes = 2L * n * precision.realBytes();
    for (int row = 0; row < rows * middle; row++) {
      double left = weights[0][given.first() + row / middle];
      left *= middle == 1 ? 1 : weights[1][row % middle];
      ByteBuffer numbers = memory.bytes(offset + row * bytes, (int) bytes);
      for (int k = 0; k < 2 * n; k++) {
        if (precision == Precision.DOUBLE) {
          int at = k * Double.BYTES;
          numbers.putDouble(at, numbers.getDouble(at) * (left * last[k / 2]));
        } else {
          int at = k * Float.BYTES;
          numbers.putFloat(at, (float) (numbers.getFloat(at) * (left * last[k / 2])));
        }
      }
    }
  }

  /** Transposes a matrix, which is small. */
  static void transpose(HostMemory memory, long offset, int rows, int columns) {
    double[] numbers = new double[2 * rows * columns];
    double[] row = new double[2 * rows];
    memory.get(offset / Double.BYTES, numbers, 0, numbers.length);
    for (int j = 0; j < columns; j++) {
      for (int i = 0; i < rows; i++) {
        System.arraycopy(numbers, 2 * (i * columns + j), row, 2 * i, 2);
      }
      memory.put(offset / Double.BYTES + (long) j * row.length, row, 0, row.length);
    }
  }

  /** Replaces an n × n matrix by its conjugate transpose. */
  public static void adjoint(HostMemory memory, long offset, int n) {
    int tile = Math.min(ADJOINT_TILE, n);
    double[] one = new double[2 * tile * tile];
    double[] other = new double[one.length];
    for (int i = 0; i < n; i += tile) {
      for (int j = i; j < n; j += tile) {
        copyTile(memory, offset, n, i, j, one, true);
        copyTile(memory, offset, n, j, i, other, true);
        copyTile(memory, offset, n, i, j, adjoint(other, tile, 1), false);
        copyTile(memory, offset, n, j, i, adjoint(one, tile, 1), false);
      }
    }
  }

  /** Gets or puts the part of a matrix that begins at row i and column j. */
  private static void copyTile(
      HostMemory memory, long offset, int n, int i, int j, double[] tile, boolean get) {
    int width = Math.min(ADJOINT_TILE, n);
    for (int k = 0; k < Math.min(width, n - i); k++) {
      long at = offset / Double.BYTES + 2 * ((i + k) * (long) n + j);
      int count = 2 * Math.min(width, n - j);
      if (get) {
        memory.get(at, tile, 2 * k * width, count);
      } else {
        memory.put(at, tile, 2 * k * width, count);
      }
    }
  }

  private static double[] adjoint(double[] matrix, int n, int sign) {
    double[] result = new double[matrix.length];
    // Tiles keep both the rows read and the rows written in cache.
    int tile = 16;
    for (int i0 = 0; i0 < n; i0 += tile) {
      for (int j0 = 0; j0 < n; j0 += tile) {
        for (int i = i0; i < Math.min(n, i0 + tile); i++) {
          for (int j = j0; j < Math.min(n, j0 + tile); j++) {
            result[2 * (j * n + i)] = sign * matrix[2 * (i * n + j)];
            result[2 * (j * n + i) + 1] = -sign * matrix[2 * (i * n + j) + 1];
          }
        }
      }
    }
    return result;
  }

  /**
   * Replaces τ by γ5 τ† γ5 in the DeGrand-Rossi basis, where † acts on spin and distillation
   * indices.
   */
  public static void gamma5Adjoint(HostMemory memory, long offset, int n) {
    int size = 2 * n * n;
    long index = offset / Double.BYTES;
    double[] upper = new double[size];
    double[] lower = new double[size];
    for (int a = 0; a < SPINS; a++) {
      for (int b = a; b < SPINS; b++) {
        long at = index + (long) (SPINS * a + b) * size;
        long across = index + (long) (SPINS * b + a) * size;
        int sign = G5[a] * G5[b];
        memory.get(at, upper, 0, size);
        if (a != b) {
          memory.get(across, lower, 0, size);
          memory.put(at, adjoint(lower, n, sign), 0, size);
        }
        memory.put(across, adjoint(upper, n, sign), 0, size);
      }
    }
  }

  /** Replaces τ by {@code S† τ S} in spin space. */
  static void rotate(HostMemory memory, long offset, int n, SpinMatrix s) {
    long numbers = (long) n * n;
    long index = offset / Double.BYTES;
    int strip = (int) Math.min(STRIP / 2, numbers);
    double[][] spins = new double[SPINS * SPINS][2 * strip];
    double[][] half = new double[SPINS * SPINS][2 * strip];
    SpinMatrix adjoint = s.adjoint();
    for (long done = 0; done < numbers; done += strip) {
      int count = 2 * (int) Math.min(strip, numbers - done);
      for (int spin = 0; spin < spins.length; spin++) {
        memory.get(index + 2 * (spin * numbers + done), spins[spin], 0, count);
      }
      for (int ab = 0; ab < spins.length; ab++) {
        Arrays.fill(half[ab], 0);
        for (int k = 0; k < SPINS; k++) {
          int a = ab / SPINS;
          addScaled(half[ab], spins[SPINS * k + ab % SPINS], adjoint.re(a, k), adjoint.im(a, k));
        }
      }
      for (int ab = 0; ab < spins.length; ab++) {
        Arrays.fill(spins[ab], 0);
        for (int k = 0; k < SPINS; k++) {
          int b = ab % SPINS;
          addScaled(spins[ab], half[ab - b + k], s.re(k, b), s.im(k, b));
        }
      }
      for (int spin = 0; spin < spins.length; spin++) {
        memory.put(index + 2 * (spin * numbers + done), spins[spin], 0, count);
      }
    }
  }

  private static void addScaled(double[] target, double[] source, double re, double im) {
    if (re == 0 && im == 0) {
      return;
    }
    for (int k = 0; k < target.length; k += 2) {
      target[k] += re * source[k] - im * source[k + 1];
      target[k + 1] += re * source[k + 1] + im * source[k];
    }
  }

  /**
   * Packs the pairs of K[i,j,k,l], [P][P], and looks at its symmetry.
   *
   * @param read fills {@code slab} with the numbers [j][k][l] of an i
   * @return what is wrong with the numbers; null if nothing is
   */
  static @Nullable String packPairs(
      PairColour colour, int n, IntConsumer read, HostMemory slab, HostMemory target, long offset) {
    double[] matrix = new double[2 * n * n];
    double[] row = new double[2 * colour.pairs(n)];
    double largest = 0;
    double worst = 0;
    String place = "";
    for (int i = 0; i < n; i++) {
      read.accept(i);
      for (int j = 0; j < n; j++) {
        slab.get((long) j * matrix.length, matrix, 0, matrix.length);
        long at = offset / Double.BYTES + (long) colour.place(i, j) * row.length;
        int sign = colour.sign(i, j);
        if (sign != 0 && i <= j) {
          for (int l = 0; l < n; l++) {
            for (int k = 0; k < l + colour.sign(l, l); k++) {
              System.arraycopy(matrix, 2 * (k * n + l), row, 2 * colour.place(k, l), 2);
            }
          }
          target.put(at, row, 0, row.length);
        } else if (sign != 0) {
          target.get(at, row, 0, row.length);
        }
        for (int kl = 0; kl < n * n; kl++) {
          int s = sign * colour.sign(kl / n, kl % n);
          int from = s == 0 ? 0 : 2 * colour.place(kl / n, kl % n);
          double off = Math.abs(matrix[2 * kl] - s * row[from]);
          off = Math.max(off, Math.abs(matrix[2 * kl + 1] - s * row[from + 1]));
          largest = Math.max(largest, Math.hypot(matrix[2 * kl], matrix[2 * kl + 1]));
          if (off > worst) {
            worst = off;
            place = Arrays.toString(new int[] {i, j, kl / n, kl % n});
          }
        }
      }
    }
    if (!(largest <= Double.MAX_VALUE)) {
      return "holds numbers that are NaN or infinite";
    }
    return worst > ASYMMETRY * largest
        ? String.format(
            Locale.US,
            "is not %s in i, j and in k, l, as %s is: at [i, j, k, l] = %s it is off by %.2g, and the"
                + " largest number is %.2g",
            colour.sign() < 0 ? "antisymmetric" : "symmetric",
            colour,
            place,
            worst,
            largest)
        : null;
  }
}
