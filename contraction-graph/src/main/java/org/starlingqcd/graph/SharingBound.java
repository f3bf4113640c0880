package org.starlingqcd.graph;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A lower bound for the number of products of any reduction. Let k(q) be how many cycles could use
 * product q. In every reduction, each product can be paid for by the cycles that use it, 1/k(q) or
 * more each; hence no reduction has fewer products than the sum, over the cycles, of the cheapest
 * way to evaluate each when product q costs 1/k(q). This is a feasible point of the dual of the
 * linear relaxation. Accumulation can merge products of different cycles and go below it.
 */
final class SharingBound {
  private SharingBound() {}

  /** The bound for the classes of a reduction, whatever it has made. */
  static long products(Reduction reduction) {
    CycleIntervals intervals = new CycleIntervals(reduction);
    int classes = reduction.classes().size();
    Map<Integer, Integer> users = new HashMap<>();
    for (int c = 0; c < classes; c++) {
      for (int product : intervals.products(c)) {
        users.merge(product, intervals.multiplicity(c, product), Integer::sum);
      }
    }
    CycleParenthesization solver = new CycleParenthesization(intervals, new SplittableRandom(0));
    solver.setDrifting(false);
    double bound = 0;
    for (int c = 0; c < classes; c++) {
      bound += solver.solve(c, (s, length) -> length == 1 ? 0 : 1.0 / users.getOrDefault(s, 1));
    }
    // Rounding errors of a few thousand fractions must not lift the bound by one.
    return (long) Math.ceil(bound - 1e-6);
  }
}
