package org.starlingqcd.hadron.execute;

import java.util.stream.IntStream;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.LinePairSum;
import org.starlingqcd.backend.PairPacking;
import org.starlingqcd.backend.RowWork;
import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * What stands before and after the products of a tetraquark with two lines, one after the other: K
 * of each pair (i,j) as a matrix {@code [l][k]}, the second line as a transposed matrix for each
 * two spins of the first, and the products {@code [l'][k']} as rows of packed pairs.
 */
final class PairLegs {
  private static final int SPINS = SpinMatrix.SPINS * SpinMatrix.SPINS;

  private PairLegs() {}

  /** A line, and the transposed matrix of each of its components. */
  static RowWork turn(int n) {
    return (component, operands) -> {
      double[][] line = new double[n][2 * n];
      double[] row = new double[2 * n];
      for (int k = 0; k < n; k++) {
        operands.get(0).get(component, k, line[k], 0);
      }
      for (int k = 0; k < n; k++) {
        for (int l = 0; l < n; l++) {
          row[l] = line[l][k];
          row[n + l] = line[l][n + k];
        }
        operands.get(1).put(component, k, row, 0);
      }
    };
  }

  /** A strip of K, and the matrix of each of its rows. */
  static RowWork unfold(PairPacking packing) {
    int n = packing.extent();
    return (part, operands) -> {
      double[] packed = new double[2 * packing.pairs()];
      double[] row = new double[2 * n];
      operands.get(0).get(0, part, packed, 0);
      for (int k = 0; k < n; k++) {
        for (int l = 0; l < n; l++) {
          int exchange = packing.sign(k, l);
          int at = exchange == 0 ? 0 : packing.place(k, l);
          row[l] = exchange * packed[at];
          row[n + l] = exchange * packed[packing.pairs() + at];
        }
        operands.get(1).put(part, k, row, 0);
      }
    };
  }

  /** Products, and their pairs as a strip of a product of pairs. */
  static RowWork fold(PairPacking packing) {
    int n = packing.extent();
    int width = packing.rows();
    return (part, operands) -> {
      double[][] product = new double[n][2 * n];
      for (int l = 0; l < n; l++) {
        operands.get(0).get(part, l, product[l], 0);
      }
      double[] packed = new double[2 * packing.strips() * width];
      for (int l = 0; l < n; l++) {
        for (int k = 0; k < packing.end(l); k++) {
          int place = packing.place(k, l);
          int at = place / width * 2 * width + place % width;
          double weight = PairPacking.weight(k, l);
          packed[at] = weight * (product[k][l] + packing.sign() * product[l][k]);
          packed[at + width] = weight * (product[k][n + l] + packing.sign() * product[l][n + k]);
        }
      }
      for (int strip = 0; strip < packing.strips(); strip++) {
        operands.get(1).put(strip, part, packed, 2 * strip * width);
      }
    };
  }

  /**
   * For each entry e of a sum some of {@code all} matrices K times a component of the second line,
   * with the factor: {@code [K][e]}; or the sum of such products times those of the first line.
   */
  static BatchSpinMapping mapping(LinePairSum sum, int all, int begin, int count, boolean second) {
    int entries = sum.size();
    int[] each = IntStream.range(0, count * entries).toArray();
    int[] matrix = IntStream.of(each).map(k -> begin + k / entries).toArray();
    int[] line =
        IntStream.of(each)
            .map(k -> second ? sum.second(k % entries) : sum.first(k % entries))
            .toArray();
    double[] factors = new double[2 * each.length];
    for (int k : each) {
      factors[2 * k] = second ? sum.factorRe(k % entries) : 1;
      factors[2 * k + 1] = second ? sum.factorIm(k % entries) : 0;
    }
    return second
        ? new BatchSpinMapping(all, SPINS, each.length, matrix, line, each, factors)
        : new BatchSpinMapping(SPINS, each.length, all, line, each, matrix, factors);
  }
}
