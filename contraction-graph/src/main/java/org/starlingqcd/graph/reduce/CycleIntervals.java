package org.starlingqcd.graph.reduce;

import java.util.Arrays;

/**
 * Every interval of consecutive letters of every word of every class, as a letter of the {@link
 * Reduction}: all products that could take part in evaluating a class. A word of n letters has n(n
 * - 1) of them.
 */
final class CycleIntervals {
  private final CycleClasses classes;
  // letters[2 c + w][(length - 1) * n + start] for word w of class c; empty if the class has no
  // such word.
  private final int[][] letters;

  CycleIntervals(Reduction reduction) {
    classes = reduction.classes();
    letters = new int[2 * classes.size()][];
    for (int c = 0; c < classes.size(); c++) {
      letters[2 * c] = intervals(reduction, classes.word(c));
      letters[2 * c + 1] =
          classes.hasReverse(c) ? intervals(reduction, classes.reverseWord(c)) : new int[0];
    }
  }

  /** How many ints the intervals of some classes take. */
  static long size(CycleClasses classes) {
    long size = 0;
    for (int c = 0; c < classes.size(); c++) {
      long n = classes.word(c).length;
      size += (classes.hasReverse(c) ? 2 : 1) * n * n;
    }
    return size;
  }

  private static int[] intervals(Reduction reduction, int[] word) {
    int n = word.length;
    int lengths = Math.max(1, n - 1);
    int[] result = new int[lengths * n];
    for (int length = 1; length <= lengths; length++) {
      for (int start = 0; start < n; start++) {
        result[(length - 1) * n + start] = reduction.intervalLetter(word, start, length);
      }
    }
    return result;
  }

  /** Letters in a word of a class. */
  int wordLength(int number) {
    return classes.word(number).length;
  }

  /** Words of a class that exist: 1 or 2. */
  int words(int number) {
    return letters[2 * number + 1].length > 0 ? 2 : 1;
  }

  /** The letter of {@code length} letters from {@code start}, which is taken modulo n. */
  int letter(int number, int word, int start, int length) {
    int n = wordLength(number);
    return letters[2 * number + word][(length - 1) * n + (start >= n ? start - n : start)];
  }

  /** The distinct products of a class, of both words. */
  int[] products(int number) {
    int[] all = new int[letters[2 * number].length + letters[2 * number + 1].length];
    int count = 0;
    int n = wordLength(number);
    for (int w = 0; w < 2; w++) {
      int[] of = letters[2 * number + w];
      for (int k = n; k < of.length; k++) {
        all[count++] = of[k] >> 4;
      }
    }
    Arrays.sort(all, 0, count);
    int distinct = 0;
    for (int k = 0; k < count; k++) {
      if (k == 0 || all[k] != all[k - 1]) {
        all[distinct++] = all[k];
      }
    }
    return Arrays.copyOf(all, distinct);
  }

  /** How often a product may occur in the evaluation of a class, at most. */
  int multiplicity(int number, int product) {
    int most = 0;
    int n = wordLength(number);
    for (int w = 0; w < words(number); w++) {
      int count = 0;
      int[] of = letters[2 * number + w];
      for (int k = n; k < of.length; k++) {
        count += of[k] >> 4 == product ? 1 : 0;
      }
      most = Math.max(most, count);
    }
    return most;
  }
}
