package org.starlingqcd.hadron.execute;

import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.RowWork;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * Tetraquarks at n sampled sites, where nothing but lines to and from them depends on the number of
 * eigenvectors. Rows are those of a site and a colour; the number of a part is that of a site.
 */
final class SiteMatrices {
  private static final int COLOURS = 3;

  private SiteMatrices() {}

  /** Two colours of a pair with what their product is multiplied by. */
  private record Term(int first, int second, double weight) {}

  /** The sum of products of colours for each pair of a colour, in groups of three. */
  private static List<List<Term>> pairs(PairColour colour) {
    return IntStream.range(0, COLOURS * colour.groups())
        .mapToObj(
            e ->
                e < COLOURS
                    ? List.of(
                        new Term((e + 1) % COLOURS, (e + 2) % COLOURS, 1),
                        new Term((e + 2) % COLOURS, (e + 1) % COLOURS, colour.sign()))
                    : List.of(new Term(e - COLOURS, e - COLOURS, Math.sqrt(2))))
        .toList();
  }

  /** Two lines from sites to sites, and the matrix from pairs of colours to pairs. */
  static RowWork form(int n, LinePairSum sum, PairColour rows, PairColour columns) {
    List<List<Term>> left = pairs(rows);
    List<List<Term>> right = pairs(columns);
    return (x, operands) -> {
      double[][][] a = lines(operands.get(0), x, n);
      double[][][] b = lines(operands.get(1), x, n);
      double[][] result = new double[left.size() * right.size()][2 * n];
      double[][] scaled = new double[COLOURS * COLOURS][2 * n];
      for (int e = 0; e < sum.size(); e++) {
        for (int c = 0; c < scaled.length; c++) {
          scale(b[sum.second(e)][c], sum.factorRe(e), sum.factorIm(e), scaled[c]);
        }
        for (int k = 0; k < result.length; k++) {
          for (Term one : left.get(k / right.size())) {
            for (Term other : right.get(k % right.size())) {
              add(
                  one.weight() * other.weight(),
                  a[sum.first(e)][COLOURS * one.first() + other.first()],
                  scaled[COLOURS * one.second() + other.second()],
                  result[k]);
            }
          }
        }
      }
      put(result, x, n, columns.groups(), operands.get(2));
    };
  }

  /** Rows of a site as {@code [spin][colour, colour of the column][site of the column]}. */
  private static double[][][] lines(RowWork.Rows line, int x, int n) {
    int spins = SpinMatrix.SPINS * SpinMatrix.SPINS;
    double[][][] all = new double[spins][COLOURS * COLOURS][2 * n];
    double[] row = new double[2 * COLOURS * n];
    for (int spin = 0; spin < spins; spin++) {
      for (int c = 0; c < COLOURS; c++) {
        line.get(spin, COLOURS * x + c, row, 0);
        for (int y = 0; y < 2 * COLOURS * n; y++) {
          all[spin][COLOURS * c + y % COLOURS][y / COLOURS] = row[y];
        }
      }
    }
    return all;
  }

  /** Writes the rows of a site, the pairs of columns as components and as columns. */
  private static void put(double[][] pairs, int x, int n, int groups, RowWork.Rows to) {
    double[] row = new double[2 * COLOURS * n];
    int width = COLOURS * groups;
    for (int e = 0; e < pairs.length / width; e++) {
      for (int group = 0; group < groups; group++) {
        for (int y = 0; y < row.length; y++) {
          row[y] = pairs[e * width + COLOURS * group + y % COLOURS][y / COLOURS];
        }
        to.put(e / COLOURS * groups + group, COLOURS * x + e % COLOURS, row, 0);
      }
    }
  }

  private static void scale(double[] numbers, double re, double im, double[] to) {
    int n = numbers.length / 2;
    for (int k = 0; k < n; k++) {
      to[k] = re * numbers[k] - im * numbers[n + k];
      to[n + k] = re * numbers[n + k] + im * numbers[k];
    }
  }

  /** {@code to += weight a b}, a loop that the compiler makes vector instructions of. */
  private static void add(double weight, double[] a, double[] b, double[] to) {
    int n = a.length / 2;
    for (int k = 0; k < n; k++) {
      to[k] += weight * (a[k] * b[k] - a[n + k] * b[n + k]);
      to[n + k] += weight * (a[k] * b[n + k] + a[n + k] * b[k]);
    }
  }

  /** Phases of sites, a matrix, and that matrix with its rows times the phases. */
  static RowWork scale(int n, int components) {
    return (x, operands) -> {
      double[] phases = new double[2 * n];
      double[] row = new double[2 * COLOURS * n];
      operands.get(0).get(0, 0, phases, 0);
      for (int k = 0; k < COLOURS * components; k++) {
        operands.get(1).get(k / COLOURS, COLOURS * x + k % COLOURS, row, 0);
        double[] scaled = new double[row.length];
        scale(row, phases[x], phases[n + x], scaled);
        operands.get(2).put(k / COLOURS, COLOURS * x + k % COLOURS, scaled, 0);
      }
    };
  }

  /**
   * Phases of sites, {@code V line}, V as antiquarks and V as quarks have it, and what {@code V†}
   * has to be multiplied by.
   */
  static RowWork close(int n, int eigenvectors, int sign) {
    return (x, operands) -> {
      double[] phases = new double[2 * n];
      operands.get(0).get(0, 0, phases, 0);
      double[][] bars = new double[COLOURS][2 * eigenvectors];
      double[][] v = new double[COLOURS][2 * eigenvectors];
      double[] half = new double[2 * eigenvectors];
      for (int c = 0; c < COLOURS; c++) {
        operands.get(2).get(0, COLOURS * x + c, bars[c], 0);
        operands.get(3).get(0, COLOURS * x + c, v[c], 0);
      }
      for (int spin = 0; spin < SpinMatrix.SPINS * SpinMatrix.SPINS; spin++) {
        double[][] local = new double[COLOURS * COLOURS][];
        double[] trace = new double[2];
        for (int k = 0; k < local.length; k++) {
          operands.get(1).get(spin, COLOURS * x + k / COLOURS, half, 0);
          local[k] = product(half, bars[k % COLOURS]);
          if (k % COLOURS == k / COLOURS) {
            trace[0] += local[k][0];
            trace[1] += local[k][1];
          }
        }
        for (int c = 0; c < COLOURS; c++) {
          double[] sum = new double[2 * eigenvectors];
          double[] part = new double[2 * eigenvectors];
          for (int b = 0; b < COLOURS; b++) {
            double[] l = local[COLOURS * c + b];
            double re = sign * l[0] + (b == c ? trace[0] : 0);
            double im = sign * l[1] + (b == c ? trace[1] : 0);
            scale(v[b], re, im, part);
            for (int k = 0; k < sum.length; k++) {
              sum[k] += part[k];
            }
          }
          scale(sum, phases[x], phases[n + x], part);
          operands.get(4).put(spin, COLOURS * x + c, part, 0);
        }
      }
    };
  }

  /** {@code Σ a b*}. */
  private static double[] product(double[] a, double[] b) {
    int n = a.length / 2;
    double re = 0;
    double im = 0;
    for (int k = 0; k < n; k++) {
      re += a[k] * b[k] + a[n + k] * b[n + k];
      im += a[n + k] * b[k] - a[k] * b[n + k];
    }
    return new double[] {re, im};
  }
}
