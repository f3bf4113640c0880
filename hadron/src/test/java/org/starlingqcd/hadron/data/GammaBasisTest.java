package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.TestData;

class GammaBasisTest {
  /** A few products of unitary matrices whose entries are exact to an ulp. */
  private static final double TOLERANCE = 64 * Math.ulp(1.0);

  private static List<SpinMatrix> rotated(SpinMatrix s) {
    List<SpinMatrix> gammas = new ArrayList<>();
    for (int mu = 1; mu <= 4; mu++) {
      gammas.add(s.times(SpinMatrix.deGrandRossi(mu)).times(s.adjoint()));
    }
    return gammas;
  }

  @Test
  void of_findsTheRotation() {
    for (int seed = 0; seed < 50; seed++) {
      List<SpinMatrix> gammas = rotated(TestData.randomUnitary(seed));
      GammaBasis basis = GammaBasis.of(gammas);
      SpinMatrix s = basis.rotation();
      assertEquals(
          0, s.times(s.adjoint()).minus(SpinMatrix.ONE).largest(), TOLERANCE, "seed=" + seed);
      for (int mu = 1; mu <= 4; mu++) {
        SpinMatrix back = s.adjoint().times(gammas.get(mu - 1)).times(s);
        assertEquals(
            0, back.minus(SpinMatrix.deGrandRossi(mu)).largest(), TOLERANCE, "seed=" + seed);
        assertEquals(0, basis.matrix(Gamma.g(mu)).minus(gammas.get(mu - 1)).largest(), TOLERANCE);
      }
    }
  }

  @Test
  void of_refusesWhatIsNoCliffordAlgebra() {
    List<SpinMatrix> gammas = rotated(SpinMatrix.ONE);
    List<SpinMatrix> same = List.of(gammas.get(0), gammas.get(1), gammas.get(2), gammas.get(2));
    assertMessage("g3 and g4 do not anticommute: deviation 2.0 exceeds 1.0E-12", same);
    List<SpinMatrix> scaled =
        List.of(gammas.get(0).times(2), gammas.get(1), gammas.get(2), gammas.get(3));
    assertMessage("the square of g1 is not 1: deviation 6.0 exceeds 1.0E-12", scaled);
    double[] lopsided = new double[32];
    lopsided[2] = 1;
    List<SpinMatrix> skew =
        List.of(gammas.get(0), SpinMatrix.of(lopsided), gammas.get(2), gammas.get(3));
    assertMessage("g2 is not Hermitian: deviation 1.0 exceeds 1.0E-12", skew);
    double[] nan = new double[32];
    nan[0] = Double.NaN;
    assertThrows(
        IllegalArgumentException.class,
        () ->
            GammaBasis.of(
                List.of(SpinMatrix.of(nan), gammas.get(1), gammas.get(2), gammas.get(3))));
  }

  private static void assertMessage(String message, List<SpinMatrix> gammas) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> GammaBasis.of(gammas)).getMessage());
  }

  @Test
  void mixesComponents_inBasesThatTurnSpinsOnly() {
    assertFalse(GammaBasis.DEGRAND_ROSSI.mixesComponents());
    double h = Math.sqrt(0.5);
    double[] dirac = new double[32];
    double[] turned = new double[32];
    for (int spin = 0; spin < 2; spin++) {
      for (int k = 0; k < 4; k++) {
        dirac[2 * (4 * (spin + 2 * (k / 2)) + spin + 2 * (k % 2))] = k == 3 ? -h : h;
        turned[2 * (4 * (spin + 2 * (k / 2)) + (spin + k) % 2 + 2 * (k / 2))] =
            k % 2 == 0 ? 0.8 : spin == 0 ? 0.6 : -0.6;
      }
    }
    assertFalse(GammaBasis.of(rotated(SpinMatrix.of(dirac))).mixesComponents());
    // A phase of every spin is no mixing.
    SpinMatrix phases = SpinMatrix.diagonal(1, -1, 1, -1);
    assertFalse(GammaBasis.of(rotated(phases)).mixesComponents());
    assertTrue(GammaBasis.of(rotated(SpinMatrix.of(turned))).mixesComponents());
  }

  @Test
  void agreesWith_comparesMatrices() {
    GammaBasis basis = GammaBasis.of(rotated(TestData.randomUnitary(1)));
    assertTrue(basis.agreesWith(GammaBasis.of(rotated(TestData.randomUnitary(1)))));
    assertTrue(!basis.agreesWith(GammaBasis.DEGRAND_ROSSI));
  }

  @Test
  void baryonFlaw_isFoundInABasisWithoutTheRightC() {
    assertEquals("", GammaBasis.DEGRAND_ROSSI.baryonFlaw());
    // Cyclic exchange of g1, g2, g3: g2 g4 no longer relates the gammas to their transposes.
    GammaBasis other =
        GammaBasis.of(
            List.of(
                SpinMatrix.deGrandRossi(2),
                SpinMatrix.deGrandRossi(3),
                SpinMatrix.deGrandRossi(1),
                SpinMatrix.deGrandRossi(4)));
    assertTrue(other.baryonFlaw().contains("negative transpose"));
  }
}
