package org.starlingqcd.hadron.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.SpinSumMapping;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.plan.BaryonPart.Legs;
import org.starlingqcd.graph.plan.BaryonPart.SpinStructure;
import org.starlingqcd.graph.plan.BaryonPart.SpinTerm;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.graph.plan.SpinLegs;
import org.starlingqcd.hadron.data.GammaBasis;

class BaryonSpinTest {
  private static final double EPS = 4e-15;
  private static final SpinStructure NUCLEON = new SpinStructure(Gamma.G5.mask(), 1, 1, false);

  @Test
  void nucleonStructure_hasEightEntries() {
    Complex[] s =
        BaryonSpin.structure(
            new SpinStructure(Gamma.G5.mask(), 1, 1, false), GammaBasis.DEGRAND_ROSSI, false);
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
    SpinStructure spin = new SpinStructure(0b0100, -1, 2, false);
    Complex[] s = BaryonSpin.structure(spin, GammaBasis.DEGRAND_ROSSI, false);
    Complex[] bar = BaryonSpin.structure(spin, GammaBasis.DEGRAND_ROSSI, true);
    // g4 exchanges spins 0 and 2, 1 and 3 in this basis.
    for (int k = 0; k < 64; k++) {
      assertEquals(0, bar[k ^ 0b101010].plus(s[k].conjugate().times(-1)).abs(), EPS, "k=" + k);
    }
  }

  @Test
  void legs_decideWhereSpinsGo() {
    Legs sink = new Legs(1, 2, 0);
    Legs source = new Legs(0, 2, 1);
    Complex[] s = BaryonSpin.structure(NUCLEON, GammaBasis.DEGRAND_ROSSI, false);
    Complex[] bar = BaryonSpin.structure(NUCLEON, GammaBasis.DEGRAND_ROSSI, true);
    Mapped mapped =
        Mapped.of(new SpinTerm(NUCLEON, sink, NUCLEON, source, new Complex(0, 2)), false);
    for (int node = 0; node < 16; node++) {
      for (int pair = 0; pair < 256; pair++) {
        int first = pair / 16;
        int second = pair % 16;
        // Sink leg 2 takes the first line, leg 0 the second, 1 is open; at the source 2, 1 and 0.
        Complex expected =
            s[16 * (second / 4) + 4 * (node % 4) + first / 4]
                .times(bar[16 * (node / 4) + 4 * (second % 4) + first % 4])
                .times(new Complex(0, 2));
        assertEquals(0, expected.plus(factor(mapped, first, second, node).times(-1)).abs(), EPS);
      }
    }
  }

  @Test
  void symmetricBlocks_haveTheSumOfBothOrdersOfTheLines() {
    SpinTerm term = new SpinTerm(NUCLEON, new Legs(0, 1, 2), NUCLEON, Legs.NATURAL, Complex.ONE);
    Mapped whole = Mapped.of(term, false);
    Mapped half = Mapped.of(term, true);
    for (int node = 0; node < 16; node++) {
      for (int p = 0; p < 16; p++) {
        for (int q = 0; q < 16; q++) {
          Complex any = factor(whole, p, q, node).plus(factor(whole, q, p, node));
          Complex kept = factor(half, p, q, node).plus(factor(half, q, p, node));
          assertEquals(0, any.plus(kept.times(-1)).abs(), EPS);
        }
      }
    }
  }

  /** A spin sum as the device takes it, and the sums that its components are. */
  private record Mapped(List<PairSum> spins, SpinSumMapping mapping) {
    static Mapped of(SpinTerm term, boolean symmetric) {
      List<PairSum> spins =
          PairSum.all(
              SpinLegs.needed(term.sink(), term.sinkLegs(), false),
              SpinLegs.needed(term.source(), term.sourceLegs(), true),
              symmetric);
      return new Mapped(
          spins,
          new BaryonSpin.Sum(List.of(term), spins.size(), spins, symmetric)
              .mapping(GammaBasis.DEGRAND_ROSSI));
    }
  }

  /**
   * The factor of components {@code first} and {@code second} of the lines, in the DeGrand-Rossi
   * basis, that a sum over spins has for a component of the node.
   */
  private static Complex factor(Mapped mapped, int first, int second, int node) {
    List<PairSum> spins = mapped.spins();
    SpinSumMapping mapping = mapped.mapping();
    Complex sum = Complex.ZERO;
    for (int k = 0; k < mapping.size(); k++) {
      if (mapping.destination(k) == node) {
        Complex factor = new Complex(mapping.factorRe(k), mapping.factorIm(k));
        for (PairSum.Entry entry : spins.get(mapping.source(k)).entries()) {
          double rotated =
              SpinLegs.toDirac(entry.first() / 4, first / 4)
                  * SpinLegs.toDirac(entry.first() % 4, first % 4)
                  * SpinLegs.toDirac(entry.second() / 4, second / 4)
                  * SpinLegs.toDirac(entry.second() % 4, second % 4);
          sum = sum.plus(factor.times(entry.factor()).times(rotated));
        }
      }
    }
    return sum;
  }
}
