package org.starlingqcd.arrays;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.arrays.Operand.Use;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.MatrixOperations.Place;
import org.starlingqcd.backend.MatrixShape;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.TriangularShape;

/**
 * SemCache's example of memoization: the host factors a matrix, the device solves, and the factors
 * serve until a number of the matrix is written, wherever that is.
 */
final class MemoizedSolver {
  /**
   * L below the diagonal, whose own is 1, and U; the row of the matrix that each row stands for.
   */
  private record Factors(HostArray matrix, List<Integer> rows) {}

  private final ArrayCache cache;
  private final Map<HostArray, Factors> known = new HashMap<>();
  private int factorizations;

  MemoizedSolver(ArrayCache cache) {
    this.cache = cache;
    cache.listen(
        (start, end) ->
            known
                .keySet()
                .removeIf(
                    a ->
                        a.home().address() < end && start < a.home().address() + a.home().bytes()));
  }

  int factorizations() {
    return factorizations;
  }

  /** Solves A · X = B for the first n × n and n × sides numbers; X takes the place of B. */
  void solve(int n, int sides, HostArray a, HostArray b) {
    Factors factors = known.get(a);
    if (factors == null) {
      factors = factor(n, a);
      known.put(a, factors);
    }
    List<Integer> rows = factors.rows();
    long row = (long) Double.BYTES * sides;
    MatrixShape one = MatrixShape.dense(NumberKind.REAL, 1, sides);
    try (HostArray permuted = cache.array("permuted", NumberKind.REAL, (long) n * sides)) {
      cache.run(
          List.of(
              new Operand(b, 0, n * row, Use.UPDATE),
              new Operand(factors.matrix(), 0, (long) Double.BYTES * n * n, Use.READ),
              new Operand(permuted, 0, n * row, Use.OVERWRITE)),
          2,
          (calls, places, stream) -> {
            Place to = places[2];
            for (int i = 0; i < n; i++) {
              calls.copy(one, places[0].plus(rows.get(i) * row), sides, to.plus(i * row), stream);
            }
            calls.solveTriangular(triangle(true, n, sides), places[1], to, stream);
            calls.solveTriangular(triangle(false, n, sides), places[1], to, stream);
            calls.copy(MatrixShape.dense(NumberKind.REAL, n, sides), to, sides, places[0], stream);
          });
    }
  }

  private static TriangularShape triangle(boolean lower, int n, int sides) {
    return new TriangularShape(
        NumberKind.REAL, true, lower, Form.PLAIN, lower, n, sides, n, sides, Scalar.ONE);
  }

  /** Gaussian elimination with the largest pivots. */
  private Factors factor(int n, HostArray a) {
    factorizations++;
    double[][] u = new double[n][n];
    Integer[] rows = new Integer[n];
    for (int i = 0; i < n; i++) {
      a.get((long) i * n, u[i], n);
      rows[i] = i;
    }
    for (int k = 0; k < n; k++) {
      int pivot = k;
      for (int i = k + 1; i < n; i++) {
        pivot = Math.abs(u[i][k]) > Math.abs(u[pivot][k]) ? i : pivot;
      }
      double[] held = u[k];
      u[k] = u[pivot];
      u[pivot] = held;
      int row = rows[k];
      rows[k] = rows[pivot];
      rows[pivot] = row;
      for (int i = k + 1; i < n; i++) {
        u[i][k] /= u[k][k];
        for (int j = k + 1; j < n; j++) {
          u[i][j] -= u[i][k] * u[k][j];
        }
      }
    }
    HostArray matrix = cache.array("factors", NumberKind.REAL, (long) n * n);
    for (int i = 0; i < n; i++) {
      matrix.put((long) i * n, u[i], n);
    }
    return new Factors(matrix, List.of(rows));
  }
}
