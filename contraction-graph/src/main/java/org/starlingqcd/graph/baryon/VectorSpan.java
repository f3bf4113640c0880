package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The space that complex vectors span. Adding a vector takes time proportional to its length times
 * the dimension of the space.
 */
final class VectorSpan {
  /**
   * Entries below this fraction of the largest are zeros. Coefficients are Clebsch-Gordan
   * coefficients and their products, accurate to a few eps; coefficients that really differ do so
   * in the first digits.
   */
  static final double TOLERANCE = 1e-9;

  private final List<double[]> rows = new ArrayList<>();
  private final List<Integer> pivots = new ArrayList<>();
  // What is left of the vector that is added, without its part in the span.
  private double[] rest = {};

  /**
   * Places whose entries decide all others of every vector of the span: {@code v[j] = Σ v[place] ·
   * row[j]}, with interleaved complex rows.
   */
  Map<Integer, double[]> independentPlaces() {
    Map<Integer, double[]> places = new LinkedHashMap<>();
    for (int r = rows.size() - 1; r >= 0; r--) {
      int pivot = pivots.get(r);
      for (double[] row : rows.subList(0, r)) {
        SpinVectors.addTo(row, rows.get(r), -row[pivot], -row[pivot + 1]);
      }
      places.put(pivot / 2, rows.get(r));
    }
    return places;
  }

  /** Number of independent vectors. */
  int dimension() {
    return rows.size();
  }

  /** Adds a vector of interleaved complex numbers; false if it was in the span before. */
  boolean add(double[] vector) {
    if (rest.length != vector.length) {
      rest = new double[vector.length];
    }
    System.arraycopy(vector, 0, rest, 0, rest.length);
    for (int r = 0; r < rows.size(); r++) {
      int pivot = pivots.get(r);
      double re = rest[pivot];
      double im = rest[pivot + 1];
      if (re != 0 || im != 0) {
        SpinVectors.addTo(rest, rows.get(r), -re, -im);
        rest[pivot] = 0;
        rest[pivot + 1] = 0;
      }
    }
    int pivot = 0;
    double largest = 0;
    for (int k = 0; k < rest.length; k += 2) {
      double square = rest[k] * rest[k] + rest[k + 1] * rest[k + 1];
      if (square > largest) {
        largest = square;
        pivot = k;
      }
    }
    double least = TOLERANCE * SpinVectors.largest(vector);
    if (largest <= least * least) {
      return false;
    }
    double re = rest[pivot] / largest;
    double im = -rest[pivot + 1] / largest;
    double[] row = new double[rest.length];
    SpinVectors.addTo(row, rest, re, im);
    rows.add(row);
    pivots.add(pivot);
    return true;
  }
}
