package org.starlingqcd.arrays;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.NumberKind;

/**
 * SemCache's example of memoization: the host inverts a matrix, the device multiplies, and the
 * inverse serves until a number of the matrix is written, wherever that is. For real matrices with
 * large diagonals, which need no pivots.
 */
final class MemoizedSolver {
  private final ArrayCache cache;
  private final ArrayBlas blas;
  private final Map<HostArray, HostArray> inverses = new HashMap<>();
  private int inversions;

  MemoizedSolver(ArrayCache cache) {
    this.cache = cache;
    blas = new ArrayBlas(cache);
    cache.listen((start, end) -> inverses.keySet().removeIf(a -> overlaps(a, start, end)));
  }

  private static boolean overlaps(HostArray a, long start, long end) {
    return a.home().address() < end && start < a.home().address() + a.home().bytes();
  }

  int inversions() {
    return inversions;
  }

  /** Solves A · X = B for the first n × n and n × sides numbers. */
  void solve(int n, int sides, HostArray a, HostArray b, HostArray x) {
    HostArray inverse = inverses.get(a);
    if (inverse == null) {
      inverse = invert(n, a);
      inverses.put(a, inverse);
    }
    blas.dgemm(Form.PLAIN, Form.PLAIN, n, sides, n, 1, inverse, 0, n, b, 0, sides, 0, x, 0, sides);
  }

  private HostArray invert(int n, HostArray a) {
    inversions++;
    double[][] rows = new double[n][2 * n];
    for (int i = 0; i < n; i++) {
      a.get((long) i * n, rows[i], n);
      rows[i][n + i] = 1;
    }
    for (int k = 0; k < n; k++) {
      double pivot = rows[k][k];
      for (int j = 0; j < 2 * n; j++) {
        rows[k][j] /= pivot;
      }
      for (int i = 0; i < n; i++) {
        double factor = i == k ? 0 : rows[i][k];
        for (int j = 0; j < 2 * n; j++) {
          rows[i][j] -= factor * rows[k][j];
        }
      }
    }
    HostArray inverse = cache.array("inverse", NumberKind.REAL, (long) n * n);
    for (int i = 0; i < n; i++) {
      inverse.put((long) i * n, Arrays.copyOfRange(rows[i], n, 2 * n), n);
    }
    return inverse;
  }
}
