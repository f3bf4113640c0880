package org.starlingqcd.graph.reduce;

import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * The cheapest way of evaluating one class when every product and node has a price: dynamic
 * programming over the intervals of its words, n³ steps for n letters. Ties between words go to the
 * first, so that classes that belong together keep the same orientation.
 */
final class CycleParenthesization {
  /** The cost of an element if it is needed. */
  interface Price {
    double of(int sequence, int length);
  }

  private final CycleIntervals intervals;
  private final SplittableRandom random;
  private boolean drifting = true;
  // cost[w][length][start], choice likewise: letters of the left factor.
  private double[][][] cost = new double[2][0][0];
  private int[][][] choice = new int[2][0][0];
  private int bestWord;
  private int bestStart;
  private int bestLength;
  private double bestCost;

  CycleParenthesization(CycleIntervals intervals, SplittableRandom random) {
    this.intervals = intervals;
    this.random = random;
  }

  /** Whether ties are broken at random from now on, rather than in favour of the first. */
  void setDrifting(boolean on) {
    drifting = on;
  }

  private boolean drift(int ties) {
    return drifting && random.nextInt(ties) == 0;
  }

  /**
   * Solves a class. A product with price zero exists already, so its factors cost nothing either.
   */
  double solve(int number, Price price) {
    int n = intervals.wordLength(number);
    if (cost[0].length < n + 1) {
      cost = new double[2][n + 1][n + 1];
      choice = new int[2][n + 1][n + 1];
    }
    bestCost = Double.POSITIVE_INFINITY;
    int ties = 0;
    for (int w = 0; w < intervals.words(number); w++) {
      fill(number, w, n, price);
      if (n == 1) {
        if (cost[w][1][0] < bestCost) {
          choose(w, 0, 1, cost[w][1][0]);
        }
        continue;
      }
      for (int length = 1; 2 * length <= n; length++) {
        for (int start = 0; start < n; start++) {
          double total = cost(number, w, start, length, n - length);
          if (total < bestCost) {
            ties = 1;
            choose(w, start, length, total);
          } else if (total == bestCost && w == bestWord && drift(++ties)) {
            choose(w, start, length, total);
          }
        }
      }
    }
    return bestCost;
  }

  private void choose(int word, int start, int length, double total) {
    bestWord = word;
    bestStart = start;
    bestLength = length;
    bestCost = total;
  }

  private void fill(int number, int w, int n, Price price) {
    for (int length = 1; length <= Math.max(1, n - 1); length++) {
      for (int start = 0; start < n; start++) {
        double own = price.of(intervals.letter(number, w, start, length) >> 4, length);
        if (own == 0 || length == 1) {
          cost[w][length][start] = own;
          continue;
        }
        double least = Double.POSITIVE_INFINITY;
        int ties = 0;
        for (int left = 1; left < length; left++) {
          double sum = cost(number, w, start, left, length - left);
          if (sum < least) {
            least = sum;
            ties = 1;
            choice[w][length][start] = left;
          } else if (sum == least && drift(++ties)) {
            choice[w][length][start] = left;
          }
        }
        cost[w][length][start] = own + least;
      }
    }
  }

  /** The cost of two neighbouring factors; equal factors are made once. */
  private double cost(int number, int w, int start, int left, int right) {
    int next = (start + left) % intervals.wordLength(number);
    if (left == right
        && intervals.letter(number, w, start, left) >> 4
            == intervals.letter(number, w, next, right) >> 4) {
      return cost[w][left][start];
    }
    return cost[w][left][start] + cost[w][right][next];
  }

  /** The word of the solution. */
  int word() {
    return bestWord;
  }

  /** Where the first factor of the trace begins. */
  int start() {
    return bestStart;
  }

  /** Letters of the first factor of the trace. */
  int length() {
    return bestLength;
  }

  /**
   * Walks through the products of the solution, each before its factors; one that occurs twice
   * comes twice.
   */
  void forEachProduct(int number, IntConsumer action) {
    int n = intervals.wordLength(number);
    walk(number, bestStart, bestLength, action);
    if (n > 1) {
      walk(number, (bestStart + bestLength) % n, n - bestLength, action);
    }
  }

  private void walk(int number, int start, int length, IntConsumer action) {
    if (length > 1) {
      action.accept(intervals.letter(number, bestWord, start, length) >> 4);
      int left = choice[bestWord][length][start];
      walk(number, start, left, action);
      walk(number, (start + left) % intervals.wordLength(number), length - left, action);
    }
  }

  /** Letters of the left factor of the product of {@code length} letters from {@code start}. */
  int leftLength(int word, int start, int length) {
    return choice[word][length][start];
  }
}
