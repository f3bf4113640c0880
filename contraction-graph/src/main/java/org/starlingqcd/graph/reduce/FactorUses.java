package org.starlingqcd.graph.reduce;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.SequenceTable;

/**
 * Records where the factors of a sum of products are used and with which coefficients, and finds
 * factors whose uses are proportional. A use is a term without the factor and the coefficient, as a
 * sequence of ints.
 */
final class FactorUses {
  /**
   * Ratios that differ by less are equal. Coefficients are products and sums of Clebsch-Gordan
   * coefficients, accurate to a few eps.
   */
  private static final double PROPORTIONAL = 1e-13;

  /** The uses of one factor; a use number is {@code 2 * sequence + (conjugate ? 1 : 0)}. */
  private static final class Uses {
    private final Map<Integer, Complex> coefficients = new TreeMap<>();
    private boolean linear = true;

    /**
     * The ratio of these coefficients to those of another factor with the same uses, if it is one
     * number.
     */
    @Nullable Complex ratioTo(Uses other) {
      Complex ratio = null;
      for (Map.Entry<Integer, Complex> use : coefficients.entrySet()) {
        Complex mine = use.getValue();
        Complex its = other.coefficients.getOrDefault(use.getKey(), Complex.ZERO);
        boolean conjugate = (use.getKey() & 1) != 0;
        if (ratio == null) {
          double norm = its.re() * its.re() + its.im() * its.im();
          ratio = mine.times(its.conjugate()).times(1 / norm);
          ratio = conjugate ? ratio.conjugate() : ratio;
        } else {
          Complex expected = its.times(conjugate ? ratio.conjugate() : ratio);
          if (mine.plus(expected.times(-1)).abs() > PROPORTIONAL * expected.abs()) {
            return null;
          }
        }
      }
      return ratio;
    }
  }

  /** A factor as a multiple of the representative of its group. */
  record Multiple(int representative, Complex ratio) {}

  private record Group(int representative, Uses uses) {}

  private final SequenceTable useNumbers = new SequenceTable();
  private final SequenceTable useLists = new SequenceTable();
  private final Map<Integer, Uses> usesOf = new TreeMap<>();

  /**
   * Adds a use of a factor, or of its conjugate.
   *
   * @param linear whether the rest of the term is free of the factor
   */
  void add(int factor, boolean conjugate, int[] rest, Complex coefficient, boolean linear) {
    Uses uses = usesOf.computeIfAbsent(factor, key -> new Uses());
    int number = 2 * useNumbers.intern(rest, 0, rest.length) + (conjugate ? 1 : 0);
    uses.coefficients.merge(number, coefficient, Complex::plus);
    uses.linear &= linear;
  }

  /**
   * Returns every factor whose uses are those of an earlier factor times one number.
   *
   * @param kind factors of different kinds are not compared, by factor
   */
  Map<Integer, Multiple> multiples(IntUnaryOperator kind) {
    Map<Integer, Multiple> result = new TreeMap<>();
    Map<Integer, List<Group>> groups = new HashMap<>();
    for (Map.Entry<Integer, Uses> entry : usesOf.entrySet()) {
      Uses uses = entry.getValue();
      if (!uses.linear) {
        continue;
      }
      int[] key = new int[uses.coefficients.size() + 1];
      key[0] = kind.applyAsInt(entry.getKey());
      int k = 1;
      for (int number : uses.coefficients.keySet()) {
        key[k++] = number;
      }
      List<Group> candidates =
          groups.computeIfAbsent(useLists.intern(key, 0, key.length), list -> new ArrayList<>(1));
      boolean found = false;
      for (Group group : candidates) {
        Complex ratio = uses.ratioTo(group.uses);
        if (ratio != null) {
          result.put(entry.getKey(), new Multiple(group.representative, ratio));
          found = true;
          break;
        }
      }
      if (!found) {
        candidates.add(new Group(entry.getKey(), uses));
      }
    }
    return result;
  }
}
