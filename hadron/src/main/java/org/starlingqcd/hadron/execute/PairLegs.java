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
  /** Complex numbers of a tetraquark with one line that are kept at once. */
  private static final long MOST = 1 << 22;

  private static final int SPINS = SpinMatrix.SPINS * SpinMatrix.SPINS;

  private PairLegs() {}

  /** The second line, and {@code Σ factor lineᵀ} for each component of the first. */
  static RowWork turn(LinePairSum sum, int n) {
    return (component, operands) -> {
      double[][] to = new double[n][2 * n];
      double[] row = new double[2 * n];
      for (int e = 0; e < sum.size(); e++) {
        if (sum.first(e) == component) {
          for (int l = 0; l < n; l++) {
            operands.get(0).get(sum.second(e), l, row, 0);
            for (int k = 0; k < n; k++) {
              to[k][l] += sum.factorRe(e) * row[k] - sum.factorIm(e) * row[n + k];
              to[k][n + l] += sum.factorRe(e) * row[n + k] + sum.factorIm(e) * row[k];
            }
          }
        }
      }
      for (int k = 0; k < n; k++) {
        operands.get(1).put(component, k, to[k], 0);
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
      for (int l = 0; l < n; l++) {
        for (int k = 0; k < n; k++) {
          int exchange = packing.sign(k, l);
          int at = exchange == 0 ? 0 : packing.place(k, l);
          row[k] = exchange * packed[at];
          row[n + k] = exchange * packed[packing.pairs() + at];
        }
        operands.get(1).put(part, l, row, 0);
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
          packed[at] = weight * (product[l][k] + packing.sign() * product[k][l]);
          packed[at + width] = weight * (product[l][n + k] + packing.sign() * product[k][n + l]);
        }
      }
      for (int strip = 0; strip < packing.strips(); strip++) {
        operands.get(1).put(strip, part, packed, 2 * strip * width);
      }
    };
  }

  /** How many rows of K meet all components of the first line at once. */
  static int together(PairPacking packing) {
    long numbers = (long) SPINS * packing.extent() * packing.extent();
    return (int) Math.max(1, Math.min(packing.rows(), MOST / numbers));
  }

  /**
   * Some of {@code all} matrices X times each component of the first line, {@code
   * [matrix][component]}; or {@code Σ Y X}, Y the components of {@link #turn}, of such products.
   */
  static BatchSpinMapping mapping(int all, int first, int count, boolean outer) {
    int size = count * SPINS;
    int[] each = IntStream.range(0, size).toArray();
    int[] matrix = IntStream.of(each).map(k -> first + k / SPINS).toArray();
    int[] component = IntStream.of(each).map(k -> k % SPINS).toArray();
    double[] factors = IntStream.range(0, 2 * size).mapToDouble(k -> 1 - k % 2).toArray();
    return outer
        ? new BatchSpinMapping(all, SPINS, size, matrix, component, each, factors)
        : new BatchSpinMapping(SPINS, size, all, component, each, matrix, factors);
  }
}
