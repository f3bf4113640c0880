package org.starlingqcd.graph.reduce;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.starlingqcd.graph.Concurrently;
import org.starlingqcd.graph.SequenceTable;

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
   *     a change that raises the cost is undone.
   *
   * A step is one class put back; the number of steps is limited, and everything is seeded.
   */

  /** With more rounds, shares settle in states that no single cycle can improve. */
  private static final int SHARING_ROUNDS = 3;

  private static final int PATIENCE = 4;

  /** Steps without improvement after which the search ends, and as many for each class. */
  private static final int IDLE_STEPS = 20_000;

  private static final int IDLE_ROUNDS = 20;

  /** Classes that may be put back together. */
  private static final int NEIGHBOURHOOD = 64;

  /** Most ints for the intervals of all words; beyond, the greedy reduction stays. */
  private static final long INTERVAL_LIMIT = 40_000_000;

  private final CountedReduction counted;
  private final int classCount;
  private final CycleIntervals intervals;
  private final SplittableRandom random;
  // The classes that could use each product.
  private final int[][] classesOf;
  // Classes that need a product.
  private final int[] longClasses;
  private long stepsLeft;

  private ReductionSearch(Reduction reduction, long steps, long seed) {
    classCount = reduction.classes().size();
    intervals = new CycleIntervals(reduction);
    random = new SplittableRandom(seed);
    counted = new CountedReduction(reduction, intervals, random);
    stepsLeft = steps;
    int[][] products = new int[classCount][];
    Arrays.setAll(products, intervals::products);
    classesOf = SequenceTable.inverted(products, reduction.sequences().size());
    longClasses = IntStream.range(0, classCount).filter(c -> intervals.wordLength(c) > 2).toArray();
  }

  /** An independent search that starts with no class placed, on a copy of the reduction. */
  private ReductionSearch(ReductionSearch other, long steps) {
    classCount = other.classCount;
    intervals = other.intervals;
    random = other.random.split();
    counted = new CountedReduction(other.counted, random);
    stepsLeft = steps;
    classesOf = other.classesOf;
    longClasses = other.longClasses;
  }

  /**
   * Prepares the search for a reduction, or returns nothing if it is not worthwhile. It adds all
   * sequences that the search can meet to the table of the reduction.
   */
  static Optional<ReductionSearch> of(Reduction reduction, long steps, long seed) {
    boolean worthwhile =
        steps > 0
            && reduction.classes().hasProducts()
            && CycleIntervals.size(reduction.classes()) <= INTERVAL_LIMIT;
    return worthwhile ? Optional.of(new ReductionSearch(reduction, steps, seed)) : Optional.empty();
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
              return second.counted.total();
            });
    counted.countAll();
    stepsLeft -= third;
    descend(stepsLeft);
    if (Concurrently.join(secondTotal) <= counted.total()) {
      counted.take(second.counted);
    }
    stepsLeft += second.stepsLeft;
    perturb();
    // Without drift, classes that belong together are evaluated alike, which is what accumulation
    // needs.
    counted.solver().setDrifting(false);
    for (int c = 0; c < classCount; c++) {
      counted.remove(c);
      insert(c);
    }
  }

  private void insert(int c) {
    counted.insert(c, counted::currentPrice);
    stepsLeft--;
  }

  private void descend(long steps) {
    long end = stepsLeft - steps;
    int[] order = longClasses.clone();
    int idle = 0;
    while (idle < PATIENCE && stepsLeft - order.length > end) {
      double before = counted.total();
      shuffle(order);
      for (int c : order) {
        counted.remove(c);
        insert(c);
      }
      idle = counted.total() < before ? 0 : idle + 1;
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

  /** Builds a reduction by the cost-sharing game, starting with no class placed. */
  private void share() {
    double[] shares = new double[classesOf.length];
    for (int s = 0; s < shares.length; s++) {
      shares[s] = Math.max(1, classesOf[s].length);
    }
    CycleParenthesization.Price shared =
        (s, length) -> length == 1 ? 0 : counted.price(s) / shares[s];
    CycleParenthesization solver = counted.solver();
    int[] count = new int[classesOf.length];
    for (int round = 0; round < SHARING_ROUNDS && stepsLeft > classCount; round++) {
      Arrays.fill(count, 0);
      for (int c = 0; c < classCount; c++) {
        solver.solve(c, shared);
        stepsLeft--;
        solver.forEachProduct(c, s -> count[s]++);
      }
      for (int s = 0; s < shares.length; s++) {
        shares[s] = Math.max(0.25, (shares[s] + count[s]) / 2);
      }
    }
    CycleParenthesization.Price rest =
        (s, length) -> counted.isUsed(s) ? 0 : counted.price(s) / (length == 1 ? 1 : shares[s]);
    for (int c = 0; c < classCount; c++) {
      counted.insert(c, rest);
      stepsLeft--;
    }
  }

  private void perturb() {
    int[] affected = new int[NEIGHBOURHOOD];
    double best = counted.total();
    long patience = IDLE_STEPS + (long) IDLE_ROUNDS * longClasses.length;
    long giveUp = stepsLeft - patience;
    while (stepsLeft > Math.max(0, giveUp)) {
      if (counted.total() < best) {
        best = counted.total();
        giveUp = stepsLeft - patience;
      }
      int products = counted.productsOf(longClasses[random.nextInt(longClasses.length)]);
      stepsLeft--;
      int product = counted.product(random.nextInt(products));
      int n = 0;
      boolean tooMany = false;
      for (int c : classesOf[product]) {
        int m = counted.productsOf(c);
        stepsLeft--;
        for (int k = 0; k < m && !tooMany; k++) {
          if (counted.product(k) == product) {
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

  /** Puts classes back without a product, then with it again; undone if that costs more. */
  private void reroute(int product, int[] affected) {
    double before = counted.total();
    CountedReduction.Snapshot snapshot = counted.new Snapshot(affected);
    for (int c : affected) {
      counted.remove(c);
    }
    shuffle(affected);
    counted.forbid(product);
    for (int c : affected) {
      insert(c);
    }
    counted.forbid(-1);
    for (int c : affected) {
      counted.remove(c);
      insert(c);
    }
    if (counted.total() > before) {
      for (int c : affected) {
        counted.remove(c);
      }
      snapshot.restore();
    }
  }
}
