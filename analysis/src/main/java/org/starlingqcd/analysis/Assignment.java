package org.starlingqcd.analysis;

import java.util.Arrays;

/** The one-to-one assignment of columns to rows with the largest sum of weights. */
final class Assignment {
  private Assignment() {}

  /*
   * The Hungarian method with potentials, row by row along shortest augmenting paths (H. W. Kuhn, Naval Res.
   * Logist. Quart. 2 (1955) 83; J. Munkres, J. SIAM 5 (1957) 32): O(n³). A greedy choice could leave two badly
   * fitting partners over for each other where states mix.
   */

  /**
   * Assigns.
   *
   * @param weights [n][n], finite
   * @return for every row its column
   */
  static int[] ofLargestSum(double[][] weights) {
    int n = weights.length;
    double[] rowPotential = new double[n + 1];
    double[] columnPotential = new double[n + 1];
    int[] rowOf = new int[n + 1];
    int[] previous = new int[n + 1];
    for (int row = 1; row <= n; row++) {
      rowOf[0] = row;
      int column = 0;
      double[] slack = new double[n + 1];
      Arrays.fill(slack, Double.POSITIVE_INFINITY);
      boolean[] reached = new boolean[n + 1];
      do {
        reached[column] = true;
        int from = rowOf[column];
        double step = Double.POSITIVE_INFINITY;
        int next = 0;
        for (int j = 1; j <= n; j++) {
          if (!reached[j]) {
            double cost = -weights[from - 1][j - 1] - rowPotential[from] - columnPotential[j];
            if (cost < slack[j]) {
              slack[j] = cost;
              previous[j] = column;
            }
            if (slack[j] < step) {
              step = slack[j];
              next = j;
            }
          }
        }
        for (int j = 0; j <= n; j++) {
          if (reached[j]) {
            rowPotential[rowOf[j]] += step;
            columnPotential[j] -= step;
          } else {
            slack[j] -= step;
          }
        }
        column = next;
      } while (rowOf[column] != 0);
      while (column != 0) {
        rowOf[column] = rowOf[previous[column]];
        column = previous[column];
      }
    }
    int[] columnOf = new int[n];
    for (int j = 1; j <= n; j++) {
      columnOf[rowOf[j] - 1] = j - 1;
    }
    return columnOf;
  }
}
