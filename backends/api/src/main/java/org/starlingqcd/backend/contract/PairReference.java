package org.starlingqcd.backend.contract;

import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;

/**
 * Blocks of pairs of lines from their definition ({@link PairContraction}), for one value of the
 * attached baryon's open index: {@code 8·N³} flops for each spin component of the first line, as
 * many for each entry of a sum, and as many for each block.
 */
final class PairReference {
  private static final int SPINS = PairContraction.LINE_SPINS;

  private final int n;

  /**
   * {@code half[p][b][c] = Σ_a attached[a][b] · first[p][a][c]}, a and c exchanged for a source.
   */
  private final double[][] half;

  private final boolean sinkAttached;

  /**
   * Attaches the first line.
   *
   * @param attached baryon
   * @param row value of its open index
   * @param first line in the rotated basis, of {@link #rotated}
   */
  PairReference(boolean sinkAttached, int n, HostTensor attached, int row, double[][] first) {
    this.n = n;
    this.sinkAttached = sinkAttached;
    half = new double[SPINS][2 * n * n];
    for (int p = 0; p < SPINS; p++) {
      for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
          int from = (row * n + a) * n + b;
          for (int c = 0; c < n; c++) {
            add(half[p], b * n + c, attached.numbers(), from, first[p], leg(a, c));
          }
        }
      }
    }
  }

  /** Place of an attached and a free leg in a line's matrix, whose rows belong to the sink. */
  private int leg(int attached, int free) {
    return sinkAttached ? attached * n + free : free * n + attached;
  }

  /** A line in the rotated basis: {@code [p][number]}, interleaved complex. */
  static double[][] rotated(PairContraction.Rotation rotation, HostTensor line) {
    int numbers = Math.toIntExact(line.shape().componentSize());
    double[][] result = new double[SPINS][2 * numbers];
    for (int p = 0; p < SPINS; p++) {
      for (int s = 0; s < SPINS; s++) {
        double factor = rotation.at(p, s);
        for (int k = 0; k < 2 * numbers && factor != 0; k++) {
          result[p][k] += factor * line.numbers()[2 * s * numbers + k];
        }
      }
    }
    return result;
  }

  /**
   * A sum with both lines attached: {@code X[c][d]} with c and d the legs of both lines that are
   * still free.
   *
   * @param second line in the rotated basis, of {@link #rotated}
   */
  double[] attached(LinePairSum sum, double[][] second) {
    double[] x = new double[2 * n * n];
    for (int e = 0; e < sum.size(); e++) {
      double[] halved = half[sum.first(e)];
      double[] line = second[sum.second(e)];
      double[] factor = {sum.factorRe(e), sum.factorIm(e)};
      for (int b = 0; b < n; b++) {
        for (int d = 0; d < n; d++) {
          double[] weighted = new double[2];
          add(weighted, 0, factor, 0, line, leg(b, d));
          for (int c = 0; c < n; c++) {
            add(x, c * n + d, halved, b * n + c, weighted, 0);
          }
        }
      }
    }
    return x;
  }

  /** Closes {@code X}: a complex number for each value of the other baryon's open index. */
  double[] closed(double[] x, HostTensor other) {
    double[] result = new double[2 * n];
    for (int open = 0; open < n; open++) {
      for (int k = 0; k < n * n; k++) {
        add(result, open, other.numbers(), open * n * n + k, x, k);
      }
    }
    return result;
  }

  /** Adds a product to number {@code index} of interleaved complex ones. */
  private static void add(double[] target, int index, double[] a, int i, double[] b, int k) {
    double re = a[2 * i];
    double im = a[2 * i + 1];
    target[2 * index] += re * b[2 * k] - im * b[2 * k + 1];
    target[2 * index + 1] += re * b[2 * k + 1] + im * b[2 * k];
  }
}
