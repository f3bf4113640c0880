package org.starlingqcd.correlators.definition.hadrons;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.graph.Gamma;

class MesonTest {
  /** The table of mesons: multiplet, Γ for x, y, z, determinant or not. */
  @ParameterizedTest
  @CsvSource({
    "pi, ISOVECTOR, g5, , , true",
    "a0, ISOVECTOR, 1, , , false",
    "rho, ISOVECTOR, g1, g2, g3, false",
    "a1, ISOVECTOR, g1g5, g2g5, g3g5, true",
    "b1, ISOVECTOR, g2g3, g3g1, g1g2, true",
    "eta, ISOSCALAR, g5, , , true",
    "f0, ISOSCALAR, 1, , , false",
    "omega, ISOSCALAR, g1, g2, g3, false",
    "f1, ISOSCALAR, g1g5, g2g5, g3g5, true",
    "h1, ISOSCALAR, g2g3, g3g1, g1g2, true",
    "eta_s, STRANGE_ISOSCALAR, g5, , , true",
    "f0_s, STRANGE_ISOSCALAR, 1, , , false",
    "phi, STRANGE_ISOSCALAR, g1, g2, g3, false",
    "K, KAON, g5, , , true",
    "Kstar, KAON, g1, g2, g3, false",
    "Kbar, ANTIKAON, g5, , , true",
    "Kstarbar, ANTIKAON, g1, g2, g3, false",
  })
  void named_isTheTable(
      String name, Multiplet multiplet, String x, String y, String z, boolean determinant) {
    Meson meson = Meson.named(name).orElseThrow();
    assertEquals(name, meson.toString());
    assertEquals(multiplet, meson.multiplet());
    assertEquals(y != null, meson.polarized());
    assertEquals(Gamma.parse(x), meson.gamma(0));
    if (y != null) {
      assertEquals(Gamma.parse(y), meson.gamma(1));
      assertEquals(Gamma.parse(z), meson.gamma(2));
    }
    for (CubicRotation rotation : CubicRotation.all()) {
      assertEquals(determinant ? rotation.determinant() : 1, meson.sign(rotation));
    }
  }

  @Test
  void named_allOfThem() {
    assertEquals(17, Meson.values().length);
    assertEquals(17, Meson.names().split(", ").length);
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
      int sign = meson.sign(inversion) * (meson.polarized() ? -1 : 1);
      assertEquals(meson.gamma(0).sign() * sign, image.sign(), meson.toString());
    }
  }
}
