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
 * [iσ_k, 0]], which is γ_k of DeGrand-Rossi with the opposite sign for k = 1, 3, and differ in γ_4.
 */
public final class SpinBases {
  private static final int SPINS = SpinMatrix.SPINS;

  /** γ_4 = diag(1, 1, -1, -1): the LapH programs. */
  public static final String DIRAC_PAULI = "Dirac-Pauli";

  /** The bases by name; DeGrand-Rossi is the only one that needs no rotation. */
  private static final Map<String, GammaBasis> BASES =
      new TreeMap<>(
          Map.of(
              DistillationHeader.DEGRAND_ROSSI,
              GammaBasis.DEGRAND_ROSSI,
              DIRAC_PAULI,
              withTemporal(SpinMatrix.diagonal(1, 1, -1, -1)),
              "openQCD",
              withTemporal(SpinMatrix.deGrandRossi(4).times(-1)),
              "sLapH",
              withTemporal(SpinMatrix.deGrandRossi(4))));

  private SpinBases() {}

  private static GammaBasis withTemporal(SpinMatrix temporal) {
    return GammaBasis.of(
        List.of(
            SpinMatrix.deGrandRossi(1).times(-1),
            SpinMatrix.deGrandRossi(2),
            SpinMatrix.deGrandRossi(3).times(-1),
            temporal));
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
    SpinMatrix transposed = g.transposed();
    for (int start = 0; start < rows.length; start += 2 * SPINS * block) {
      transposed.applyTo(rows, start, block);
    }
  }
}
