package org.starlingqcd.backend;

import static org.starlingqcd.backend.PairContraction.LINE_SPINS;

import java.util.Arrays;

/** {@link Device#formPairs} and {@link Device#closePair} on the host. */
final class HostPairs {
  private HostPairs() {}

  /** Two lines, the matrix of pairs: all rows whose second index is the number of the part. */
  static RowWork form(LinePairSum sum, PairPacking pairs, PairPacking columns) {
    int n = pairs.extent();
    return (l, rows) -> {
      double[] m = new double[2 * n * n];
      double[] a = new double[4 * n];
      double[] row = new double[2 * columns.strips() * columns.rows()];
      for (int k = 0; k < pairs.end(l); k++) {
        Arrays.fill(m, 0);
        double weight = PairPacking.weight(k, l);
        for (int e = 0; e < sum.size(); e++) {
          for (int order = 0; order < 2; order++) {
            double factor = order == 0 ? weight : weight * pairs.sign();
            rows.get(0).get(sum.first(e), order == 0 ? k : l, a, 0);
            rows.get(1).get(sum.second(e), order == 0 ? l : k, a, 2 * n);
            addProducts(a, factor * sum.factorRe(e), factor * sum.factorIm(e), m);
          }
        }
        pack(m, columns, row);
        for (int strip = 0; strip < columns.strips(); strip++) {
          rows.get(2).put(strip, pairs.place(k, l), row, 2 * strip * columns.rows());
        }
      }
    };
  }

  /** Adds {@code factor · a[i] b[j]} to m[i][j], b behind a. */
  private static void addProducts(double[] a, double re, double im, double[] m) {
    int n = a.length / 4;
    for (int i = 0; i < n; i++) {
      double xRe = re * a[i] - im * a[n + i];
      double xIm = re * a[n + i] + im * a[i];
      for (int j = 0; j < n; j++) {
        m[i * n + j] += xRe * a[2 * n + j] - xIm * a[3 * n + j];
        m[n * n + i * n + j] += xRe * a[3 * n + j] + xIm * a[2 * n + j];
      }
    }
  }

  /** Real and imaginary parts of each strip of columns. */
  private static void pack(double[] m, PairPacking columns, double[] row) {
    int n = columns.extent();
    int width = columns.rows();
    for (int part = 0; part < 2; part++) {
      int from = part * n * n;
      for (int j = 0; j < n; j++) {
        for (int i = 0; i < columns.end(j); i++) {
          int place = columns.place(i, j);
          double sum = m[from + i * n + j] + columns.sign() * m[from + j * n + i];
          row[(place / width * 2 + part) * width + place % width] = PairPacking.weight(i, j) * sum;
        }
      }
    }
  }

  /** K in strips, a line, the blocks: their row whose number is that of the part. */
  static RowWork close(PairPacking pairs) {
    int n = pairs.extent();
    return (i, rows) -> {
      double[][] k = new double[n][2 * pairs.pairs()];
      for (int j = 0; j < n; j++) {
        if (pairs.sign(i, j) != 0) {
          int place = pairs.place(i, j);
          rows.get(place / pairs.rows()).get(0, place % pairs.rows(), k[j], 0);
        }
      }
      double[] line = new double[2 * n];
      for (int spin = 0; spin < LINE_SPINS; spin++) {
        double[] sum = new double[2 * n];
        for (int l = 0; l < n; l++) {
          rows.get(pairs.strips()).get(spin, l, line, 0);
          for (int jm = 0; jm < n * n; jm++) {
            int j = jm / n;
            int m = jm % n;
            int sign = pairs.sign(i, j) * pairs.sign(m, l);
            int at = sign == 0 ? 0 : pairs.place(m, l);
            double re = sign * k[j][at];
            double im = sign * k[j][pairs.pairs() + at];
            sum[m] += re * line[j] - im * line[n + j];
            sum[n + m] += re * line[n + j] + im * line[j];
          }
        }
        rows.get(pairs.strips() + 1).put(spin, i, sum, 0);
      }
    };
  }
}
