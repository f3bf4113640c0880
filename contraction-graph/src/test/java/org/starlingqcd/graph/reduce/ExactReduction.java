package org.starlingqcd.graph.reduce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The least number of products for a small set of cycles, by branch and bound over what is still
 * unmet: a cycle needs two factors that make it up, a product needs two factors that make it. The
 * oracle for the heuristics; exponential.
 */
final class ExactReduction {
  private final Reduction reduction;
  private final CycleClasses classes;
  private int best;

  private ExactReduction(Reduction reduction, int upperBound) {
    this.reduction = reduction;
    classes = reduction.classes();
    best = upperBound;
  }

  /** The optimum, or the upper bound if nothing is better. */
  static int products(CycleClasses classes, int upperBound) {
    ExactReduction exact = new ExactReduction(new Reduction(classes, true), upperBound);
    Deque<Integer> unmet = new ArrayDeque<>();
    for (int c = 0; c < classes.size(); c++) {
      unmet.add(~c);
    }
    exact.branch(unmet, new HashSet<>());
    return exact.best;
  }

  /** Unmet needs are {@code ~class} or the number of a product without factors. */
  private void branch(Deque<Integer> unmet, Set<Integer> made) {
    if (made.size() >= best) {
      return;
    }
    if (unmet.isEmpty()) {
      best = made.size();
      return;
    }
    int need = unmet.pop();
    List<int[]> options = need < 0 ? classOptions(~need) : splits(need);
    for (int[] option : options) {
      List<Integer> added = new ArrayList<>();
      for (int product : option) {
        if (made.add(product)) {
          added.add(product);
          unmet.push(product);
        }
      }
      branch(new ArrayDeque<>(unmet), made);
      for (int product : added) {
        made.remove(product);
        unmet.remove(product);
      }
    }
    unmet.push(need);
  }

  private List<int[]> classOptions(int c) {
    List<int[]> options = new ArrayList<>();
    List<int[]> words = new ArrayList<>(List.of(classes.word(c)));
    if (classes.hasReverse(c)) {
      words.add(classes.reverseWord(c));
    }
    for (int[] word : words) {
      int n = word.length;
      if (n <= 2) {
        return List.of(new int[0]);
      }
      for (int length = 1; 2 * length <= n; length++) {
        for (int start = 0; start < n; start++) {
          options.add(
              products(
                  reduction.intervalLetter(word, start, length),
                  reduction.intervalLetter(word, (start + length) % n, n - length)));
        }
      }
    }
    return options;
  }

  private List<int[]> splits(int product) {
    int n = reduction.sequences().length(product);
    int[] letters = new int[n];
    reduction.sequences().copy(product, letters, 0);
    List<int[]> options = new ArrayList<>();
    for (int left = 1; left < n; left++) {
      options.add(
          products(
              reduction.intervalLetter(Arrays.copyOf(letters, left), 0, left),
              reduction.intervalLetter(Arrays.copyOfRange(letters, left, n), 0, n - left)));
    }
    return options;
  }

  private int[] products(int left, int right) {
    return Arrays.stream(new int[] {left >> 4, right >> 4})
        .filter(s -> reduction.sequences().length(s) > 1)
        .distinct()
        .toArray();
  }
}
