package org.starlingqcd.arrays;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.arrays.Operand.Use;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.TriangularShape;

/**
 * SemCache's example of memoization: the host factors a matrix, the device solves, and the factors
 * serve until a number of the matrix is written, wherever that is. For real matrices with large
 * diagonals, which need no pivots.
 */
final class MemoizedSolver {
  private final ArrayCache cache;

  /** L below the diagonal, whose own is 1, and U of each matrix. */
  private final Map<HostArray, HostArray> known = new HashMap<>();

  private int factorizations;

  MemoizedSolver(ArrayCache cache) {
    this.cache = cache;
    cache.listen((start, end) -> known.keySet().removeIf(a -> overlaps(a, start, end)));
  }

  private static boolean overlaps(HostArray a, long start, long end) {
    return a.home().address() < end && start < a.home().address() + a.home().bytes();
  }

  int factorizations() {
    return factorizations;
  }

  /** Solves A · X = B for the first n × n and n × sides numbers; X takes the place of B. */
  void solve(int n, int sides, HostArray a, HostArray b) {
    HostArray factors = known.get(a);
    if (factors == null) {
      factors = factor(n, a);
      known.put(a, factors);
    }
    cache.run(
        List.of(
            new Operand(b, 0, (long) Double.BYTES * n * sides, Use.UPDATE),
            new Operand(factors, 0, (long) Double.BYTES * n * n, Use.READ)),
        2,
        (calls, places, stream) -> {
          for (boolean lower : new boolean[] {true, false}) {
            TriangularShape triangle =
                new TriangularShape(
                    NumberKind.REAL,
                    true,
                    lower,
                    Form.PLAIN,
                    lower,
                    n,
                    sides,
                    n,
                    sides,
                    Scalar.ONE);
            calls.solveTriangular(triangle, places[1], places[0], stream);
          }
        });
  }

  private HostArray factor(int n, HostArray a) {
    factorizations++;
    HostArray factors = cache.array("factors", NumberKind.REAL, (long) n * n);
    double[][] u = new double[n][n];
    for (int i = 0; i < n; i++) {
      a.get((long) i * n, u[i], n);
      for (int k = 0; k < i; k++) {
        u[i][k] /= u[k][k];
        for (int j = k + 1; j < n; j++) {
          u[i][j] -= u[i][k] * u[k][j];
        }
      }
      factors.put((long) i * n, u[i], n);
    }
    return factors;
  }
}
