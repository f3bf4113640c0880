package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Term;

/**
 * A sum of terms in which equal ones are merged. Meson factors commute, baryon factors anticommute
 * (so that two equal ones make a term vanish), and the sign of a gamma structure belongs to the
 * coefficient; two terms are equal if they agree after all that. A merged term keeps the order of
 * factors in which it came first.
 */
final class TermSum {
  /** Rounding of sums of a few thousand coefficients stays below this part of their moduli. */
  private static final double ROUNDING = 1e-12;

  private static final Comparator<Bilinear> MESON_ORDER =
      Comparator.comparing(Bilinear::momentum)
          .thenComparing(Bilinear::bar)
          .thenComparing(Bilinear::quark)
          .thenComparing(b -> b.gamma().mask())
          .thenComparing(Bilinear::displacement);

  private static final Comparator<BaryonFactor> BARYON_ORDER =
      Comparator.comparing(BaryonFactor::momentum)
          .thenComparing(BaryonFactor::quark1)
          .thenComparing(BaryonFactor::quark2)
          .thenComparing(BaryonFactor::quark3)
          .thenComparing(b -> b.diquark().mask())
          .thenComparing(BaryonFactor::parity)
          .thenComparing(BaryonFactor::component)
          .thenComparing(BaryonFactor::displacement);

  private static final class Entry {
    private final List<Factor> factors;

    /** Sign between the sorted factors and those above. */
    private final int sign;

    private Complex sum = Complex.ZERO;
    private double moduli;

    Entry(List<Factor> factors, int sign) {
      this.factors = factors;
      this.sign = sign;
    }
  }

  private final Map<List<Factor>, Entry> entries = new LinkedHashMap<>();

  /** Adds a coefficient times an ordered product of factors, baryons before mesons. */
  void add(Complex coefficient, List<Factor> factors) {
    List<Factor> unsigned = new ArrayList<>(factors.size());
    int gammaSign = 1;
    for (Factor factor : factors) {
      gammaSign *= gamma(factor).sign();
      unsigned.add(unsigned(factor));
    }
    int order = baryonOrder(unsigned);
    if (order == 0) {
      return;
    }
    List<Factor> sorted = new ArrayList<>(unsigned);
    sorted.sort(TermSum::compare);
    Entry entry = entries.computeIfAbsent(sorted, key -> new Entry(unsigned, order));
    entry.sum = entry.sum.plus(coefficient.times(gammaSign * order * entry.sign));
    entry.moduli += coefficient.abs();
  }

  /** Number of different products so far. */
  int size() {
    return entries.size();
  }

  /** The terms that do not cancel, in the order in which their products came first. */
  List<Term> terms() {
    return entries.values().stream()
        .filter(entry -> entry.sum.abs() > ROUNDING * entry.moduli)
        .map(entry -> new Term(entry.sum, entry.factors))
        .toList();
  }

  /** Baryons before mesons, each kind in an order of its own. */
  private static int compare(Factor a, Factor b) {
    if (a instanceof Bilinear left) {
      return b instanceof Bilinear right ? MESON_ORDER.compare(left, right) : 1;
    }
    return b instanceof BaryonFactor right ? BARYON_ORDER.compare((BaryonFactor) a, right) : -1;
  }

  /** The sign of the permutation that sorts the baryons, or 0 if two of them are equal. */
  private static int baryonOrder(List<Factor> factors) {
    int sign = 1;
    for (int a = 0; a < factors.size() && factors.get(a) instanceof BaryonFactor; a++) {
      for (int b = 0; b < a; b++) {
        sign *= -Integer.signum(compare(factors.get(b), factors.get(a)));
      }
    }
    return sign;
  }

  private static Gamma gamma(Factor factor) {
    if (factor instanceof Bilinear meson) {
      return meson.gamma();
    }
    return ((BaryonFactor) factor).diquark();
  }

  private static Factor unsigned(Factor factor) {
    if (gamma(factor).sign() == 1) {
      return factor;
    }
    if (factor instanceof Bilinear b) {
      return new Bilinear(b.bar(), b.gamma().unsigned(), b.quark(), b.momentum(), b.displacement());
    }
    BaryonFactor b = (BaryonFactor) factor;
    return new BaryonFactor(
        b.quark1(),
        b.quark2(),
        b.quark3(),
        b.diquark().unsigned(),
        b.parity(),
        b.component(),
        b.momentum(),
        b.displacement());
  }
}
