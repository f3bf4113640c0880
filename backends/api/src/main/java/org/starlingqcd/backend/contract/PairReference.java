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
            int line = leg(a, c);
            add(
                half[p],
                b * n + c,
                attached.re(0, from),
                attached.im(0, from),
                first[p][2 * line],
                first[p][2 * line + 1]);
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
        for (int k = 0; k < numbers; k++) {
          result[p][2 * k] += rotation.at(p, s) * line.re(s, k);
          result[p][2 * k + 1] += rotation.at(p, s) * line.im(s, k);
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
      for (int b = 0; b < n; b++) {
        for (int d = 0; d < n; d++) {
          int from = 2 * leg(b, d);
          double re = sum.factorRe(e) * line[from] - sum.factorIm(e) * line[from + 1];
          double im = sum.factorRe(e) * line[from + 1] + sum.factorIm(e) * line[from];
          for (int c = 0; c < n; c++) {
            add(x, c * n + d, halved[2 * (b * n + c)], halved[2 * (b * n + c) + 1], re, im);
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
        int from = open * n * n + k;
        add(result, open, other.re(0, from), other.im(0, from), x[2 * k], x[2 * k + 1]);
      }
    }
    return result;
  }

  private static void add(
      double[] target, int index, double aRe, double aIm, double bRe, double bIm) {
    target[2 * index] += aRe * bRe - aIm * bIm;
    target[2 * index + 1] += aRe * bIm + aIm * bRe;
  }
}
