package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One number of the result as a sum over diagrams; terms that cancelled are left out.
 *
 * @param matrix number of the correlation matrix
 * @param row sink operator
 * @param column source operator, or -1 for a one-point function
 * @param terms diagram to coefficient
 * @param negligible coefficients up to this modulus are rounding errors of cancelled ones
 */
public record OutputSum(
    int matrix, int row, int column, Map<Integer, Complex> terms, double negligible) {
  /**
   * Coefficients are sums of a few thousand products of Clebsch-Gordan coefficients, each accurate
   * to a few eps. What a cancellation leaves is far below this fraction of the largest coefficient.
   */
  private static final double CANCELLED = 1e-13;

  /** All numbers of a set: matrix by matrix, element by element, one-point functions last. */
  public static List<OutputSum> of(DiagramSet set) {
    List<OutputSum> sums = new ArrayList<>();
    for (int m = 0; m < set.matrices().size(); m++) {
      int n = set.matrices().get(m).operators().size();
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < set.matrices().get(m).sources().size(); j++) {
          sums.add(of(m, i, j, set.element(m, i, j)));
        }
      }
    }
    for (int m = 0; m < set.matrices().size(); m++) {
      if (set.matrices().get(m).onePoint()) {
        for (int i = 0; i < set.matrices().get(m).operators().size(); i++) {
          sums.add(of(m, i, -1, set.onePoint(m, i)));
        }
      }
    }
    return sums;
  }

  private static OutputSum of(int matrix, int row, int column, DiagramSet.Combination sum) {
    Map<Integer, Complex> all = sum.terms();
    double largest = 0;
    for (Complex coefficient : all.values()) {
      largest = Math.max(largest, coefficient.abs());
    }
    double negligible = largest * CANCELLED;
    boolean cancelled = false;
    for (Complex coefficient : all.values()) {
      cancelled |= !(coefficient.abs() > negligible);
    }
    if (!cancelled) {
      return new OutputSum(matrix, row, column, all, negligible);
    }
    TreeMap<Integer, Complex> terms = new TreeMap<>();
    for (Map.Entry<Integer, Complex> term : all.entrySet()) {
      if (term.getValue().abs() > negligible) {
        terms.put(term.getKey(), term.getValue());
      }
    }
    return new OutputSum(matrix, row, column, terms, negligible);
  }
}
