package org.starlingqcd.graph.reduce;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Whether any reduction without accumulation has fewer products than a given number, by branch and
 * bound: a product of two nodes is made, or forbidden; {@link SharingBound}'s ascent on what is
 * left cuts branches off. Exact, and quick where the bound is close.
 */
final class BranchAndBound {
  private static final double FORBIDDEN = 1e9;
  private static final double ROUNDING = 1e-6;
  private static final int ROOT_ROUNDS = 400;
  private static final int ROUNDS = 60;

  private enum State {
    OPEN,
    MADE,
    FORBIDDEN
  }

  private final Reduction reduction;
  private final CycleIntervals intervals;
  private final CycleParenthesization solver;
  private final int[][] products;
  private final int[][] multiplicities;
  private final State[] states;
  private final double[] price;
  private final double[] sum;
  private final int[] users;
  private final boolean[] used;
  private final int limit;

  private BranchAndBound(CycleClasses classes, int limit) {
    this.limit = limit;
    reduction = new Reduction(classes, true);
    intervals = new CycleIntervals(reduction);
    solver = new CycleParenthesization(intervals, new SplittableRandom(0));
    solver.setDrifting(false);
    products = new int[classes.size()][];
    multiplicities = new int[classes.size()][];
    for (int c = 0; c < products.length; c++) {
      int number = c;
      products[c] = intervals.products(c);
      multiplicities[c] =
          Arrays.stream(products[c]).map(p -> intervals.multiplicity(number, p)).toArray();
    }
    int n = reduction.sequences().size();
    states = new State[n];
    Arrays.fill(states, State.OPEN);
    price = new double[n];
    sum = new double[n];
    users = new int[n];
    used = new boolean[n];
  }

  /** Whether every reduction has at least so many products. */
  static boolean needsAtLeast(CycleClasses classes, int count) {
    BranchAndBound search = new BranchAndBound(classes, count);
    double[][] parts = new double[classes.size()][];
    for (int c = 0; c < parts.length; c++) {
      parts[c] = new double[search.products[c].length];
      Arrays.fill(parts[c], 1);
    }
    return search.isCutOff(parts, 0, ROOT_ROUNDS);
  }

  private boolean isCutOff(double[][] parent, int made, int rounds) {
    double[][] parts = Arrays.stream(parent).map(double[]::clone).toArray(double[][]::new);
    int[] score = new int[users.length];
    double bound = 0;
    for (int round = 0; round < rounds; round++) {
      scale(parts);
      bound = Math.max(bound, round(parts, 0.6 / Math.sqrt(1 + round / 10.0)));
      if (made + Math.ceil(bound - ROUNDING) >= limit) {
        return true;
      }
      Arrays.setAll(score, p -> score[p] + users[p]);
    }
    int branch = -1;
    for (int p = 0; p < score.length; p++) {
      boolean isPair = states[p] == State.OPEN && reduction.sequences().length(p) == 2;
      if (isPair && score[p] > (branch < 0 ? 0 : score[branch])) {
        branch = p;
      }
    }
    if (branch < 0) {
      return false;
    }
    states[branch] = State.MADE;
    boolean cutOff = isCutOff(parts, made + 1, ROUNDS);
    states[branch] = State.FORBIDDEN;
    cutOff = cutOff && isCutOff(parts, made, ROUNDS);
    states[branch] = State.OPEN;
    return cutOff;
  }

  private void scale(double[][] parts) {
    Arrays.fill(sum, 0);
    for (int c = 0; c < parts.length; c++) {
      for (int j = 0; j < parts[c].length; j++) {
        sum[products[c][j]] += multiplicities[c][j] * parts[c][j];
      }
    }
    for (int c = 0; c < parts.length; c++) {
      for (int j = 0; j < parts[c].length; j++) {
        parts[c][j] /= sum[products[c][j]];
      }
    }
  }

  private double round(double[][] parts, double step) {
    Arrays.fill(users, 0);
    double bound = 0;
    for (int c = 0; c < parts.length; c++) {
      for (int j = 0; j < parts[c].length; j++) {
        int p = products[c][j];
        price[p] =
            switch (states[p]) {
              case OPEN -> parts[c][j];
              case MADE -> 0;
              case FORBIDDEN -> FORBIDDEN;
            };
      }
      bound += solver.solve(c, (s, length) -> length == 1 ? 0 : price[s]);
      int n = intervals.wordLength(c);
      mark(c, solver.start(), solver.length());
      if (n > 1) {
        mark(c, (solver.start() + solver.length()) % n, n - solver.length());
      }
      for (int j = 0; j < parts[c].length; j++) {
        if (used[products[c][j]]) {
          users[products[c][j]]++;
          parts[c][j] *= 1 + step;
          used[products[c][j]] = false;
        }
      }
    }
    return bound;
  }

  private void mark(int c, int start, int length) {
    int product = intervals.letter(c, solver.word(), start, length) >> 4;
    if (length > 1 && states[product] != State.MADE) {
      used[product] = true;
      int left = solver.leftLength(solver.word(), start, length);
      mark(c, start, left);
      mark(c, (start + left) % intervals.wordLength(c), length - left);
    }
  }
}
