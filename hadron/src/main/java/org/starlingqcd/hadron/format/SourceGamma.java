package org.starlingqcd.hadron.format;

import java.util.Arrays;
import org.starlingqcd.hadron.data.SpinMatrix;

/** A gamma matrix that a program multiplies its sources with: {@code τ_file = τ · g}. */
public final class SourceGamma {
  private static final int SPINS = SpinMatrix.SPINS;

  private SourceGamma() {}

  /**
   * Removes a matrix with {@code g² = 1} from the source side of rows of a perambulator: {@code τ =
   * τ_file · g}.
   *
   * @param rows [sink spin][source spin][i][j], interleaved complex, any number of sink spins
   * @param block numbers in [i][j]
   */
  public static void remove(SpinMatrix g, double[] rows, int block) {
    int size = 2 * block;
    double[] row = new double[SPINS * size];
    for (int start = 0; start < rows.length; start += row.length) {
      Arrays.fill(row, 0);
      for (int from = 0; from < SPINS; from++) {
        for (int to = 0; to < SPINS; to++) {
          double re = g.re(from, to);
          double im = g.im(from, to);
          if (re == 0 && im == 0) {
            continue;
          }
          for (int k = 0; k < size; k += 2) {
            double x = rows[start + from * size + k];
            double y = rows[start + from * size + k + 1];
            row[to * size + k] += re * x - im * y;
            row[to * size + k + 1] += re * y + im * x;
          }
        }
      }
      System.arraycopy(row, 0, rows, start, row.length);
    }
  }
}
