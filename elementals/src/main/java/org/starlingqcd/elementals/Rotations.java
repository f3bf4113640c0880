package org.starlingqcd.elementals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.format.NpyFile;

/**
 * A matrix U(t)[N][N'] for each time slice with orthonormal columns: the new vectors are {@code
 * v'_j = Σ_i v_i U_ij}.
 *
 * @param before N
 * @param after N'
 * @param numbers for each time the matrix, row-major, interleaved complex
 */
public record Rotations(int before, int after, List<double[]> numbers) {
  private static final double TOLERANCE = 1e-10;

  /** The first {@code after} of {@code before} vectors at all times. */
  public static Rotations first(int times, int before, int after) {
    double[] matrix = new double[2 * before * after];
    for (int i = 0; i < after; i++) {
      matrix[2 * (i * after + i)] = 1;
    }
    List<double[]> numbers = new ArrayList<>();
    for (int t = 0; t < times; t++) {
      numbers.add(matrix);
    }
    return new Rotations(before, after, numbers);
  }

  /**
   * Reads matrices from a {@code .npy} file, complex [T][N][N'], and keeps their first columns.
   *
   * @param most how many columns are kept at most
   * @param all whether the file alone says how many
   * @throws DistillationException when the shape is another one or columns are not orthonormal
   */
  public static Rotations read(Path path, int times, int before, int most, boolean all) {
    NpyFile file = NpyFile.open(path);
    long[] extents = file.array().extents();
    int after = all && extents.length == 3 ? (int) Math.min(most, extents[2]) : most;
    boolean fits =
        extents.length == 3
            && !file.columnMajor()
            && file.array().isComplex()
            && extents[0] == times
            && extents[1] == before
            && extents[2] >= Math.max(1, after)
            && extents[2] <= before;
    if (!fits) {
      throw new DistillationException(
          "%s: has the shape %s%s%s, expected complex [%s, %s, N'] in C's order with %s <= N' <= %s"
                  .formatted(
                      path,
                      Arrays.toString(extents),
                      file.array().isComplex() ? "" : " of real numbers",
                      file.columnMajor() ? " in Fortran's order" : "",
                      times,
                      before,
                      all ? 1 : most,
                      before)
              + ": a matrix for each time slice");
    }
    List<double[]> numbers = new ArrayList<>();
    for (int t = 0; t < times; t++) {
      double[] matrix = new double[2 * before * after];
      file.array().read(new long[] {t, 0, 0}, new long[] {1, before, after}, matrix);
      check(path, t, matrix, before, after);
      numbers.add(matrix);
    }
    return new Rotations(before, after, numbers);
  }

  private static void check(Path path, int time, double[] u, int n, int m) {
    for (int a = 0; a < m; a++) {
      for (int b = a; b < m; b++) {
        double re = 0;
        double im = 0;
        for (int i = 0; i < n; i++) {
          int x = 2 * (i * m + a);
          int y = 2 * (i * m + b);
          re += u[x] * u[y] + u[x + 1] * u[y + 1];
          im += u[x] * u[y + 1] - u[x + 1] * u[y];
        }
        double off = Math.hypot(re - (a == b ? 1 : 0), im);
        if (!(off <= TOLERANCE)) {
          throw new DistillationException(
              String.format(
                  Locale.US,
                  a == b
                      ? "%s: column %d at time %4$d is not normalized: its norm squared is off by"
                          + " %5$.2g, allowed 1e-10"
                      : "%s: columns %d and %d at time %d are not orthogonal: their product is %.2g,"
                          + " allowed 1e-10",
                  path,
                  a,
                  b,
                  time,
                  off));
        }
      }
    }
  }
}
