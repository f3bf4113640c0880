package org.starlingqcd.graph.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Complex;

/**
 * A sum over spin components of two quark lines: {@code Σ factor · first[p] ⊗ second[q]}, spins in
 * the Dirac basis ({@link SpinLegs}). The first factor is 1, so that sums that differ by a factor
 * are equal.
 *
 * @param entries by ascending p, then q
 */
public record PairSum(List<Entry> entries) {
  /** The first components of both lines. */
  public static final PairSum FIRST = new PairSum(List.of(new Entry(0, 0, Complex.ONE)));

  /** Copies the list. */
  public PairSum {
    entries = List.copyOf(entries);
  }

  /**
   * Component {@code p = 4 · sink spin + source spin} of the first line with q of the second, and a
   * factor.
   */
  public record Entry(int first, int second, Complex factor) {}

  /** A sum and the factor taken out of it so that its own first factor is 1. */
  public record Scaled(PairSum spin, Complex factor) {}

  /** Products {@code N² × N · N × N} that attaching the second line takes. */
  public int products() {
    return entries.size();
  }

  /**
   * Returns the sum that a sink and a source need, or null if it vanishes.
   *
   * @param symmetric whether p and q may be exchanged
   */
  public static @Nullable Scaled of(
      List<SpinLegs.Entry> sink, List<SpinLegs.Entry> source, boolean symmetric) {
    Map<Integer, Complex> sum = new TreeMap<>();
    for (SpinLegs.Entry a : sink) {
      for (SpinLegs.Entry b : source) {
        int p = SpinLegs.SPINS * a.first() + b.first();
        int q = SpinLegs.SPINS * a.second() + b.second();
        int key = symmetric && p > q ? 16 * q + p : 16 * p + q;
        sum.merge(key, a.factor().times(b.factor()), Complex::plus);
      }
    }
    // Factors are small integers times powers of i: sums that vanish do so exactly.
    sum.values().removeIf(factor -> factor.abs() == 0);
    if (sum.isEmpty()) {
      return null;
    }
    Complex scale = sum.values().iterator().next();
    Complex inverse = scale.conjugate().times(1 / (scale.abs() * scale.abs()));
    List<Entry> entries = new ArrayList<>();
    sum.forEach(
        (key, factor) ->
            entries.add(
                // Adding zero turns -0 into 0, which would not be equal.
                new Entry(key / 16, key % 16, factor.times(inverse).plus(Complex.ZERO))));
    return new Scaled(new PairSum(entries), scale);
  }

  /** The sums that two structures need, each once, in the order of first use. */
  public static List<PairSum> all(
      List<List<SpinLegs.Entry>> sink, List<List<SpinLegs.Entry>> source, boolean symmetric) {
    List<PairSum> spins = new ArrayList<>();
    for (List<SpinLegs.Entry> a : sink) {
      for (List<SpinLegs.Entry> b : source) {
        Scaled sum = of(a, b, symmetric);
        if (sum != null && !spins.contains(sum.spin())) {
          spins.add(sum.spin());
        }
      }
    }
    return spins;
  }
}
