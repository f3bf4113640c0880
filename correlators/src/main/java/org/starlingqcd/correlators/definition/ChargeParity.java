package org.starlingqcd.correlators.definition;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Term;

/**
 * G parity, or charge conjugation C, of operators written out. Elements between operators of
 * opposite value vanish on average over configurations.
 *
 * <p>C needs operators without net flavour. G needs one perambulator label for u and d, and no net
 * flavour but that of isospin.
 */
public enum ChargeParity {
  /** Charge conjugation. */
  C,
  /** C times a rotation of isospin. */
  G;

  /** Eigenvalues are 1 or -1 to this accuracy. */
  private static final double ROUNDING = 1e-9;

  /** The eigenvalue of an operator. */
  public Eigenvalue of(List<Term> terms) {
    for (Term term : terms) {
      Map<String, Integer> net = term.netFlavour();
      boolean light = this == G && net.keySet().stream().allMatch(q -> "ud".contains(q));
      if (term.factors().stream().anyMatch(BaryonFactor.class::isInstance)
          || !(net.isEmpty() || light)) {
        return Eigenvalue.none(Mixing.text(Set.of(net)));
      }
    }
    return OperatorSymmetries.unknownFactor(terms, true)
        .map(name -> Eigenvalue.undecided("what C makes of " + name + " is not known"))
        .orElseGet(
            () -> {
              List<Term> canonical = OperatorSymmetries.canonical(terms);
              return OperatorSymmetries.chargeConjugated(canonical, this == G)
                  .multipleOf(canonical)
                  .filter(lambda -> Math.abs(Math.abs(lambda.re()) - 1) < ROUNDING)
                  .map(lambda -> Eigenvalue.of(lambda.re() > 0 ? 1 : -1))
                  .orElse(Eigenvalue.MIXED);
            });
  }

  /**
   * The operator together with its partner under this symmetry, as long as the operator alone.
   *
   * @param sign the eigenvalue of the sum
   */
  List<Term> completed(List<Term> terms, int sign) {
    List<Term> canonical = OperatorSymmetries.canonical(terms);
    TermSum sum = TermSum.of(canonical);
    sum.addAll(OperatorSymmetries.chargeConjugated(canonical, this == G).terms(), sign);
    double scale = Math.sqrt(square(canonical) / square(sum.terms()));
    return sum.terms().stream()
        .map(term -> new Term(term.coefficient().times(scale), term.factors()))
        .toList();
  }

  private static double square(List<Term> terms) {
    return terms.stream()
        .map(Term::coefficient)
        .mapToDouble(c -> c.re() * c.re() + c.im() * c.im())
        .sum();
  }

  /** The name of its quantum number in messages. */
  String title() {
    return this == G ? "G parity" : "C parity";
  }
}
