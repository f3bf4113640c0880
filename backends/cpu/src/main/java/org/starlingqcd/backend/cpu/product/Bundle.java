package org.starlingqcd.backend.cpu.product;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Contractions of a vector pair that share their right or their left input and have destinations of
 * their own. As one product of matrices of spins, {@code 4m × 4} by {@code 4 × 4} for m nodes with
 * the same right one, they pack the common input once. Every number is summed as in a contraction
 * alone, so the bits stay the same.
 *
 * @param contractions their numbers, in order
 * @param sameRight whether the right input is shared, otherwise the left one
 */
record Bundle(List<Integer> contractions, boolean sameRight) {
  /** Copies the list. */
  Bundle {
    contractions = List.copyOf(contractions);
  }

  /** A contraction alone. */
  static Bundle of(int k) {
    return new Bundle(List.of(k), true);
  }

  /** Contractions whose left inputs, and destinations, stand below each other. */
  List<Integer> above() {
    return sameRight ? contractions : contractions.subList(0, 1);
  }

  /** Contractions whose right inputs, and destinations, stand side by side. */
  List<Integer> beside() {
    return sameRight ? contractions.subList(0, 1) : contractions;
  }

  /** The first contraction, which stands for all. */
  int first() {
    return contractions.get(0);
  }

  /**
   * Bundles contractions that are alone in their group: first those with the same right input, then
   * the others with the same left input and factors.
   *
   * @param starts first contraction of every group
   * @param ends one after the last of every group
   * @param scheme bounds the contractions of a bundle, by their kind
   * @param most another bound on them
   * @param bundles bundle of every contraction; stays null for those alone
   */
  static void fill(
      Contractions work,
      Scheme scheme,
      int[] starts,
      int[] ends,
      int most,
      @Nullable Bundle[] bundles) {
    if (most < 2) {
      return;
    }
    for (boolean sameRight : new boolean[] {true, false}) {
      Map<Key, List<Integer>> sharing = new LinkedHashMap<>();
      for (int g = 0; g < starts.length; g++) {
        int k = starts[g];
        FusedPlan plan = work.plan(k).fused();
        if (ends[g] == k + 1
            && bundles[k] == null
            && plan != null
            && scheme.mostBundled(plan) > 1) {
          sharing.computeIfAbsent(Key.of(work, k, sameRight), key -> new ArrayList<>()).add(k);
        }
      }
      for (List<Integer> all : sharing.values()) {
        // Parts of about the same length.
        int bound = Math.min(most, scheme.mostBundled(work.fused(all.get(0))));
        int parts = (all.size() + bound - 1) / bound;
        for (int part = 0; part < parts; part++) {
          List<Integer> some =
              all.subList(all.size() * part / parts, all.size() * (part + 1) / parts);
          if (some.size() > 1) {
            Bundle bundle = new Bundle(some, sameRight);
            some.forEach(k -> bundles[k] = bundle);
          }
        }
      }
    }
  }

  /** What contractions have in common: the matrix of spins of an input, with its factors. */
  private record Key(int rows, int inner, int columns, List<Long> addresses, List<Double> factors) {
    static Key of(Contractions work, int k, boolean sameRight) {
      FusedPlan plan = work.fused(k);
      List<Long> addresses = new ArrayList<>();
      List<Double> factors = new ArrayList<>();
      if (sameRight) {
        plan.rights().forEach(spin -> addresses.add(work.right(k)[spin]));
      } else {
        factors.add(work.coefficientRe(k));
        factors.add(work.coefficientIm(k));
        for (FusedPlan.Term term : plan.lefts()) {
          addresses.add(work.left(k)[term.spin()]);
          factors.add(term.factorRe());
          factors.add(term.factorIm());
        }
      }
      return new Key(plan.rows(), plan.inner(), plan.columns(), addresses, factors);
    }
  }
}
