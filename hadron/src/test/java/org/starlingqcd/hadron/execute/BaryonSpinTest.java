package org.starlingqcd.hadron.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.plan.BaryonPart.Legs;
import org.starlingqcd.graph.plan.BaryonPart.SpinStructure;
import org.starlingqcd.graph.plan.BaryonPart.SpinTerm;
import org.starlingqcd.hadron.data.GammaBasis;

class BaryonSpinTest {
  private static final double EPS = 1e-15;

  @Test
  void nucleonStructure_hasEightEntries() {
    Complex[] s =
        BaryonSpin.structure(
            new SpinStructure(Gamma.G5.mask(), 1, 1), GammaBasis.DEGRAND_ROSSI, false);
    int entries = 0;
    for (Complex value : s) {
      entries += value.abs() > 0 ? 1 : 0;
    }
    assertEquals(8, entries);
    // C g5 = g2 g4 g5 is antisymmetric.
    for (int a = 0; a < 4; a++) {
      for (int b = 0; b < 4; b++) {
        for (int c = 0; c < 4; c++) {
          Complex sum = s[16 * a + 4 * b + c].plus(s[16 * b + 4 * a + c]);
          assertEquals(0, sum.abs(), EPS);
        }
      }
    }
  }

  @Test
  void adjointStructure_isG4OnEveryLegOfTheConjugate() {
    SpinStructure spin = new SpinStructure(0b0100, -1, 2);
    Complex[] s = BaryonSpin.structure(spin, GammaBasis.DEGRAND_ROSSI, false);
    Complex[] bar = BaryonSpin.structure(spin, GammaBasis.DEGRAND_ROSSI, true);
    // g4 exchanges spins 0 and 2, 1 and 3 in this basis.
    for (int k = 0; k < 64; k++) {
      assertEquals(0, bar[k ^ 0b101010].plus(s[k].conjugate().times(-1)).abs(), EPS, "k=" + k);
    }
  }

  @Test
  void legs_decideWhereSpinsGo() {
    SpinStructure spin = new SpinStructure(Gamma.G5.mask(), 1, 1);
    Complex[] s = BaryonSpin.structure(spin, GammaBasis.DEGRAND_ROSSI, false);
    Complex[] bar = BaryonSpin.structure(spin, GammaBasis.DEGRAND_ROSSI, true);
    Legs sink = new Legs(1, 2, 0);
    Legs source = new Legs(0, 2, 1);
    SpinSumMapping mapping =
        new BaryonSpin.Sum(
                List.of(new SpinTerm(spin, sink, spin, source, new Complex(0, 2))),
                256,
                List.of(),
                false)
            .mapping(GammaBasis.DEGRAND_ROSSI);
    assertEquals(64, mapping.size());
    for (int k = 0; k < mapping.size(); k++) {
      int first = mapping.source(k) / 16;
      int second = mapping.source(k) % 16;
      int node = mapping.destination(k);
      // Sink leg 2 takes the first line, leg 0 the second, leg 1 is open; at the source 2, 1 and 0.
      Complex expected =
          s[16 * (second / 4) + 4 * (node % 4) + first / 4]
              .times(bar[16 * (node / 4) + 4 * (second % 4) + first % 4])
              .times(new Complex(0, 2));
      assertEquals(expected.re(), mapping.factorRe(k), EPS);
      assertEquals(expected.im(), mapping.factorIm(k), EPS);
    }
  }

  @Test
  void symmetricBlocks_areReadWhereTheyAreDefined() {
    SpinStructure spin = new SpinStructure(Gamma.G5.mask(), 1, 1);
    SpinSumMapping mapping =
        new BaryonSpin.Sum(
                List.of(new SpinTerm(spin, new Legs(0, 1, 2), spin, Legs.NATURAL, Complex.ONE)),
                256,
                List.of(),
                true)
            .mapping(GammaBasis.DEGRAND_ROSSI);
    for (int k = 0; k < mapping.size(); k++) {
      assertTrue(mapping.source(k) / 16 <= mapping.source(k) % 16);
    }
  }
}
