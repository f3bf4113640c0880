package org.starlingqcd.graph.reduce;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.plan.Optimization;
import org.starlingqcd.graph.plan.ReducerOptions;

/**
 * A lower bound for the number of products of any reduction without accumulation, which can merge
 * products of different cycles and go below it.
 *
 * <p>Let the cycles that could use a product share its cost, in fractions that add up to one. In
 * every reduction each product can then be paid for by the cycles that use it, and no cycle pays
 * less than the cheapest way to evaluate it at its own prices. So no reduction has fewer products
 * than the sum of these over the cycles, whatever the parts. This is the dual of the linear
 * relaxation; parts are sought that make the sum large.
 */
public final class SharingBound {
  /*
   * The sum is concave in the parts, and a product that a cycle's cheapest way uses is its supergradient: exponentiated gradient ascent
   * raises the part of every cycle in the products that it uses and scales the parts of each product back to one. The step falls with the
   * root of the number of rounds.
   */

  private static final double STEP = 0.6;
  private static final double STEP_ROUNDS = 10;
  private static final int MOST_ROUNDS = 1000;

  /** Intervals of letters that may be looked at in all rounds; a second or two. */
  private static final long VISITS = 150_000_000;

  /** The rounding errors of a few thousand fractions must not raise the bound by one. */
  private static final double ROUNDING = 1e-6;

  private final CycleIntervals intervals;
  private final CycleParenthesization solver;
  private final int[][] products;
  private final int[][] multiplicities;
  // parts[c][j]: part of class c in the cost of products[c][j].
  private final double[][] parts;
  private final double[] sum;
  private final double[] price;
  private final boolean[] used;

  private SharingBound(Reduction reduction) {
    intervals = new CycleIntervals(reduction);
    solver = new CycleParenthesization(intervals, new SplittableRandom(0));
    solver.setDrifting(false);
    int classes = reduction.classes().size();
    products = new int[classes][];
    multiplicities = new int[classes][];
    parts = new double[classes][];
    int n = reduction.sequences().size();
    sum = new double[n];
    price = new double[n];
    used = new boolean[n];
    for (int c = 0; c < classes; c++) {
      products[c] = intervals.products(c);
      multiplicities[c] = new int[products[c].length];
      for (int j = 0; j < products[c].length; j++) {
        multiplicities[c][j] = intervals.multiplicity(c, products[c][j]);
      }
      parts[c] = new double[products[c].length];
      Arrays.fill(parts[c], 1);
    }
    scale();
  }

  /** The bound for the products that evaluate a set of diagrams. */
  public static long products(DiagramSet set, ReducerOptions options) {
    CycleClasses classes =
        new CycleClasses(set, CycleClasses.used(set, OutputSum.of(set)), options);
    return products(new Reduction(classes, options.uses(Optimization.END_GAMMAS)));
  }

  /** The bound for the classes of a reduction, whatever products it has. */
  static long products(Reduction reduction) {
    long size = Math.max(1, CycleIntervals.size(reduction.classes()));
    return new SharingBound(reduction).best((int) Math.min(MOST_ROUNDS, 1 + VISITS / size));
  }

  private long best(int rounds) {
    double best = 0;
    for (int round = 0; round < rounds; round++) {
      best = Math.max(best, round(STEP / Math.sqrt(1 + round / STEP_ROUNDS)));
      scale();
    }
    return (long) Math.ceil(best - ROUNDING);
  }

  /** Scales the parts of each product so that they add up to one. */
  private void scale() {
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

  /** The bound that the parts give; raises those that are used. */
  private double round(double step) {
    double bound = 0;
    for (int c = 0; c < parts.length; c++) {
      for (int j = 0; j < parts[c].length; j++) {
        price[products[c][j]] = parts[c][j];
      }
      bound += solver.solve(c, (s, length) -> length == 1 ? 0 : price[s]);
      solver.forEachProduct(c, s -> used[s] = true);
      for (int j = 0; j < parts[c].length; j++) {
        parts[c][j] *= used[products[c][j]] ? 1 + step : 1;
        used[products[c][j]] = false;
      }
    }
    return bound;
  }
}
