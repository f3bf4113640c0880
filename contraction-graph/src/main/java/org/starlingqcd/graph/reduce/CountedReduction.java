package org.starlingqcd.graph.reduce;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A reduction with the number of users of each element and the cost of all that are in use. Classes
 * can be taken out and put back.
 *
 * <p>Costs count 64 N³ for a product and 16 N³ for a node, in units of which mixed, sink-only and
 * source-only products differ by little enough only to break ties.
 */
final class CountedReduction {
  private static final double PRODUCT = 1024;
  private static final double NODE = 256;
  private static final double FORBIDDEN = 1e12;
  private static final double ATTACHED_ELEMENTAL = 256;

  private final Reduction reduction;
  private final CycleIntervals intervals;
  private final CycleParenthesization solver;
  private final int[] users;
  private final double[] price;
  private double total;
  private int forbidden = -1;
  private int[] treeProducts = new int[64];

  /** Counts nothing yet. */
  CountedReduction(Reduction reduction, CycleIntervals intervals, SplittableRandom random) {
    this.reduction = reduction;
    this.intervals = intervals;
    solver = new CycleParenthesization(intervals, random);
    int n = reduction.sequences().size();
    users = new int[n];
    price = new double[n];
    for (int s = 0; s < n; s++) {
      price[s] = price(reduction, s);
    }
  }

  /** A copy of a reduction, from which all classes are taken out. */
  CountedReduction(CountedReduction other, SplittableRandom random) {
    reduction = other.reduction.copy();
    intervals = other.intervals;
    solver = new CycleParenthesization(intervals, random);
    users = new int[other.users.length];
    price = other.price;
    countAll();
    removeAll();
  }

  /** Counts all classes as they are evaluated. */
  void countAll() {
    for (int c = 0; c < reduction.classes().size(); c++) {
      count(c);
    }
  }

  private void count(int c) {
    use(reduction.traceLeft(c));
    use(reduction.traceRight(c));
  }

  /** Takes out all classes. */
  void removeAll() {
    for (int c = 0; c < reduction.classes().size(); c++) {
      remove(c);
    }
  }

  /** Copies another reduction of the same classes into this one and counts all of them. */
  void take(CountedReduction other) {
    removeAll();
    reduction.take(other.reduction);
    countAll();
  }

  /** The solver that puts classes back. */
  CycleParenthesization solver() {
    return solver;
  }

  /** The cost of all elements in use. */
  double total() {
    return total;
  }

  /** Whether an element is in use. */
  boolean isUsed(int sequence) {
    return users[sequence] > 0;
  }

  /** Makes a product so expensive that no class is put back with it; -1 lifts this. */
  void forbid(int product) {
    forbidden = product;
  }

  private static double price(Reduction reduction, int sequence) {
    boolean single = reduction.sequences().length(sequence) == 1;
    if (reduction.hasCurrent(sequence)) {
      return single ? 0 : FORBIDDEN;
    }
    if (reduction.endsWithElemental(sequence)) {
      return single ? 0 : ATTACHED_ELEMENTAL + reduction.timeRank(sequence);
    }
    return single ? NODE : PRODUCT + reduction.timeRank(sequence);
  }

  /** The cost of an element that has no user yet. */
  double price(int sequence) {
    return price[sequence];
  }

  /** The cost of an element for one more user: zero if it has a user already. */
  double currentPrice(int sequence, int length) {
    if (sequence == forbidden) {
      return FORBIDDEN;
    }
    return users[sequence] > 0 ? 0 : price(sequence);
  }

  private void use(int letter) {
    if (letter < 0) {
      return;
    }
    int s = letter >> 4;
    if (users[s]++ == 0) {
      int length = reduction.sequences().length(s);
      total += price(s);
      if (length > 1) {
        use(reduction.splitLeft(s));
        use(reduction.splitRight(s));
      }
    }
  }

  private void release(int letter) {
    if (letter < 0) {
      return;
    }
    int s = letter >> 4;
    if (--users[s] == 0) {
      int length = reduction.sequences().length(s);
      total -= price(s);
      if (length > 1) {
        release(reduction.splitLeft(s));
        release(reduction.splitRight(s));
        reduction.clearSplit(s);
      }
    }
  }

  /** Takes a class out. */
  void remove(int c) {
    release(reduction.traceLeft(c));
    release(reduction.traceRight(c));
  }

  /** Puts a class back in the way that is cheapest at some prices. */
  void insert(int c, CycleParenthesization.Price price) {
    solver.solve(c, price);
    int n = intervals.wordLength(c);
    int w = solver.word();
    int start = solver.start();
    int length = solver.length();
    int left = intervals.letter(c, w, start, length);
    int right = n == 1 ? -1 : intervals.letter(c, w, start + length, n - length);
    reduction.setTrace(c, w == 1, left, right);
    build(c, w, start, length);
    if (n > 1) {
      build(c, w, (start + length) % n, n - length);
    }
  }

  private void build(int c, int w, int start, int length) {
    int s = intervals.letter(c, w, start, length) >> 4;
    if (users[s]++ > 0) {
      return;
    }
    total += price(s);
    if (length > 1) {
      int left = solver.leftLength(w, start, length);
      int next = (start + left) % intervals.wordLength(c);
      reduction.setSplit(
          s, intervals.letter(c, w, start, left), intervals.letter(c, w, next, length - left));
      build(c, w, start, left);
      build(c, w, next, length - left);
    }
  }

  /** Lists the products that a class is evaluated by in {@link #product}; returns their number. */
  int productsOf(int c) {
    int n = collect(reduction.traceLeft(c), 0);
    return collect(reduction.traceRight(c), n);
  }

  /** One of the products that were listed last. */
  int product(int place) {
    return treeProducts[place];
  }

  private int collect(int letter, int count) {
    if (letter < 0 || reduction.sequences().length(letter >> 4) == 1) {
      return count;
    }
    if (count == treeProducts.length) {
      treeProducts = Arrays.copyOf(treeProducts, 2 * count);
    }
    treeProducts[count] = letter >> 4;
    int n = collect(reduction.splitLeft(letter >> 4), count + 1);
    return collect(reduction.splitRight(letter >> 4), n);
  }

  /** How a class is evaluated. */
  private record Way(int number, boolean reversed, int left, int right) {}

  /** How some classes are evaluated, so that it can be brought back. */
  final class Snapshot {
    private final Map<Integer, int[]> splits = new HashMap<>();
    private final Way[] ways;

    Snapshot(int[] affected) {
      ways = new Way[affected.length];
      for (int k = 0; k < affected.length; k++) {
        int c = affected[k];
        int n = productsOf(c);
        for (int j = 0; j < n; j++) {
          int s = treeProducts[j];
          splits.put(s, new int[] {reduction.splitLeft(s), reduction.splitRight(s)});
        }
        ways[k] =
            new Way(c, reduction.traceReversed(c), reduction.traceLeft(c), reduction.traceRight(c));
      }
    }

    /** Puts the classes back as they were; they must have been taken out. */
    void restore() {
      splits.forEach(
          (s, split) -> {
            if (users[s] == 0) {
              reduction.setSplit(s, split[0], split[1]);
            }
          });
      for (Way way : ways) {
        reduction.setTrace(way.number(), way.reversed(), way.left(), way.right());
        count(way.number());
      }
    }
  }
}
