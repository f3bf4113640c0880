package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TetraquarkFactor;

/**
 * Isospin generators acting on operators written out in quark fields, straight from the doublets
 * (u, d) and (d̄, -ū): a derivation over the fields of every factor. Knows no multiplets and no
 * Clebsch-Gordan coefficients.
 */
final class FlavourIsospin {
  private FlavourIsospin() {}

  /** I₊ (raise) or I₋ of a sum of terms. */
  static List<Term> step(List<Term> terms, boolean raise) {
    TermSum sum = new TermSum();
    for (Term term : terms) {
      for (int k = 0; k < term.factors().size(); k++) {
        for (Term image : step(term.factors().get(k), raise)) {
          List<Factor> factors = new ArrayList<>(term.factors());
          factors.set(k, image.factors().get(0));
          sum.add(term.coefficient().times(image.coefficient()), factors);
        }
      }
    }
    return sum.terms();
  }

  /** I² = I₋ I₊ + I3 (I3 + 1) of a sum of terms of one I3. */
  static List<Term> casimir(List<Term> terms, double third) {
    TermSum sum = new TermSum();
    step(step(terms, true), false).forEach(t -> sum.add(t.coefficient(), t.factors()));
    terms.forEach(t -> sum.add(t.coefficient().times(third * (third + 1)), t.factors()));
    return sum.terms();
  }

  /** One factor with one of its fields moved, for every field that moves. */
  private static List<Term> step(Factor factor, boolean raise) {
    List<Term> images = new ArrayList<>();
    if (factor instanceof Bilinear b) {
      // I₊ ū = -d̄, I₋ d̄ = -ū.
      if (b.bar().equals(raise ? "u" : "d")) {
        images.add(
            term(
                -1,
                new Bilinear(
                    raise ? "d" : "u", b.gamma(), b.quark(), b.momentum(), b.displacement())));
      }
      // I₊ d = u, I₋ u = d.
      if (b.quark().equals(raise ? "d" : "u")) {
        images.add(
            term(
                1,
                new Bilinear(
                    b.bar(), b.gamma(), raise ? "u" : "d", b.momentum(), b.displacement())));
      }
      return images;
    }
    if (factor instanceof TetraquarkFactor t) {
      for (int k = 0; k < 4; k++) {
        // Antiquarks as u and d above.
        String from = k < 2 == raise ? "u" : "d";
        if (t.flavours().get(k).equals(from)) {
          List<String> moved = new ArrayList<>(t.flavours());
          moved.set(k, from.equals("u") ? "d" : "u");
          images.add(term(k < 2 ? -1 : 1, t.withFlavours(moved)));
        }
      }
      return images;
    }
    BaryonFactor b = (BaryonFactor) factor;
    List<String> quarks = List.of(b.quark1(), b.quark2(), b.quark3());
    for (int k = 0; k < 3; k++) {
      if (quarks.get(k).equals(raise ? "d" : "u")) {
        List<String> moved = new ArrayList<>(quarks);
        moved.set(k, raise ? "u" : "d");
        // Two like quarks in the antisymmetric diquark Cg5 vanish.
        if (!(moved.get(0).equals(moved.get(1)) && b.diquark().equals(Gamma.G5))) {
          images.add(
              term(
                  1,
                  new BaryonFactor(
                      moved.get(0),
                      moved.get(1),
                      moved.get(2),
                      b.diquark(),
                      b.parity(),
                      b.component(),
                      b.momentum(),
                      b.displacement(),
                      b.deGrandRossi())));
        }
      }
    }
    return images;
  }

  /**
   * The same terms with the two quarks of every diquark in one order: exchanging them gives the
   * sign of the diquark's matrix under transposition, since fields anticommute and B is
   * antisymmetric.
   */
  static List<Term> ordered(List<Term> terms) {
    TermSum sum = new TermSum();
    for (Term term : terms) {
      List<Factor> factors = new ArrayList<>();
      int sign = 1;
      for (Factor factor : term.factors()) {
        if (factor instanceof BaryonFactor b && b.quark1().compareTo(b.quark2()) > 0) {
          int n = Integer.bitCount(b.diquark().mask());
          sign *= (n + n * (n - 1) / 2) % 2 == 0 ? -1 : 1;
          // Two fields and two indices of B are exchanged: signs cancel, the matrix transposes.
          factors.add(
              new BaryonFactor(
                  b.quark2(),
                  b.quark1(),
                  b.quark3(),
                  b.diquark(),
                  b.parity(),
                  b.component(),
                  b.momentum(),
                  b.displacement(),
                  b.deGrandRossi()));
        } else {
          factors.add(factor);
        }
      }
      sum.add(term.coefficient().times(sign), factors);
    }
    return sum.terms();
  }

  private static Term term(double coefficient, Factor factor) {
    return new Term(new Complex(coefficient, 0), List.of(factor));
  }
}
