package org.starlingqcd.backend.cpu.product;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.cpu.product.Contractions.Contraction;

/**
 * Contractions of a vector pair that share their right or their left input and have destinations of
 * their own. As one product of matrices of spins, {@code 4m × 4} by {@code 4 × 4} for m nodes with
 * the same right one, they pack the common input once. Every number is summed as in a contraction
 * alone, so the bits stay the same.
 *
 * @param sameRight whether the right input is shared, otherwise the left one
 */
record SharedOperandGroup(List<Contraction> contractions, boolean sameRight) {
  /** Copies the list. */
  SharedOperandGroup {
    contractions = List.copyOf(contractions);
  }

  /** Contractions whose left inputs, and destinations, stand below each other. */
  List<Contraction> above() {
    return sameRight ? contractions : contractions.subList(0, 1);
  }

  /** Contractions whose right inputs, and destinations, stand side by side. */
  List<Contraction> beside() {
    return sameRight ? contractions.subList(0, 1) : contractions;
  }

  /** The first contraction, which stands for all. */
  Contraction first() {
    return contractions.get(0);
  }

  /**
   * Bundles contractions that are alone in their group: first those with the same right input, then
   * the others with the same left input and factors.
   *
   * @param scheme bounds the contractions of a bundle, by their kind
   * @param most another bound on them
   */
  static void fill(Scheme scheme, List<Contraction> alone, int most) {
    if (most < 2) {
      return;
    }
    for (boolean sameRight : new boolean[] {true, false}) {
      Map<Key, List<Contraction>> sharing = new LinkedHashMap<>();
      for (Contraction c : alone) {
        FusedPlan plan = c.plan.fused;
        if (c.bundle.contractions.size() == 1 && plan != null && scheme.mostBundled(plan) > 1) {
          sharing.computeIfAbsent(Key.of(c, plan, sameRight), key -> new ArrayList<>()).add(c);
        }
      }
      for (List<Contraction> all : sharing.values()) {
        // Parts of about the same length.
        int bound = Math.min(most, scheme.mostBundled(all.get(0).fused()));
        int parts = (all.size() + bound - 1) / bound;
        for (int part = 0; part < parts; part++) {
          SharedOperandGroup bundle =
              new SharedOperandGroup(
                  all.subList(all.size() * part / parts, all.size() * (part + 1) / parts),
                  sameRight);
          if (bundle.contractions.size() > 1) {
            bundle.contractions.forEach(c -> c.bundle = bundle);
          }
        }
      }
    }
  }

  /** What contractions have in common: the matrix of spins of an input, with its factors. */
  private record Key(int rows, int inner, int columns, List<Long> addresses, List<Double> factors) {
    static Key of(Contraction c, FusedPlan plan, boolean sameRight) {
      List<Long> addresses = new ArrayList<>();
      List<Double> factors = new ArrayList<>();
      if (sameRight) {
        plan.rights().forEach(spin -> addresses.add(c.right[spin]));
      } else {
        factors.add(c.coefficientRe);
        factors.add(c.coefficientIm);
        for (FusedPlan.Term term : plan.lefts()) {
          addresses.add(c.left[term.spin()]);
          factors.add(term.factorRe());
          factors.add(term.factorIm());
        }
      }
      return new Key(plan.rows(), plan.inner(), plan.columns(), addresses, factors);
    }
  }
}
