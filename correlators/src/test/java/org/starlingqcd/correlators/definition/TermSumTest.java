package org.starlingqcd.correlators.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Term;

class TermSumTest {
  private static final Complex ONE = Complex.ONE;
  private static final Factor M1 = meson("g5", "u");
  private static final Factor M2 = meson("1", "d");
  private static final Factor B1 = baryon(1);
  private static final Factor B2 = baryon(2);
  private static final Factor B3 = baryon(3);

  @Test
  void add_mesonsInAnotherOrder_areMergedUnderTheFirst() {
    assertEquals(
        List.of(new Term(new Complex(3, 0.5), List.of(M1, M2))),
        sum(ONE, List.of(M1, M2), new Complex(2, 0.5), List.of(M2, M1)));
  }

  @Test
  void add_baryonsInAnotherOrder_areMergedWithTheirSign() {
    assertEquals(
        List.of(new Term(new Complex(-1, 0), List.of(B2, B1, M1))),
        sum(ONE, List.of(B2, B1, M1), new Complex(2, 0), List.of(B1, B2, M1)));
    assertEquals(
        List.of(new Term(new Complex(3, 0), List.of(B2, B3, B1))),
        sum(ONE, List.of(B2, B3, B1), new Complex(2, 0), List.of(B1, B2, B3)));
    assertEquals(List.of(), sum(ONE, List.of(B3, B2, B1), ONE, List.of(B1, B2, B3)));
  }

  @Test
  void add_equalBaryons_vanish() {
    assertEquals(List.of(), sum(ONE, List.of(B1, B1), ONE, List.of(B1, B2, B1)));
  }

  @Test
  void add_equalMesons_doNotVanish() {
    assertEquals(
        List.of(new Term(new Complex(2, 0), List.of(M1, M1))),
        sum(ONE, List.of(M1, M1), ONE, List.of(M1, M1)));
  }

  @Test
  void add_signOfAGamma_isInTheCoefficient() {
    assertEquals(
        List.of(new Term(new Complex(-1, 0), List.of(meson("g1g3", "u")))),
        sum(ONE, List.of(meson("g3g1", "u")), Complex.ZERO, List.of(M1)));
  }

  @Test
  void terms_roundingOfSumsThatCancel_isDropped() {
    TermSum sum = new TermSum();
    for (double c : new double[] {0.1, 0.2, -0.3}) {
      sum.add(new Complex(c, 0), List.of(M1));
    }
    sum.add(new Complex(1e-200, 0), List.of(M2));
    assertEquals(List.of(new Term(new Complex(1e-200, 0), List.of(M2))), sum.terms());
  }

  private static List<Term> sum(Complex c1, List<Factor> f1, Complex c2, List<Factor> f2) {
    TermSum sum = new TermSum();
    sum.add(c1, f1);
    sum.add(c2, f2);
    return sum.terms();
  }

  private static Factor meson(String gamma, String quark) {
    return new Bilinear("u", Gamma.parse(gamma), quark, Momentum.ZERO, "none");
  }

  private static Factor baryon(int component) {
    return new BaryonFactor("u", "d", "s", Gamma.G5, 1, component, Momentum.ZERO, "none");
  }
}
