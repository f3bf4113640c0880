package org.starlingqcd.hadron.format;

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
}
