package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds up multiples of the vectors of terms ({@link SpinVectors}), which have few entries that are
 * not zero, and finds the dimension of the space that the sums span.
 */
final class SparseSums {
  private static final int WORDS = SpinVectors.LENGTH / Long.SIZE;

  /** The entries of a vector that are not zero: their places, and interleaved complex numbers. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Sparse(int[] places, double[] values) {}

  private final List<@Nullable Sparse[]> terms = new ArrayList<>();
  // The present sum: by open spins its entries and, as bits, which of these have been added to.
  private final double[][] sum = new double[SpinVectors.MOST][];
  private final long[][] used = new long[SpinVectors.MOST][WORDS];
  private long usedSums;
  // The sums made, and the entries that any of them has.
  private final List<Sparse> sums = new ArrayList<>();
  private final long[] all = new long[WORDS];
  private final int[] column = new int[SpinVectors.LENGTH];

  /** Adds a term; terms are numbered in the order in which they are added. */
  void term(double[] @Nullable [] vectors) {
    Sparse[] sparse = new Sparse[vectors.length];
    for (int open = 0; open < vectors.length; open++) {
      double[] vector = vectors[open];
      if (vector != null) {
        int[] places = new int[SpinVectors.LENGTH];
        double[] values = new double[2 * SpinVectors.LENGTH];
        int n = 0;
        for (int k = 0; k < SpinVectors.LENGTH; k++) {
          if (vector[2 * k] != 0 || vector[2 * k + 1] != 0) {
            places[n] = k;
            values[2 * n] = vector[2 * k];
            values[2 * n + 1] = vector[2 * k + 1];
            n++;
          }
        }
        sparse[open] = new Sparse(Arrays.copyOf(places, n), Arrays.copyOf(values, 2 * n));
      }
    }
    terms.add(sparse);
  }

  /** Begins without sums. */
  void begin() {
    sums.clear();
    Arrays.fill(all, 0);
  }

  /** Adds a multiple of the vectors of a term to the present sums. */
  void add(int term, double re, double im) {
    Sparse[] vectors = terms.get(term);
    for (int open = 0; open < vectors.length; open++) {
      Sparse vector = vectors[open];
      if (vector != null) {
        if (sum[open] == null) {
          sum[open] = new double[2 * SpinVectors.LENGTH];
        }
        usedSums |= 1L << open;
        double[] target = sum[open];
        for (int k = 0; k < vector.places.length; k++) {
          int place = vector.places[k];
          double x = vector.values[2 * k];
          double y = vector.values[2 * k + 1];
          target[2 * place] += re * x - im * y;
          target[2 * place + 1] += re * y + im * x;
          used[open][place >> 6] |= 1L << place;
        }
      }
    }
  }

  /** Ends the present sums; others follow. */
  void end() {
    for (long left = usedSums; left != 0; left &= left - 1) {
      end(Long.numberOfTrailingZeros(left));
    }
    usedSums = 0;
  }

  private void end(int open) {
    int count = 0;
    for (long word : used[open]) {
      count += Long.bitCount(word);
    }
    int[] places = new int[count];
    double[] values = new double[2 * count];
    int n = 0;
    for (int w = 0; w < WORDS; w++) {
      for (long left = used[open][w]; left != 0; left &= left - 1) {
        int place = Long.SIZE * w + Long.numberOfTrailingZeros(left);
        places[n] = place;
        values[2 * n] = sum[open][2 * place];
        values[2 * n + 1] = sum[open][2 * place + 1];
        sum[open][2 * place] = 0;
        sum[open][2 * place + 1] = 0;
        n++;
      }
    }
    if (SpinVectors.largest(values) > VectorSpan.TOLERANCE) {
      sums.add(new Sparse(places, values));
      for (int w = 0; w < WORDS; w++) {
        all[w] |= used[open][w];
      }
    }
    Arrays.fill(used[open], 0);
  }

  /** The dimension of the space that the sums span. */
  int dimension() {
    int columns = 0;
    for (int w = 0; w < WORDS; w++) {
      for (long left = all[w]; left != 0; left &= left - 1) {
        column[Long.SIZE * w + Long.numberOfTrailingZeros(left)] = columns++;
      }
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
}
