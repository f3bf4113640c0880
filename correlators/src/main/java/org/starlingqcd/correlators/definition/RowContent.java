package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.Term;
import org.starlingqcd.hadron.data.Displacement;

/**
 * The rows of irreps that an operator written out has parts in, from how quark fields rotate.
 * Identities between different spin structures of a baryon are not used, so that a part may be
 * reported that vanishes, but no part is missed.
 */
final class RowContent {
  /** Beyond this number of terms nothing is decided: 48 images of each are made. */
  private static final int MOST_TERMS = 3000;

  /** Of the largest coefficient; images cancel to the rounding of 48 numbers. */
  private static final double ROUNDING = 1e-9;

  private RowContent() {}

  /** Why it is not known how the terms transform; empty if it is. */
  static Optional<String> undecided(List<Term> terms) {
    if (terms.size() > MOST_TERMS) {
      return Optional.of("more than " + MOST_TERMS + " terms");
    }
    for (Term term : terms) {
      for (Factor factor : term.factors()) {
        if (factor instanceof Bilinear b
            && Displacement.of(b.displacement()).kind() == Displacement.Kind.OTHER) {
          return Optional.of("how displacement " + b.displacement() + " rotates is not known");
        }
        if (factor instanceof Gluonic g) {
          return Optional.of("how gluonic factor " + g.name() + " rotates is not known");
        }
        if (factor instanceof BaryonFactor b && !b.deGrandRossi()) {
          return Optional.of("components of baryons count in the data's basis");
        }
      }
    }
    return Optional.empty();
  }

  /** Whether the terms have a part in a row of an irrep of their total momentum. */
  static boolean isIn(List<Term> terms, Irrep irrep, int row) {
    TermSum sum = new TermSum();
    List<CubicRotation> elements = irrep.group().elements();
    for (CubicRotation rotation : elements) {
      Complex d = irrep.matrix(rotation)[row][row].conjugate();
      if (d.abs() > 0) {
        OperatorSymmetries.addRotated(rotation, terms, d, sum);
      }
    }
    double largest = terms.stream().mapToDouble(term -> term.coefficient().abs()).max().orElse(0);
    return sum.terms().stream()
        .anyMatch(term -> term.coefficient().abs() > ROUNDING * elements.size() * largest);
  }

  /** The rows that the terms have parts in, for messages: {@code T1- (row x), A1+}. */
  static String text(List<Term> terms, Momentum momentum, boolean doubleValued) {
    List<String> found = new ArrayList<>();
    for (Irrep irrep : Irrep.all(momentum, doubleValued)) {
      List<String> rows = new ArrayList<>();
      for (int row = 0; row < irrep.dimension(); row++) {
        if (isIn(terms, irrep, row)) {
          rows.add(irrep.rows().get(row));
        }
      }
      if (!rows.isEmpty()) {
        found.add(irrep.name() + (irrep.dimension() == 1 ? "" : named(rows)));
      }
    }
    return found.stream().collect(Collectors.joining(", "));
  }

  /** A row of an irrep, for messages. */
  static String text(Irrep irrep, int row) {
    return irrep.name() + (irrep.dimension() == 1 ? "" : named(List.of(irrep.rows().get(row))));
  }

  private static String named(List<String> rows) {
    return (rows.size() == 1 ? " (row " : " (rows ") + String.join(" ", rows) + ")";
  }
}
