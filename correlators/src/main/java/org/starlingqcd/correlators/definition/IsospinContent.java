package org.starlingqcd.correlators.definition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.BaryonFactor;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Factor;
import org.starlingqcd.graph.Term;
import org.starlingqcd.graph.TetraquarkFactor;

/**
 * The total isospins that a sum of terms has parts with, where u and d are a doublet of degenerate
 * quarks.
 *
 * <p>T+ takes d to u and ū to -d̄, T- takes u to d and d̄ to -ū, and T² = T- T+ + T3 (T3 + 1). The
 * part with isospin I is what the product of T² - I'(I' + 1) over all other I' leaves. Identities
 * between different spin structures of a baryon are not used, so that a part may be reported that
 * vanishes, but no part is missed.
 */
final class IsospinContent {
  /**
   * Beyond this number of terms that differ in flavours alone nothing is decided: eight mesons with
   * light quarks, whose correlators have too many Wick contractions in any case.
   */
  private static final int MOST_TERMS = 5000;

  /** Of the largest coefficient; parts that vanish leave rounding of a few dozen operations. */
  private static final double ROUNDING = 1e-9;

  /** The largest coefficient of all terms. */
  private final double largest;

  /** Twice I3. */
  private final int twiceThird;

  private final Set<HalfInteger> found = new TreeSet<>(Comparator.comparing(HalfInteger::twice));
  private boolean undecided;

  private IsospinContent(double largest, int twiceThird) {
    this.largest = largest;
    this.twiceThird = twiceThird;
  }

  /**
   * The isospins in ascending order, or nothing where there are too many terms to decide.
   *
   * @param terms of one net flavour
   */
  static Optional<Set<HalfInteger>> of(List<Term> terms) {
    List<Term> canonical = sum(terms, Complex.ONE, List.of(), 0);
    if (canonical.isEmpty()) {
      return Optional.of(Set.of());
    }
    IsospinContent content = new IsospinContent(largest(canonical), twiceThird(canonical.get(0)));
    // T+ and T- change flavours alone, so terms that differ in anything else stay apart.
    canonical.stream()
        .collect(Collectors.groupingBy(IsospinContent::withoutIsospin))
        .values()
        .forEach(content::add);
    return content.undecided ? Optional.empty() : Optional.of(content.found);
  }

  /** Adds the isospins of terms that differ in flavours alone. */
  private void add(List<Term> terms) {
    int most = terms.stream().mapToInt(IsospinContent::lightFields).max().orElse(0);
    List<Integer> candidates = new ArrayList<>();
    for (int twice = Math.abs(twiceThird); twice <= most; twice += 2) {
      candidates.add(twice);
    }
    divide(terms, candidates, candidates);
  }

  /**
   * Finds the isospins that terms have.
   *
   * @param part the terms without their parts of isospins that are not candidates any more
   * @param all the candidates at first
   */
  private void divide(List<Term> part, List<Integer> candidates, List<Integer> all) {
    if (part.isEmpty() || undecided) {
      return;
    }
    if (candidates.size() == 1) {
      int twice = candidates.get(0);
      double growth = 1;
      for (int other : all) {
        growth *= other == twice ? 1 : Math.abs(eigenvalue(twice) - eigenvalue(other));
      }
      if (largest(part) > ROUNDING * largest * growth) {
        found.add(new HalfInteger(twice));
      }
      return;
    }
    int half = candidates.size() / 2;
    List<Integer> low = candidates.subList(0, half);
    List<Integer> high = candidates.subList(half, candidates.size());
    divide(without(high, part), low, all);
    divide(without(low, part), high, all);
  }

  /** Removes the parts of some isospins and multiplies the others. */
  private List<Term> without(List<Integer> removed, List<Term> terms) {
    List<Term> part = terms;
    for (int other : removed) {
      List<Term> lowered = shifted(shifted(part, true), false);
      part = sum(lowered, Complex.ONE, part, eigenvalue(twiceThird) - eigenvalue(other));
      if (part.size() > MOST_TERMS) {
        undecided = true;
        return List.of();
      }
    }
    return part;
  }

  /** The factors of a term with one name for u and d, in any order. */
  private static Map<Factor, Long> withoutIsospin(Term term) {
    return term.factors().stream()
        .collect(Collectors.groupingBy(IsospinContent::withoutIsospin, Collectors.counting()));
  }

  private static Factor withoutIsospin(Factor factor) {
    List<String> light = new ArrayList<>(factor.flavours());
    Collections.replaceAll(light, "d", "u");
    // The alphabetical order of a diquark's quarks depends on their isospin.
    if (factor instanceof BaryonFactor) {
      Collections.sort(light.subList(0, 2));
    }
    Factor without = factor.withFlavours(light);
    return without instanceof TetraquarkFactor t ? t.canonical() : without;
  }

  /** {@code x (x + 1)} of half of a number. */
  private static double eigenvalue(int twice) {
    return 0.25 * twice * (twice + 2);
  }

  private static double largest(List<Term> terms) {
    return terms.stream().mapToDouble(term -> term.coefficient().abs()).max().orElse(0);
  }

  private static List<Term> sum(List<Term> a, Complex factor, List<Term> b, double ofB) {
    TermSum sum = new TermSum();
    a.forEach(term -> add(sum, term, factor));
    b.forEach(term -> add(sum, term, new Complex(ofB, 0)));
    return sum.terms();
  }

  /** Adds a term with the quarks of each diquark in alphabetical order. */
  private static void add(TermSum sum, Term term, Complex factor) {
    Complex coefficient = term.coefficient().times(factor);
    List<Factor> factors = new ArrayList<>();
    for (Factor each : term.factors()) {
      if (each instanceof BaryonFactor b && b.quark1().compareTo(b.quark2()) >= 0) {
        BaryonVertex vertex = BaryonVertex.of(b);
        if (vertex.isAntisymmetric()) {
          // Two fermions and two colours are exchanged, which leaves the sign of the transposed CΓ.
          if (b.quark1().equals(b.quark2()) && vertex.diquarkSymmetry() < 0) {
            return;
          }
          coefficient =
              b.quark1().equals(b.quark2())
                  ? coefficient
                  : coefficient.times(vertex.diquarkSymmetry());
          factors.add(b.withFlavours(List.of(b.quark2(), b.quark1(), b.quark3())));
          continue;
        }
      }
      factors.add(each);
    }
    sum.add(coefficient, factors);
  }

  /** T+ or T- of a sum of terms. */
  private static List<Term> shifted(List<Term> terms, boolean up) {
    String from = up ? "d" : "u";
    String to = up ? "u" : "d";
    TermSum sum = new TermSum();
    for (Term term : terms) {
      for (int k = 0; k < term.factors().size(); k++) {
        Factor factor = term.factors().get(k);
        for (int f = 0; f < factor.flavours().size(); f++) {
          boolean bar = f < factor.antiquarks();
          if (factor.flavours().get(f).equals(bar ? to : from)) {
            List<String> other = new ArrayList<>(factor.flavours());
            other.set(f, bar ? from : to);
            List<Factor> factors = new ArrayList<>(term.factors());
            factors.set(k, factor.withFlavours(other));
            add(sum, new Term(term.coefficient(), factors), new Complex(bar ? -1 : 1, 0));
          }
        }
      }
    }
    return sum.terms();
  }

  private static int lightFields(Term term) {
    return (int) thirds(term).filter(third -> third != 0).count();
  }

  private static int twiceThird(Term term) {
    return thirds(term).sum();
  }

  /** Twice T3 of every field. */
  private static IntStream thirds(Term term) {
    IntStream.Builder thirds = IntStream.builder();
    for (Factor factor : term.factors()) {
      for (int k = 0; k < factor.flavours().size(); k++) {
        thirds.add(third(factor.flavours().get(k)) * (k < factor.antiquarks() ? -1 : 1));
      }
    }
    return thirds.build();
  }

  /** Twice T3 of a quark field. */
  private static int third(String flavour) {
    return flavour.equals("u") ? 1 : flavour.equals("d") ? -1 : 0;
  }
}
