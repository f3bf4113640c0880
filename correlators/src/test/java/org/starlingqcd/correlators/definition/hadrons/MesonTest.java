package org.starlingqcd.correlators.definition.hadrons;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;

class MesonTest {
  /** The table of mesons: multiplet, Γ for x, y, z, whether det R belongs to its image, C. */
  @ParameterizedTest
  @CsvSource({
    "pi, ISOVECTOR, g5, , , true, 1",
    "a0, ISOVECTOR, 1, , , false, 1",
    "rho, ISOVECTOR, g1, g2, g3, false, -1",
    "a1, ISOVECTOR, g1g5, g2g5, g3g5, true, 1",
    "b1, ISOVECTOR, g2g3, g3g1, g1g2, true, -1",
    "pi_2, ISOVECTOR, g4g5, , , true, 1",
    "b_0, ISOVECTOR, g4, , , false, -1",
    "rho_2, ISOVECTOR, g4g1, g4g2, g4g3, false, -1",
    "eta, ISOSCALAR, g5, , , true, 1",
    "f0, ISOSCALAR, 1, , , false, 1",
    "omega, ISOSCALAR, g1, g2, g3, false, -1",
    "f1, ISOSCALAR, g1g5, g2g5, g3g5, true, 1",
    "h1, ISOSCALAR, g2g3, g3g1, g1g2, true, -1",
    "eta_2, ISOSCALAR, g4g5, , , true, 1",
    "h_0, ISOSCALAR, g4, , , false, -1",
    "omega_2, ISOSCALAR, g4g1, g4g2, g4g3, false, -1",
    "eta_s, STRANGE_ISOSCALAR, g5, , , true, 1",
    "f0_s, STRANGE_ISOSCALAR, 1, , , false, 1",
    "phi, STRANGE_ISOSCALAR, g1, g2, g3, false, -1",
    "K, KAON, g5, , , true, 0",
    "Kstar, KAON, g1, g2, g3, false, 0",
    "Kbar, ANTIKAON, g5, , , true, 0",
    "Kstarbar, ANTIKAON, g1, g2, g3, false, 0",
  })
  void named_isTheTable(
      String name, Multiplet multiplet, String x, String y, String z, boolean determinant, int c) {
    Meson meson = Meson.named(name).orElseThrow();
    assertEquals(name, meson.toString());
    assertEquals(multiplet, meson.multiplet());
    assertEquals(y != null, meson.polarized());
    assertEquals(Gamma.parse(x), meson.gamma(0));
    if (y != null) {
      assertEquals(Gamma.parse(y), meson.gamma(1));
      assertEquals(Gamma.parse(z), meson.gamma(2));
    }
    MesonField field = MesonField.of(meson);
    assertEquals(c, field.chargeConjugation());
    for (CubicRotation rotation : CubicRotation.all()) {
      int sign = determinant ? rotation.determinant() : 1;
      Complex[][] d = field.irrep().matrix(rotation);
      for (int row = 0; row < d.length; row++) {
        for (int column = 0; column < d.length; column++) {
          int element = y == null ? 1 : rotation.element(row, column);
          assertEquals(sign * element, d[row][column].re(), 0.0);
          assertEquals(0, d[row][column].im(), 0.0);
        }
      }
    }
  }

  @Test
  void named_allOfThem() {
    assertEquals(23, Meson.values().length);
    assertEquals(23, Meson.names().size());
  }

  /**
   * The signs under O_h follow from the gammas: S g_i S⁻¹ = Σ_j R_ji g_j for a spatial rotation, g4
   * Γ(x → -x) g4 for the inversion. Here for the inversion, which S = g4 represents.
   */
  @Test
  void sign_inversion_isThatOfConjugationWithG4() {
    CubicRotation inversion = new CubicRotation(List.of(0, 1, 2), List.of(-1, -1, -1));
    for (Meson meson : Meson.values()) {
      Gamma image = Gamma.G4.times(meson.gamma(0)).times(Gamma.G4);
      double sign = MesonField.of(meson).irrep().matrix(inversion)[0][0].re();
      assertEquals(meson.gamma(0).sign() * sign, image.sign(), meson.toString());
    }
  }
}
