package org.starlingqcd.backend.cpu.blas;

import org.starlingqcd.backend.HostMemory;

/**
 * Transposes small matrices by BLAS calls.
 *
 * <p>BLAS has no transposition. Where OpenBLAS has kernels for small matrices, eight rows at a time
 * are multiplied by the unit matrix, at twice the speed of strided copies. Multiplying by one and
 * adding zeros does not change a finite number. (An infinity or NaN turns all eight numbers into
 * NaN.) Elsewhere strided copies are faster.
 */
public final class Transposition implements AutoCloseable {
  private static final int ROWS = 8;

  private final Blas blas;
  private final boolean byProducts;
  private final HostMemory unit = HostMemory.allocateForDevice(8L * ROWS * ROWS);

  Transposition(Blas blas, boolean byProducts) {
    this.blas = blas;
    this.byProducts = byProducts;
    double[] numbers = new double[ROWS * ROWS];
    for (int k = 0; k < ROWS; k++) {
      numbers[k * ROWS + k] = 1;
    }
    unit.put(0, numbers, 0, numbers.length);
  }

  /**
   * Writes {@code to[i][j] = from[j][i]}.
   *
   * @param rows rows of the result, which are contiguous
   * @param columns columns of the result
   * @param leading leading dimension of {@code from}
   */
  public void run(int rows, int columns, long from, int leading, long to) {
    if (byProducts) {
      for (int j = 0; j < columns; j += ROWS) {
        int some = Math.min(ROWS, columns - j);
        long block = from + 8L * j * leading;
        long target = to + 8L * j;
        blas.gemm(
            true,
            false,
            rows,
            some,
            some,
            1,
            block,
            leading,
            unit.address(),
            ROWS,
            0,
            target,
            columns);
      }
    } else {
      for (int i = 0; i < rows; i++) {
        blas.copy(columns, from + 8L * i, leading, to + 8L * i * columns, 1);
      }
    }
  }

  @Override
  public void close() {
    unit.close();
  }
}
