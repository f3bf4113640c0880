package org.starlingqcd.backend;

import static org.starlingqcd.backend.PairContraction.LINE_SPINS;

import java.util.Arrays;

/** {@link Device#formPairs} and {@link Device#closePair} on the host. */
final class HostPairs {
  private final PairPacking packing;
  private final int n;

  HostPairs(PairPacking packing) {
    this.packing = packing;
    n = packing.extent();
  }

  /** Two lines, the matrix of pairs: all rows whose second index is the number of the part. */
  RowWork form(LinePairSum sum, PairPacking.Signs signs) {
    return (l, rows) -> {
      double[] m = new double[2 * n * n];
      double[] a = new double[4 * n];
      int width = 2 * packing.rows();
      double[] row = new double[packing.strips() * width];
      for (int k = 0; k < packing.end(l); k++) {
        Arrays.fill(m, 0);
        double weight = PairPacking.weight(k, l, signs.rows());
        for (int e = 0; e < sum.size(); e++) {
          for (int order = 0; order < 2; order++) {
            double factor = order == 0 ? weight : weight * signs.rows();
            rows.get(0).get(sum.first(e), order == 0 ? k : l, a, 0);
            rows.get(1).get(sum.second(e), order == 0 ? l : k, a, 2 * n);
            addProducts(a, factor * sum.factorRe(e), factor * sum.factorIm(e), m);
          }
        }
        pack(m, signs.columns(), row);
        for (int strip = 0; strip < packing.strips(); strip++) {
          rows.get(2).put(strip, packing.place(k, l), row, strip * width);
        }
      }
    };
  }

  /** Adds {@code factor · a[i] b[j]} to m[i][j], b behind a. */
  private void addProducts(double[] a, double re, double im, double[] m) {
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
  private void pack(double[] m, int sign, double[] row) {
    int width = packing.rows();
    for (int part = 0; part < 2; part++) {
      int from = part * n * n;
      for (int j = 0; j < n; j++) {
        for (int i = 0; i < packing.end(j); i++) {
          int place = packing.place(i, j);
          double weight = PairPacking.weight(i, j, sign);
          row[(place / width * 2 + part) * width + place % width] =
              weight * (m[from + i * n + j] + sign * m[from + j * n + i]);
        }
      }
    }
  }

  /** K in strips, a line, the blocks: their row whose number is that of the part. */
  RowWork close(int exchange) {
    return (i, rows) -> {
      int pairs = packing.pairs();
      double[][] k = new double[n][2 * pairs];
      for (int j = 0; j < n; j++) {
        if (PairPacking.sign(i, j, exchange) != 0) {
          int place = packing.place(i, j);
          rows.get(place / packing.rows()).get(0, place % packing.rows(), k[j], 0);
        }
      }
      double[] line = new double[2 * n];
      for (int spin = 0; spin < LINE_SPINS; spin++) {
        double[] sum = new double[2 * n];
        for (int l = 0; l < n; l++) {
          rows.get(packing.strips()).get(spin, l, line, 0);
          for (int j = 0; j < n; j++) {
            close(k[j], l, line[j], line[n + j], PairPacking.sign(i, j, exchange), exchange, sum);
          }
        }
        rows.get(packing.strips() + 1).put(spin, i, sum, 0);
      }
    };
  }

  /** Adds {@code outer · K[k,l] number} to sum[k]. */
  private void close(
      double[] row, int l, double re, double im, int outer, int exchange, double[] sum) {
    for (int k = 0; k < n; k++) {
      int sign = outer * PairPacking.sign(k, l, exchange);
      if (sign != 0) {
        int at = packing.place(k, l);
        int imaginary = at + packing.pairs();
        sum[k] += sign * (row[at] * re - row[imaginary] * im);
        sum[n + k] += sign * (row[at] * im + row[imaginary] * re);
      }
    }
  }
}
