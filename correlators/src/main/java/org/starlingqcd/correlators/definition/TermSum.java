package org.starlingqcd.correlators.definition;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.Bilinear;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TetraquarkFactor;

/**
 * A sum of terms in which equal ones are merged. Meson factors commute, baryon factors anticommute
 * (so that two equal ones make a term vanish), and the sign of a gamma structure belongs to the
 * coefficient, as does that of two flavours of a tetraquark in other than alphabetical order. Two
 * terms are equal if they agree after these rules. A merged term keeps the order of factors of its
 * first occurrence.
 */
final class TermSum {
  /**
   * The rounding error of a sum of a few thousand coefficients is below this fraction of the sum of
   * their moduli.
   */
  private static final double ROUNDING = 1e-12;

  /** Of the largest coefficient: coefficients that differ by less are equal. */
  private static final double EQUAL = 1e-9;

  private static final class Entry {
    private final List<Factor> factors;

    /** The sign between the sorted factors and the given order. */
    private final int sign;

    private Complex sum = Complex.ZERO;
    private double moduli;

    Entry(List<Factor> factors, int sign) {
      this.factors = factors;
      this.sign = sign;
    }

    /** The coefficient of the sorted factors. */
    Complex value() {
      return sum.times(sign);
    }
  }

  /** Numbers of the factors without their signs, by first appearance. */
  private final Map<Factor, Integer> numbers;

  /**
   * The key is the sorted numbers of the factors. The factors themselves would be a poor key,
   * because many lists of bilinears that differ by exchanged flavours have one hash.
   */
  private final Map<IntBuffer, Entry> entries = new LinkedHashMap<>();

  TermSum() {
    numbers = new HashMap<>();
  }

  private TermSum(TermSum like) {
    numbers = like.numbers;
  }

  /** The sum of terms. */
  static TermSum of(List<Term> terms) {
    TermSum sum = new TermSum();
    sum.addAll(terms, 1);
    return sum;
  }

  /** Adds terms times a number. */
  void addAll(List<Term> terms, double factor) {
    terms.forEach(term -> add(term.coefficient().times(factor), term.factors()));
  }

  /**
   * The number λ for which this sum is λ times other terms, which are merged and not zero; empty if
   * there is none.
   */
  Optional<Complex> multipleOf(List<Term> terms) {
    TermSum others = new TermSum(this);
    others.addAll(terms, 1);
    Map.Entry<IntBuffer, Entry> largest =
        Collections.max(
            others.entries.entrySet(),
            (a, b) -> Double.compare(a.getValue().sum.abs(), b.getValue().sum.abs()));
    Complex divisor = largest.getValue().value();
    double square = divisor.abs() * divisor.abs();
    Complex lambda = value(largest.getKey()).times(divisor.conjugate()).times(1 / square);
    double bound = EQUAL * divisor.abs() * Math.max(1, lambda.abs());
    boolean multiple =
        others.entries.keySet().containsAll(nonZero(bound))
            && others.entries.entrySet().stream()
                .allMatch(
                    e -> {
                      Complex rest = e.getValue().value().times(lambda).times(-1);
                      return value(e.getKey()).plus(rest).abs() <= bound;
                    });
    return multiple ? Optional.of(lambda) : Optional.empty();
  }

  private Set<IntBuffer> nonZero(double bound) {
    return entries.entrySet().stream()
        .filter(e -> e.getValue().sum.abs() > bound)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** The coefficient of sorted factors. */
  private Complex value(IntBuffer key) {
    Entry entry = entries.get(key);
    return entry == null ? Complex.ZERO : entry.value();
  }

  /** Adds a coefficient times an ordered product of factors, baryons before mesons. */
  void add(Complex coefficient, List<Factor> factors) {
    List<Factor> unsigned = new ArrayList<>(factors.size());
    int[] sorted = new int[factors.size()];
    int baryons = 0;
    int factorSign = 1;
    for (Factor factor : factors) {
      factorSign *= sign(factor);
      Factor plain = unsigned(factor);
      baryons += plain instanceof BaryonFactor ? 1 : 0;
      sorted[unsigned.size()] = numbers.computeIfAbsent(plain, key -> numbers.size());
      unsigned.add(plain);
    }
    int order = permutationSign(sorted, baryons);
    if (order * factorSign == 0) {
      return;
    }
    Arrays.sort(sorted, 0, baryons);
    Arrays.sort(sorted, baryons, sorted.length);
    Entry entry =
        entries.computeIfAbsent(IntBuffer.wrap(sorted), key -> new Entry(unsigned, order));
    entry.sum = entry.sum.plus(coefficient.times(factorSign * order * entry.sign));
    entry.moduli += coefficient.abs();
  }

  /** The terms that do not cancel, in the order of the first occurrence of their products. */
  List<Term> terms() {
    return entries.values().stream()
        .filter(entry -> entry.sum.abs() > ROUNDING * entry.moduli)
        .map(entry -> new Term(entry.sum, entry.factors))
        .toList();
  }

  /** The sign of the permutation that sorts the first numbers, or 0 if two of them are equal. */
  private static int permutationSign(int[] numbers, int count) {
    int sign = 1;
    for (int a = 0; a < count; a++) {
      for (int b = 0; b < a; b++) {
        sign *= Integer.signum(numbers[a] - numbers[b]);
      }
    }
    return sign;
  }

  /** The factor relative to {@link #unsigned}; 0 for a tetraquark that vanishes. */
  private static int sign(Factor factor) {
    if (factor instanceof TetraquarkFactor t) {
      return t.sign();
    }
    List<Gamma> gammas = factor.gammas();
    return gammas.isEmpty() ? 1 : gammas.get(0).sign();
  }

  private static Factor unsigned(Factor factor) {
    if (factor instanceof TetraquarkFactor t) {
      return t.canonical();
    }
    if (sign(factor) == 1) {
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
        b.displacement(),
        b.deGrandRossi());
  }
}
