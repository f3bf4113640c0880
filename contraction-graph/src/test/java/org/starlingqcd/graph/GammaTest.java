package org.starlingqcd.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GammaTest {
  @Test
  void differentGammas_anticommuteAndSquareToOne() {
    for (int mu = 1; mu <= 5; mu++) {
      for (int nu = 1; nu <= 5; nu++) {
        Gamma ab = Gamma.g(mu).times(Gamma.g(nu));
        Gamma ba = Gamma.g(nu).times(Gamma.g(mu));
        assertEquals(mu == nu ? ab : new Gamma(ab.mask(), -ab.sign()), ba);
        if (mu == nu) {
          assertEquals(Gamma.ONE, ab);
        }
      }
    }
  }

  @Test
  void products_areAssociativeAndAdjointReverses() {
    for (int a = 0; a < 16; a++) {
      for (int b = 0; b < 16; b++) {
        Gamma x = new Gamma(a, 1);
        Gamma y = new Gamma(b, -1);
        assertEquals(x.times(y).adjoint(), y.adjoint().times(x.adjoint()));
        assertEquals(Gamma.ONE, x.times(x.adjoint()));
        for (int c = 0; c < 16; c++) {
          Gamma z = new Gamma(c, 1);
          assertEquals(x.times(y).times(z), x.times(y.times(z)));
        }
      }
    }
  }

  @Test
  void parse_multipliesLeftToRight() {
    assertEquals(Gamma.ONE, Gamma.parse("1"));
    assertEquals(Gamma.G5, Gamma.parse("g1g2g3g4"));
    assertEquals(new Gamma(3, -1), Gamma.parse("g2g1"));
    assertEquals(Gamma.g(3).times(Gamma.G5), Gamma.parse("g3g5"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "g", "g6", "g0", "5", "gg5", "g5 ", "G5", "11"})
  void parse_refusesOtherNames(String name) {
    assertThrows(IllegalArgumentException.class, () -> Gamma.parse(name));
  }

  @Test
  void bar_ofPseudoscalarIsMinusAndOfScalarIsPlus() {
    assertEquals(new Gamma(15, -1), Gamma.G5.bar());
    assertEquals(Gamma.ONE, Gamma.ONE.bar());
    assertEquals(new Gamma(1, -1), Gamma.g(1).bar());
    assertEquals(Gamma.G4, Gamma.G4.bar());
  }
}
