package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.SpinMatrix;

final class SpinBasesTest {
  private static SpinMatrix matrix(String basis, Gamma gamma) {
    return SpinBases.known(basis).matrix(gamma);
  }

  @Test
  void names_areThoseOfMappingFiles() {
    assertEquals(List.of("DeGrand-Rossi", "Dirac-Pauli", "openQCD", "sLapH"), SpinBases.names());
    assertTrue(SpinBases.of("Weyl").isEmpty());
  }

  /** g4 is diag(1, 1, -1, -1) in the Dirac-Pauli basis. */
  @Test
  void diracPauli_hasDiagonalG4() {
    SpinMatrix g4 = matrix("Dirac-Pauli", Gamma.G4);
    for (int k = 0; k < 4; k++) {
      assertEquals(k < 2 ? 1 : -1, g4.re(k, k));
    }
    assertEquals(2, g4.norm());
  }

  /** The γ5 of openQCD, diag(1, 1, -1, -1), is minus the product of its four matrices. */
  @Test
  void openQcd_hasGamma5WithTheOtherSign() {
    SpinMatrix g5 = matrix("openQCD", Gamma.G5);
    for (int k = 0; k < 4; k++) {
      assertEquals(k < 2 ? -1 : 1, g5.re(k, k), 1e-15);
    }
  }

  /** Against DeGrand-Rossi, g1, g3 and g4 of openQCD have opposite sign, and g2 the same. */
  @Test
  void openQcd_differsFromDeGrandRossiBySigns() {
    int[] signs = {-1, 1, -1, -1};
    for (int mu = 1; mu <= 4; mu++) {
      SpinMatrix difference =
          matrix("openQCD", Gamma.g(mu)).minus(SpinMatrix.deGrandRossi(mu).times(signs[mu - 1]));
      assertEquals(0, difference.largest(), "mu = " + mu);
    }
  }

  @Test
  void remove_ofG4_isTheProductFromTheRight() {
    Random random = new Random(5);
    int block = 6;
    double[] rows = random.doubles(16L * block).toArray();
    double[] changed = rows.clone();
    SpinMatrix g4 = SpinBases.known("openQCD").matrix(Gamma.G4);
    SpinBases.removeSourceGamma(g4, changed, block);
    // g4 = [[0, -1], [-1, 0]] exchanges the source spins 0, 2 and 1, 3 and changes the sign.
    for (int sink = 0; sink < 2; sink++) {
      for (int source = 0; source < 4; source++) {
        int at = (4 * sink + source) * 2 * block;
        int from = (4 * sink + (source + 2) % 4) * 2 * block;
        for (int k = 0; k < 2 * block; k++) {
          assertEquals(-rows[from + k], changed[at + k]);
        }
      }
    }
    SpinBases.removeSourceGamma(g4, changed, block);
    assertArrayEquals(rows, changed);
  }
}
