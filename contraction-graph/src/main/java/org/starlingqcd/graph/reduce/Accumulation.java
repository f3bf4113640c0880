package org.starlingqcd.graph.reduce;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.LongIntTable;
import org.starlingqcd.graph.plan.BilinearTerm;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.Monomials;
import org.starlingqcd.graph.plan.PlanDraft;

/**
 * Adds up traces and products that enter the correlators only through one linear combination. Two
 * traces whose coefficients in all outputs are proportional become one trace; two intermediates
 * that are used by the same consumers with the same partners, with proportional coefficients,
 * become one element {@code X_1 + λ X_2}, made by accumulating products (beta = 1).
 */
final class Accumulation {
  /*
   * A consumer (output, trace, intermediate) is a sum of terms that are linear in each of their factors. The uses of a factor are the
   * terms without it, with their coefficients. If the uses of X_1, X_2, … are proportional with ratios 1, λ_2, …, every consumer
   * contains X_1 + λ_2 X_2 + … only, and the terms with X_2, … may be dropped once X_1 stands for the sum. Groups found in one pass can
   * be merged together: where two groups meet in a term, its coefficient is that of their representatives times both ratios.
   *
   * Passes are repeated until nothing merges any more, at most once for each level of products and each factor of a diagram. Only
   * elements that depend on the same times are merged, so that nothing that lives on the source alone is computed for every
   * separation. A factor that occurs twice in a term is not linear in it and stays as it is, and so do the lines that are contracted with baryons and tetraquarks.
   */

  private final PlanDraft draft;
  private final int[] times;

  private Accumulation(PlanDraft draft) {
    this.draft = draft;
    times = draft.timeDependence();
  }

  /** Changes a draft in place. */
  static void apply(PlanDraft draft) {
    Accumulation accumulation = new Accumulation(draft);
    boolean merged = true;
    while (merged) {
      merged = accumulation.mergeTraces();
    }
    merged = true;
    while (merged) {
      merged = accumulation.mergeIntermediates();
    }
  }

  private boolean mergeTraces() {
    BitSet candidates = mayMergeTraces();
    if (candidates.isEmpty()) {
      return false;
    }
    FactorUses uses = new FactorUses();
    for (int o = 0; o < draft.outputs().size(); o++) {
      Monomials monomials = draft.outputs().get(o).monomials();
      for (int product : monomials.sorted()) {
        int[] codes = new int[monomials.length(product)];
        monomials.codes(product, codes);
        for (int k = 0; k < codes.length; k++) {
          if (!candidates.get(codes[k] >> 1)) {
            continue;
          }
          // The output first, then the other codes, which are ascending.
          int[] rest = new int[codes.length];
          rest[0] = o;
          System.arraycopy(codes, 0, rest, 1, k);
          System.arraycopy(codes, k + 1, rest, k + 1, codes.length - k - 1);
          int trace = codes[k] >> 1;
          boolean linear = true;
          for (int j = 0; j < codes.length; j++) {
            linear &= j == k || codes[j] >> 1 != trace;
          }
          uses.add(trace, (codes[k] & 1) != 0, rest, monomials.coefficient(product), linear);
        }
      }
    }
    Map<Integer, FactorUses.Multiple> multiples = uses.multiples(trace -> 0);
    BitSet merged = new BitSet();
    for (Map.Entry<Integer, FactorUses.Multiple> multiple : multiples.entrySet()) {
      move(draft.traces(), multiple.getKey(), multiple.getValue(), 0);
      merged.set(multiple.getKey());
    }
    for (PlanDraft.Output output : draft.outputs()) {
      Monomials monomials = output.monomials();
      monomials.removeIf(
          product -> {
            boolean has = false;
            for (int k = 0; k < monomials.length(product); k++) {
              has |= merged.get(monomials.code(product, k) >> 1);
            }
            return has;
          });
    }
    return !multiples.isEmpty();
  }

  /**
   * The traces that may have the same uses as another one: those whose uses are the same have the
   * same sum of hashes of uses. It takes a small part of the time of comparing the uses themselves.
   */
  private BitSet mayMergeTraces() {
    long[] hashes = new long[draft.traces().size()];
    long[] hashOfCode = new long[2 * hashes.length];
    Arrays.setAll(hashOfCode, code -> LongIntTable.mixed(~code));
    for (int o = 0; o < draft.outputs().size(); o++) {
      Monomials monomials = draft.outputs().get(o).monomials();
      for (int product : monomials.sorted()) {
        int length = monomials.length(product);
        long all = LongIntTable.mixed(o);
        for (int k = 0; k < length; k++) {
          all += hashOfCode[monomials.code(product, k)];
        }
        for (int k = 0; k < length; k++) {
          int code = monomials.code(product, k);
          long rest = all - hashOfCode[code];
          hashes[code >> 1] += LongIntTable.mixed(2 * rest + (code & 1));
        }
      }
    }
    long[] sorted = hashes.clone();
    Arrays.sort(sorted);
    BitSet candidates = new BitSet();
    for (int trace = 0; trace < hashes.length; trace++) {
      int place = Arrays.binarySearch(sorted, hashes[trace]);
      boolean isShared =
          (place > 0 && sorted[place - 1] == hashes[trace])
              || (place + 1 < sorted.length && sorted[place + 1] == hashes[trace]);
      // Traces that were merged into others have no uses.
      candidates.set(trace, isShared && hashes[trace] != 0);
    }
    return candidates;
  }

  private boolean mergeIntermediates() {
    FactorUses uses = new FactorUses();
    int nodes = draft.nodes().size();
    for (int e = 0; e < draft.intermediates().size(); e++) {
      for (BilinearTerm t : draft.intermediates().get(e)) {
        use(uses, t, t.left(), nodes + e, 0, t.leftGamma(), t.innerGamma(), t.right());
        use(uses, t, t.right(), nodes + e, 1, t.leftGamma(), t.innerGamma(), t.left());
      }
    }
    for (int k = 0; k < draft.traces().size(); k++) {
      for (BilinearTerm t : draft.traces().get(k)) {
        // Tr[Γ X Γ' Y] = Tr[Γ' Y Γ X]: under the trace only the order around the ring counts.
        use(uses, t, t.left(), -1 - k, 0, t.leftGamma(), t.innerGamma(), t.right());
        use(uses, t, t.right(), -1 - k, 0, t.innerGamma(), t.leftGamma(), t.left());
      }
    }
    for (ContractionPlan.Made made : draft.made()) {
      made.forEachInput(line -> useLine(uses, line, made.destination()));
    }
    Map<Integer, FactorUses.Multiple> multiples = uses.multiples(element -> times[element]);
    for (Map.Entry<Integer, FactorUses.Multiple> multiple : multiples.entrySet()) {
      move(draft.intermediates(), multiple.getKey(), multiple.getValue(), nodes);
    }
    for (List<List<BilinearTerm>> sums : List.of(draft.intermediates(), draft.traces())) {
      for (List<BilinearTerm> sum : sums) {
        sum.removeIf(t -> multiples.containsKey(t.left()) || multiples.containsKey(t.right()));
      }
    }
    return !multiples.isEmpty();
  }

  private void useLine(FactorUses uses, int line, int destination) {
    if (draft.isSum(line)) {
      uses.add(line, false, new int[] {destination}, Complex.ONE, false);
    }
  }

  private void use(FactorUses uses, BilinearTerm term, int element, int... rest) {
    if (draft.isSum(element)) {
      uses.add(element, false, rest, term.coefficient(), !term.isSquare());
    }
  }

  /** Moves the terms of a multiple to its representative. */
  private static void move(
      List<List<BilinearTerm>> sums, int from, FactorUses.Multiple multiple, int offset) {
    List<BilinearTerm> terms = sums.get(from - offset);
    for (BilinearTerm term : terms) {
      sums.get(multiple.representative() - offset).add(term.times(multiple.ratio()));
    }
    terms.clear();
  }
}
