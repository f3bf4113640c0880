package org.starlingqcd.arrays;

import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.openblas.global.openblas;
import org.starlingqcd.backend.NumberKind;

/**
 * Factors L and U of a matrix in one square, and where the rows of the matrix have gone.
 *
 * @param matrix L below the diagonal, whose own is 1, and U
 * @param rows the row of the matrix that each row of the factors stands for
 */
record LuFactors(HostArray matrix, List<Integer> rows) implements AutoCloseable {
  /** Row-major, in LAPACKE. */
  private static final int ROW_MAJOR = 101;

  /**
   * Factors a square matrix on the host.
   *
   * @throws ArithmeticException when it is singular
   */
  static LuFactors of(ArrayCache cache, NumberKind kind, int n, HostArray a, long firstA, int lda) {
    int width = kind.bytes() / Double.BYTES;
    HostArray copy = cache.array("factors of " + a.name(), kind, (long) n * n);
    double[] row = new double[width * n];
    for (int i = 0; i < n; i++) {
      a.get(firstA + (long) i * lda, row, n);
      copy.put((long) i * n, row, n);
    }
    int[] rows = new int[n];
    try (IntPointer exchanges = new IntPointer((long) n)) {
      DoublePointer numbers = copy.writing().pointer();
      int status =
          kind == NumberKind.REAL
              ? openblas.LAPACKE_dgetrf(ROW_MAJOR, n, n, numbers, n, exchanges)
              : openblas.LAPACKE_zgetrf(ROW_MAJOR, n, n, numbers, n, exchanges);
      if (status != 0) {
        copy.close();
        throw new ArithmeticException(
            "array " + a.name() + " is a singular matrix: getrf returns " + status);
      }
      for (int i = 0; i < n; i++) {
        rows[i] = i;
      }
      for (int i = 0; i < n; i++) {
        int other = exchanges.get(i) - 1;
        int held = rows[i];
        rows[i] = rows[other];
        rows[other] = held;
      }
    }
    return new LuFactors(copy, Arrays.stream(rows).boxed().toList());
  }

  @Override
  public void close() {
    matrix.close();
  }
}
