package org.starlingqcd.hadron.data;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.PairColour;

/** Packs the pairs of K[i,j,k,l] as it is read, [j][k][l] for each i, and looks at its symmetry. */
final class PairPacking {
  /** The largest violation in terms of the largest number. */
  private static final double TOLERANCE = 1e-12;

  private final PairColour colour;
  private final int n;
  private final HostMemory target;
  private final long first;
  private final double[] matrix;
  private final double[] row;
  private double largest;
  private double worst;
  private final int[] place = new int[4];

  /** Packs to byte {@code offset} of {@code target}, [P][P]. */
  PairPacking(PairColour colour, int n, HostMemory target, long offset) {
    this.colour = colour;
    this.n = n;
    this.target = target;
    first = offset / Double.BYTES;
    matrix = new double[2 * n * n];
    row = new double[2 * colour.pairs(n)];
  }

  /** Adds the numbers of the next i. */
  void add(int i, HostMemory slab) {
    for (int j = 0; j < n; j++) {
      slab.get((long) j * matrix.length, matrix, 0, matrix.length);
      boolean kept = i < j || (i == j && colour.sign() > 0);
      int low = Math.min(i, j);
      int high = Math.max(i, j);
      boolean zero = i == j && !kept;
      if (!zero && !kept) {
        target.get(at(low, high), row, 0, row.length);
      }
      for (int l = 0; l < n; l++) {
        for (int k = 0; k <= l; k++) {
          int kl = 2 * (k * n + l);
          int lk = 2 * (l * n + k);
          double re = matrix[kl];
          double im = matrix[kl + 1];
          largest = Math.max(largest, Math.hypot(re, im));
          largest = Math.max(largest, Math.hypot(matrix[lk], matrix[lk + 1]));
          // Of l, k; on the diagonal of an antisymmetric K that makes it zero.
          compare(re - colour.sign() * matrix[lk], im - colour.sign() * matrix[lk + 1], i, j, k, l);
          if (zero) {
            compare(re, im, i, j, k, l);
          } else if (k < l || colour.sign() > 0) {
            int to = 2 * colour.pair(k, l);
            if (kept) {
              row[to] = re;
              row[to + 1] = im;
            } else {
              compare(re - colour.sign() * row[to], im - colour.sign() * row[to + 1], i, j, k, l);
            }
          }
        }
      }
      if (kept) {
        target.put(at(low, high), row, 0, row.length);
      }
    }
  }

  private long at(int low, int high) {
    return first + (long) colour.pair(low, high) * row.length;
  }

  private void compare(double re, double im, int i, int j, int k, int l) {
    double off = Math.hypot(re, im);
    // Negated so that NaN is caught.
    if (!(off <= worst)) {
      worst = Double.isNaN(off) ? Double.POSITIVE_INFINITY : off;
      place[0] = i;
      place[1] = j;
      place[2] = k;
      place[3] = l;
    }
  }

  /** Says what is wrong with the numbers added; null if nothing is. */
  @Nullable String flaw() {
    return worst <= TOLERANCE * largest
        ? null
        : String.format(
            Locale.ROOT,
            "is not %s in i, j and in k, l, as %s is: at [i, j, k, l] = %s it is off by %.2g, and the"
                + " largest number is %.2g",
            colour.sign() < 0 ? "antisymmetric" : "symmetric",
            colour,
            Arrays.toString(place),
            worst,
            largest);
  }
}
