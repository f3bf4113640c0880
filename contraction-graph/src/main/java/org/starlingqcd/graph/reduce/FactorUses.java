package org.starlingqcd.graph.reduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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

  private static final int INITIAL = 1024;

  /**
   * The uses of one factor in the order of their numbers, which are {@code 2 * sequence +
   * (conjugate ? 1 : 0)}, and their coefficients.
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Uses(int[] numbers, double[] re, double[] im) {
    Complex coefficient(int k) {
      return new Complex(re[k], im[k]);
    }

    /**
     * The ratio of these coefficients to those of another factor with the same uses, if it is one
     * number.
     */
    @Nullable Complex ratioTo(Uses other) {
      Complex ratio = null;
      for (int k = 0; k < numbers.length; k++) {
        Complex mine = coefficient(k);
        Complex its = other.coefficient(k);
        boolean conjugate = (numbers[k] & 1) != 0;
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
  private final BitSet notLinear = new BitSet();
  // All uses, in the order in which they were added.
  private int size;
  private int[] factors = new int[INITIAL];
  private int[] numbers = new int[INITIAL];
  private double[] re = new double[INITIAL];
  private double[] im = new double[INITIAL];
  private int mostFactor = -1;

  /**
   * Adds a use of a factor, or of its conjugate.
   *
   * @param linear whether the rest of the term is free of the factor
   */
  void add(int factor, boolean conjugate, int[] rest, Complex coefficient, boolean linear) {
    if (size == factors.length) {
      factors = Arrays.copyOf(factors, 2 * size);
      numbers = Arrays.copyOf(numbers, 2 * size);
      re = Arrays.copyOf(re, 2 * size);
      im = Arrays.copyOf(im, 2 * size);
    }
    factors[size] = factor;
    numbers[size] = 2 * useNumbers.intern(rest, 0, rest.length) + (conjugate ? 1 : 0);
    re[size] = coefficient.re();
    im[size] = coefficient.im();
    size++;
    mostFactor = Math.max(mostFactor, factor);
    if (!linear) {
      notLinear.set(factor);
    }
  }

  /** Indices of the uses of all factors, one factor after the other; {@code begin} says where. */
  private int[] byFactor(int[] begin) {
    for (int k = 0; k < size; k++) {
      begin[factors[k] + 1]++;
    }
    for (int f = 0; f <= mostFactor; f++) {
      begin[f + 1] += begin[f];
    }
    int[] at = begin.clone();
    int[] result = new int[size];
    for (int k = 0; k < size; k++) {
      result[at[factors[k]]++] = k;
    }
    return result;
  }

  /** Adds up equal uses of a factor, given by the indices of some of {@code list}. */
  private Uses uses(int[] list, int from, int to) {
    long[] keys = new long[to - from];
    for (int k = 0; k < keys.length; k++) {
      keys[k] = (long) numbers[list[from + k]] << Integer.SIZE | list[from + k];
    }
    Arrays.sort(keys);
    int[] number = new int[keys.length];
    double[] sumRe = new double[keys.length];
    double[] sumIm = new double[keys.length];
    int n = 0;
    for (long key : keys) {
      int use = (int) key;
      if (n > 0 && number[n - 1] == numbers[use]) {
        sumRe[n - 1] += re[use];
        sumIm[n - 1] += im[use];
      } else {
        number[n] = numbers[use];
        sumRe[n] = re[use];
        sumIm[n] = im[use];
        n++;
      }
    }
    return new Uses(Arrays.copyOf(number, n), Arrays.copyOf(sumRe, n), Arrays.copyOf(sumIm, n));
  }

  /**
   * Returns every factor whose uses are those of an earlier factor times one number.
   *
   * @param kind factors of different kinds are not compared, by factor
   */
  Map<Integer, Multiple> multiples(IntUnaryOperator kind) {
    Map<Integer, Multiple> result = new TreeMap<>();
    Map<Integer, List<Group>> groups = new HashMap<>();
    int[] begin = new int[mostFactor + 2];
    int[] list = byFactor(begin);
    for (int factor = 0; factor <= mostFactor; factor++) {
      if (begin[factor] == begin[factor + 1] || notLinear.get(factor)) {
        continue;
      }
      Uses uses = uses(list, begin[factor], begin[factor + 1]);
      int[] key = new int[uses.numbers.length + 1];
      key[0] = kind.applyAsInt(factor);
      System.arraycopy(uses.numbers, 0, key, 1, uses.numbers.length);
      List<Group> candidates =
          groups.computeIfAbsent(useLists.intern(key, 0, key.length), l -> new ArrayList<>(1));
      boolean found = false;
      for (Group group : candidates) {
        Complex ratio = uses.ratioTo(group.uses);
        if (ratio != null) {
          result.put(factor, new Multiple(group.representative, ratio));
          found = true;
          break;
        }
      }
      if (!found) {
        candidates.add(new Group(factor, uses));
      }
    }
    return result;
  }
}
