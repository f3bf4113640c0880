package org.starlingqcd.graph.reduce;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.starlingqcd.graph.Concurrently;

/**
 * Improves a greedy reduction: takes cycles out and puts them back in the way that is cheapest in
 * view of all the others.
 */
final class ReductionSearch {
  /*
   * (1) Descent. One class after the other is taken out and put back by dynamic programming, in which products that others use cost
   *     nothing. Ties are broken at random, which lets the reduction drift on plateaus.
   * (2) A second start. In a cost-sharing game every class pays 1/k of a product that k classes use; best responses with shares that are
   *     updated between rounds find long products that many cycles could share, which the greedy, looking at pairs, does not see.
   *     Descent from there; the better of the two stays.
   * (3) Large neighbourhoods. One product is forbidden, all classes that use it are put back without it, then once more with it allowed;
   *     what raises the cost is undone.
   *
   * Costs count 64 N³ for a product and 16 N³ for a node, in units of which mixed, sink-only and source-only products differ by little
   * enough only to break ties. A step is one class put back; the number of steps is limited, and everything is seeded.
   */

  private static final double PRODUCT = 1024;
  private static final double NODE = 256;
  private static final double FORBIDDEN = 1e12;

  /** More of them make shares that no cycle alone can leave. */
  private static final int SHARING_ROUNDS = 3;

  private static final int PATIENCE = 4;

  /** Steps without improvement after which the search ends, and as many for each class. */
  private static final int IDLE_STEPS = 20_000;

  private static final int IDLE_ROUNDS = 20;

  /** Classes that may be put back together. */
  private static final int NEIGHBOURHOOD = 64;

  /** Most ints for the intervals of all words; beyond, the greedy reduction stays. */
  private static final long INTERVAL_LIMIT = 40_000_000;

  private final Reduction reduction;
  private final int classCount;
  private final CycleIntervals intervals;
  private final CycleParenthesization solver;
  private final SplittableRandom random;
  private final int[] users;
  private final byte[] timeRank;
  private final int[][] classesOf;
  // Classes that need a product.
  private final int[] longClasses;
  private long stepsLeft;
  private double total;
  private int forbidden = -1;
  private int[] treeProducts = new int[64];

  private ReductionSearch(Reduction reduction, long steps, long seed) {
    this.reduction = reduction;
    classCount = reduction.classes().size();
    intervals = new CycleIntervals(reduction);
    random = new SplittableRandom(seed);
    solver = new CycleParenthesization(intervals, random);
    stepsLeft = steps;
    int n = reduction.sequences().size();
    users = new int[n];
    timeRank = new byte[n];
    for (int s = 0; s < n; s++) {
      timeRank[s] = (byte) reduction.timeRank(s);
    }
    classesOf = index();
    longClasses = IntStream.range(0, classCount).filter(c -> intervals.wordLength(c) > 2).toArray();
  }

  /** A search of its own from nothing, on a copy of the reduction. */
  private ReductionSearch(ReductionSearch other, long steps) {
    reduction = other.reduction.copy();
    classCount = other.classCount;
    intervals = other.intervals;
    random = other.random.split();
    solver = new CycleParenthesization(intervals, random);
    stepsLeft = steps;
    users = new int[other.users.length];
    timeRank = other.timeRank;
    classesOf = other.classesOf;
    longClasses = other.longClasses;
    for (int c = 0; c < classCount; c++) {
      use(reduction.traceLeft(c));
      use(reduction.traceRight(c));
    }
    for (int c = 0; c < classCount; c++) {
      remove(c);
    }
  }

  /**
   * Prepares for a reduction, if the search is worthwhile. Afterwards no sequence is new to the
   * reduction.
   */
  static Optional<ReductionSearch> of(Reduction reduction, long steps, long seed) {
    boolean worthwhile =
        steps > 0
            && reduction.classes().hasProducts()
            && CycleIntervals.size(reduction.classes()) <= INTERVAL_LIMIT;
    return worthwhile ? Optional.of(new ReductionSearch(reduction, steps, seed)) : Optional.empty();
  }

  private int[][] index() {
    int[] count = new int[users.length];
    int[][] products = new int[classCount][];
    for (int c = 0; c < classCount; c++) {
      products[c] = intervals.products(c);
      for (int p : products[c]) {
        count[p]++;
      }
    }
    int[][] lists = new int[users.length][];
    for (int s = 0; s < lists.length; s++) {
      lists[s] = new int[count[s]];
    }
    for (int c = classCount - 1; c >= 0; c--) {
      for (int p : products[c]) {
        lists[p][--count[p]] = c;
      }
    }
    return lists;
  }

  /** Improves the reduction in place. */
  void improve() {
    long third = stepsLeft / 3;
    ReductionSearch second = new ReductionSearch(this, third);
    CompletableFuture<Double> secondTotal =
        Concurrently.begin(
            () -> {
              second.share();
              second.descend(second.stepsLeft);
              return second.total;
            });
    for (int c = 0; c < classCount; c++) {
      use(reduction.traceLeft(c));
      use(reduction.traceRight(c));
    }
    stepsLeft -= third;
    descend(stepsLeft);
    if (Concurrently.join(secondTotal) <= total) {
      for (int c = 0; c < classCount; c++) {
        remove(c);
      }
      reduction.take(second.reduction);
      for (int c = 0; c < classCount; c++) {
        use(reduction.traceLeft(c));
        use(reduction.traceRight(c));
      }
    }
    stepsLeft += second.stepsLeft;
    perturb();
    // Without drift, classes that belong together are evaluated alike, which is what accumulation
    // needs.
    solver.setDrifting(false);
    for (int c = 0; c < classCount; c++) {
      remove(c);
      insert(c, this::currentPrice);
    }
  }

  /** What an element costs that is not there yet. */
  private double price(int sequence, int length) {
    return length == 1 ? NODE : PRODUCT + timeRank[sequence];
  }

  private double currentPrice(int sequence, int length) {
    if (sequence == forbidden) {
      return FORBIDDEN;
    }
    return users[sequence] > 0 ? 0 : price(sequence, length);
  }

  private void use(int letter) {
    if (letter < 0) {
      return;
    }
    int s = letter >> 4;
    if (users[s]++ == 0) {
      int length = reduction.sequences().length(s);
      total += price(s, length);
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
      total -= price(s, length);
      if (length > 1) {
        release(reduction.splitLeft(s));
        release(reduction.splitRight(s));
        reduction.clearSplit(s);
      }
    }
  }

  private void remove(int c) {
    release(reduction.traceLeft(c));
    release(reduction.traceRight(c));
  }

  private void insert(int c, CycleParenthesization.Price price) {
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
    stepsLeft--;
  }

  private void build(int c, int w, int start, int length) {
    int s = intervals.letter(c, w, start, length) >> 4;
    if (users[s]++ > 0) {
      return;
    }
    total += price(s, length);
    if (length > 1) {
      int left = solver.leftLength(w, start, length);
      int next = (start + left) % intervals.wordLength(c);
      reduction.setSplit(
          s, intervals.letter(c, w, start, left), intervals.letter(c, w, next, length - left));
      build(c, w, start, left);
      build(c, w, next, length - left);
    }
  }

  private void descend(long steps) {
    long end = stepsLeft - steps;
    int[] order = longClasses.clone();
    int idle = 0;
    while (idle < PATIENCE && stepsLeft - order.length > end) {
      double before = total;
      shuffle(order);
      for (int c : order) {
        remove(c);
        insert(c, this::currentPrice);
      }
      idle = total < before ? 0 : idle + 1;
    }
  }

  private void shuffle(int[] order) {
    for (int k = order.length - 1; k > 0; k--) {
      int j = random.nextInt(k + 1);
      int swap = order[k];
      order[k] = order[j];
      order[j] = swap;
    }
  }

  /** Builds a reduction from nothing by the cost-sharing game. */
  private void share() {
    double[] shares = new double[users.length];
    for (int s = 0; s < shares.length; s++) {
      shares[s] = Math.max(1, classesOf[s].length);
    }
    CycleParenthesization.Price shared =
        (s, length) -> length == 1 ? 0 : price(s, length) / shares[s];
    int[] count = new int[users.length];
    for (int round = 0; round < SHARING_ROUNDS && stepsLeft > classCount; round++) {
      Arrays.fill(count, 0);
      for (int c = 0; c < classCount; c++) {
        solver.solve(c, shared);
        stepsLeft--;
        int n = intervals.wordLength(c);
        tally(c, solver.start(), solver.length(), count);
        if (n > 1) {
          tally(c, (solver.start() + solver.length()) % n, n - solver.length(), count);
        }
      }
      for (int s = 0; s < shares.length; s++) {
        shares[s] = Math.max(0.25, (shares[s] + count[s]) / 2);
      }
    }
    CycleParenthesization.Price rest =
        (s, length) -> users[s] > 0 ? 0 : length == 1 ? NODE : price(s, length) / shares[s];
    for (int c = 0; c < classCount; c++) {
      insert(c, rest);
    }
  }

  private void tally(int c, int start, int length, int[] count) {
    if (length == 1) {
      return;
    }
    int w = solver.word();
    count[intervals.letter(c, w, start, length) >> 4]++;
    int left = solver.leftLength(w, start, length);
    tally(c, start, left, count);
    tally(c, (start + left) % intervals.wordLength(c), length - left, count);
  }

  private void perturb() {
    int[] affected = new int[NEIGHBOURHOOD];
    double best = total;
    long patience = IDLE_STEPS + (long) IDLE_ROUNDS * longClasses.length;
    long giveUp = stepsLeft - patience;
    while (stepsLeft > Math.max(0, giveUp)) {
      if (total < best) {
        best = total;
        giveUp = stepsLeft - patience;
      }
      int products = productsOf(longClasses[random.nextInt(longClasses.length)]);
      stepsLeft--;
      int product = treeProducts[random.nextInt(products)];
      int n = 0;
      boolean tooMany = false;
      for (int c : classesOf[product]) {
        int m = productsOf(c);
        stepsLeft--;
        for (int k = 0; k < m && !tooMany; k++) {
          if (treeProducts[k] == product) {
            tooMany = n == NEIGHBOURHOOD;
            if (!tooMany) {
              affected[n++] = c;
            }
            break;
          }
        }
      }
      if (!tooMany) {
        reroute(product, Arrays.copyOf(affected, n));
      }
    }
  }

  /** Lists the products that a class is evaluated by in {@code treeProducts}. */
  private int productsOf(int c) {
    int n = collect(reduction.traceLeft(c), 0);
    return collect(reduction.traceRight(c), n);
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

  private void reroute(int product, int[] affected) {
    double before = total;
    Map<Integer, int[]> splits = new HashMap<>();
    int[][] traces = new int[affected.length][];
    for (int k = 0; k < affected.length; k++) {
      int c = affected[k];
      int n = productsOf(c);
      for (int j = 0; j < n; j++) {
        int s = treeProducts[j];
        splits.put(s, new int[] {reduction.splitLeft(s), reduction.splitRight(s)});
      }
      traces[k] =
          new int[] {
            reduction.traceLeft(c), reduction.traceRight(c), reduction.traceReversed(c) ? 1 : 0
          };
    }
    for (int c : affected) {
      remove(c);
    }
    shuffle(affected, traces);
    forbidden = product;
    for (int c : affected) {
      insert(c, this::currentPrice);
    }
    forbidden = -1;
    for (int c : affected) {
      remove(c);
      insert(c, this::currentPrice);
    }
    if (total > before) {
      for (int c : affected) {
        remove(c);
      }
      for (int k = 0; k < affected.length; k++) {
        reduction.setTrace(affected[k], traces[k][2] != 0, traces[k][0], traces[k][1]);
        rebuild(traces[k][0], splits);
        rebuild(traces[k][1], splits);
      }
    }
  }

  private void shuffle(int[] classes, int[][] traces) {
    for (int k = classes.length - 1; k > 0; k--) {
      int j = random.nextInt(k + 1);
      int swap = classes[k];
      classes[k] = classes[j];
      classes[j] = swap;
      int[] swapTrace = traces[k];
      traces[k] = traces[j];
      traces[j] = swapTrace;
    }
  }

  private void rebuild(int letter, Map<Integer, int[]> splits) {
    if (letter < 0) {
      return;
    }
    int s = letter >> 4;
    if (users[s]++ == 0) {
      int length = reduction.sequences().length(s);
      total += price(s, length);
      int[] split = splits.get(s);
      if (length > 1 && split != null) {
        reduction.setSplit(s, split[0], split[1]);
        rebuild(split[0], splits);
        rebuild(split[1], splits);
      }
    }
  }
}
