package org.starlingqcd.hadron.format;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * Bases of gamma matrices that programs of the field use. Three of them have γ_k = [[0, -iσ_k],
 * [iσ_k, 0]] and differ in γ_4.
 */
public final class SpinBases {
  private static final int SPINS = SpinMatrix.SPINS;

  /** γ_4 = diag(1, 1, -1, -1): the LapH programs. */
  public static final String DIRAC_PAULI = "Dirac-Pauli";

  /** The bases by name; DeGrand-Rossi is the only one that needs no rotation. */
  private static final Map<String, GammaBasis> BASES = bases();

  private SpinBases() {}

  private static Map<String, GammaBasis> bases() {
    Map<String, GammaBasis> bases = new TreeMap<>();
    bases.put(DistillationHeader.DEGRAND_ROSSI, GammaBasis.DEGRAND_ROSSI);
    double[] diracPauli = new double[32];
    double[] openQcd = new double[32];
    double[] slaph = new double[32];
    for (int k = 0; k < 2; k++) {
      diracPauli[2 * (5 * k)] = 1;
      diracPauli[2 * (5 * (k + 2))] = -1;
      int upper = 2 * (4 * k + k + 2);
      int lower = 2 * (4 * (k + 2) + k);
      openQcd[upper] = -1;
      openQcd[lower] = -1;
      slaph[upper] = 1;
      slaph[lower] = 1;
    }
    bases.put(DIRAC_PAULI, withTemporal(diracPauli));
    bases.put("openQCD", withTemporal(openQcd));
    bases.put("sLapH", withTemporal(slaph));
    return bases;
  }

  private static GammaBasis withTemporal(double[] temporal) {
    // The upper right block -iσ_k, row by row; the lower left one is its adjoint.
    return GammaBasis.of(
        List.of(
            offDiagonal(0, 0, 0, -1, 0, -1, 0, 0),
            offDiagonal(0, 0, -1, 0, 1, 0, 0, 0),
            offDiagonal(0, -1, 0, 0, 0, 0, 0, 1),
            SpinMatrix.of(temporal)));
  }

  private static SpinMatrix offDiagonal(double... block) {
    double[] values = new double[32];
    for (int row = 0; row < 2; row++) {
      for (int column = 0; column < 2; column++) {
        double re = block[2 * (2 * row + column)];
        double im = block[2 * (2 * row + column) + 1];
        values[2 * (4 * row + 2 + column)] = re;
        values[2 * (4 * row + 2 + column) + 1] = im;
        values[2 * (4 * (2 + column) + row)] = re;
        values[2 * (4 * (2 + column) + row) + 1] = -im;
      }
    }
    return SpinMatrix.of(values);
  }

  /** The basis of a name. */
  public static Optional<GammaBasis> of(String name) {
    return Optional.ofNullable(BASES.get(name));
  }

  /** The basis of a name of this class. */
  public static GammaBasis known(String name) {
    return of(name).orElseThrow(() -> new IllegalArgumentException("no such basis: " + name));
  }

  /** The names, in ascending order. */
  public static List<String> names() {
    return List.copyOf(BASES.keySet());
  }

  /**
   * Removes a matrix with {@code g² = 1}, which sources were multiplied with, from rows of a
   * perambulator: {@code τ = τ_file · g}.
   *
   * @param rows [sink spin][source spin][i][j], interleaved complex, any number of sink spins
   * @param block numbers in [i][j]
   */
  public static void removeSourceGamma(SpinMatrix g, double[] rows, int block) {
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
