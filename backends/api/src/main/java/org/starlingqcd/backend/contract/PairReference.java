package org.starlingqcd.backend.contract;

import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.Scalar;

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
          Scalar factor = attached.get(0, ((long) row * n + a) * n + b);
          addRow(half[p], b, factor.re(), factor.im(), first[p], a);
        }
      }
    }
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
      double re = sum.factorRe(e);
      double im = sum.factorIm(e);
      for (int b = 0; b < n; b++) {
        for (int c = 0; c < n; c++) {
          int at = 2 * (b * n + c);
          double factorRe = re * halved[at] - im * halved[at + 1];
          double factorIm = re * halved[at + 1] + im * halved[at];
          addRow(x, c, factorRe, factorIm, line, b);
        }
      }
    }
    return x;
  }

  /** Closes {@code X}: a complex number for each value of the other baryon's open index. */
  double[] closed(double[] x, HostTensor other) {
    double[] result = new double[2 * n];
    for (int open = 0; open < n; open++) {
      int row = 2 * open * n * n;
      double[] numbers = other.numbers();
      for (int k = 0; k < 2 * n * n; k += 2) {
        result[2 * open] += numbers[row + k] * x[k] - numbers[row + k + 1] * x[k + 1];
        result[2 * open + 1] += numbers[row + k] * x[k + 1] + numbers[row + k + 1] * x[k];
      }
    }
    return result;
  }

  /** Adds a multiple of a line with this attached leg to a row of a matrix. */
  private void addRow(double[] matrix, int row, double re, double im, double[] line, int attached) {
    for (int free = 0; free < n; free++) {
      int to = 2 * (row * n + free);
      int from = 2 * (sinkAttached ? attached * n + free : free * n + attached);
      matrix[to] += re * line[from] - im * line[from + 1];
      matrix[to + 1] += re * line[from + 1] + im * line[from];
    }
  }
}
