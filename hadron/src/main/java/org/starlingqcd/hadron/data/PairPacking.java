package org.starlingqcd.hadron.data;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.PairColour;

/** Packs the pairs of K[i,j,k,l], [P][P], and looks at its symmetry. */
final class PairPacking {
  /** The largest violation in terms of the largest number. */
  private static final double TOLERANCE = 1e-12;

  private PairPacking() {}

  /**
   * Packs all of K.
   *
   * @param read fills {@code slab} with the numbers [j][k][l] of an i
   * @return what is wrong with the numbers; null if nothing is
   */
  static @Nullable String pack(
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
    return worst > TOLERANCE * largest
        ? String.format(
            Locale.ROOT,
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
