package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds up multiples of the vectors of terms ({@link SpinVectors}), which have few entries that are
 * not zero, and finds the dimension of the space that the sums span.
 */
final class SparseSums {
  /** The entries of a vector that are not zero: their places, and interleaved complex numbers. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Sparse(int[] places, double[] values) {}

  /** The vectors of a term, by open spins. */
  static final class Term {
    private final @Nullable Sparse[] vectors;

    Term(double[] @Nullable [] given) {
      vectors = new Sparse[given.length];
      BitSet places = new BitSet();
      for (int open = 0; open < given.length; open++) {
        double[] vector = given[open];
        if (vector != null) {
          places.clear();
          for (int k = 0; k < SpinVectors.LENGTH; k++) {
            places.set(k, vector[2 * k] != 0 || vector[2 * k + 1] != 0);
          }
          vectors[open] = sparse(places, vector);
        }
      }
    }
  }

  // The present sum: by open spins its entries, and those of them that have been added to.
  private final double[][] sum = new double[SpinVectors.MOST][];
  private final BitSet[] used = new BitSet[SpinVectors.MOST];
  private final BitSet usedSums = new BitSet();
  // The sums made, and the entries that any of them has.
  private final List<Sparse> sums = new ArrayList<>();
  private final BitSet all = new BitSet();
  private final int[] column = new int[SpinVectors.LENGTH];

  private static Sparse sparse(BitSet places, double[] vector) {
    int[] at = new int[places.cardinality()];
    double[] values = new double[2 * at.length];
    int n = 0;
    for (int place = places.nextSetBit(0); place >= 0; place = places.nextSetBit(place + 1)) {
      at[n] = place;
      values[2 * n] = vector[2 * place];
      values[2 * n + 1] = vector[2 * place + 1];
      n++;
    }
    return new Sparse(at, values);
  }

  /** Begins without sums. */
  void begin() {
    sums.clear();
    all.clear();
  }

  /** Adds a multiple of the vectors of a term to the present sums. */
  void add(Term term, double re, double im) {
    for (int open = 0; open < term.vectors.length; open++) {
      Sparse vector = term.vectors[open];
      if (vector != null) {
        if (sum[open] == null) {
          sum[open] = new double[2 * SpinVectors.LENGTH];
          used[open] = new BitSet();
        }
        usedSums.set(open);
        double[] target = sum[open];
        for (int k = 0; k < vector.places.length; k++) {
          int place = vector.places[k];
          double x = vector.values[2 * k];
          double y = vector.values[2 * k + 1];
          target[2 * place] += re * x - im * y;
          target[2 * place + 1] += re * y + im * x;
          used[open].set(place);
        }
      }
    }
  }

  /** Ends the present sums; others follow. */
  void end() {
    for (int open = usedSums.nextSetBit(0); open >= 0; open = usedSums.nextSetBit(open + 1)) {
      Sparse made = sparse(used[open], sum[open]);
      if (SpinVectors.largest(made.values) > VectorSpan.TOLERANCE) {
        sums.add(made);
        all.or(used[open]);
      }
      for (int place : made.places) {
        sum[open][2 * place] = 0;
        sum[open][2 * place + 1] = 0;
      }
      used[open].clear();
    }
    usedSums.clear();
  }

  /** The dimension of the space that the sums span. */
  int dimension() {
    int columns = 0;
    for (int place = all.nextSetBit(0); place >= 0; place = all.nextSetBit(place + 1)) {
      column[place] = columns++;
    }
    VectorSpan span = new VectorSpan();
    double[] entries = new double[2 * columns];
    for (Sparse vector : sums) {
      Arrays.fill(entries, 0);
      for (int k = 0; k < vector.places.length; k++) {
        entries[2 * column[vector.places[k]]] = vector.values[2 * k];
        entries[2 * column[vector.places[k]] + 1] = vector.values[2 * k + 1];
      }
      span.add(entries);
    }
    return span.dimension();
  }

  /** The sums as vectors. */
  List<double[]> vectors() {
    List<double[]> vectors = new ArrayList<>(sums.size());
    for (Sparse sparse : sums) {
      double[] vector = new double[2 * SpinVectors.LENGTH];
      for (int k = 0; k < sparse.places.length; k++) {
        System.arraycopy(sparse.values, 2 * k, vector, 2 * sparse.places[k], 2);
      }
      vectors.add(vector);
    }
    return vectors;
  }
}
