package org.starlingqcd.graph.reduce;

import java.util.Arrays;
import org.starlingqcd.graph.LongIntTable;

/**
 * The greedy reduction by global profit: it makes the product that occurs in most cycles and
 * replaces it in all of them, until two factors are left of every cycle.
 *
 * <p>A candidate is the sequence of letters of two neighbouring factors of a cycle, however each
 * was made, so (AB)C and A(BC) are the same candidate. Its profit is the number of cycles that
 * contain it. A class with two words offers the candidates of both; the word without the chosen
 * product is dropped. Ties go to products on the source alone, then to those on the sink alone,
 * because binding shares them between separations and sources, then to the candidate that appeared
 * first.
 *
 * <p>The profit with respect to all diagrams is that of contraction_optimizer
 * (https://github.com/laphnn/contraction_optimizer). The time is linear in the letters of all
 * cycles, times their length, times a logarithm.
 */
final class GreedyReduction {
  private static final int WORD_LIMIT = 2;
  private static final int[] DROPPED = {};
  private static final long MADE = 1L << 28;

  private final Reduction reduction;
  private final CycleClasses classes;
  private final LongIntTable pairs = new LongIntTable();
  private final int[][] words;
  private int[] profit = new int[1024];
  private int[] firstPlace = new int[1024];
  private int[] placeClass = new int[1024];
  private int[] placeNext = new int[1024];
  private int places;
  private long[] heap = new long[1024];
  private int heapSize;
  private int[] before = new int[64];
  private int[] after = new int[64];

  private GreedyReduction(Reduction reduction) {
    this.reduction = reduction;
    this.classes = reduction.classes();
    this.words = new int[2 * classes.size()][];
    Arrays.fill(firstPlace, -1);
  }

  /** Reduces all classes. */
  static void reduce(Reduction reduction) {
    new GreedyReduction(reduction).run();
  }

  private void run() {
    for (int c = 0; c < classes.size(); c++) {
      words[2 * c] = nodeLetters(classes.word(c));
      words[2 * c + 1] = classes.hasReverse(c) ? nodeLetters(classes.reverseWord(c)) : DROPPED;
      int n = candidates(c, 0);
      for (int k = 0; k < n; k++) {
        occurs(after[k], c);
      }
    }
    for (int s = 0; s < reduction.sequences().size(); s++) {
      if (s < profit.length && profit[s] > 0) {
        push(s);
      }
    }
    while (heapSize > 0) {
      long top = pop();
      int sequence = (int) (0xffffffffL - (top & 0xffffffffL));
      if (rank(sequence) != top >>> 34) {
        if (profit[sequence] > 0) {
          push(sequence);
        }
        continue;
      }
      make(sequence);
    }
    for (int c = 0; c < classes.size(); c++) {
      finish(c);
    }
  }

  private int[] nodeLetters(int[] word) {
    int[] result = new int[word.length];
    for (int k = 0; k < word.length; k++) {
      result[k] = reduction.nodeLetter(word[k]);
    }
    return result;
  }

  /** Puts the distinct candidates of a class into {@code after}; returns their number. */
  private int candidates(int c, int count) {
    int n = count;
    for (int w = 2 * c; w <= 2 * c + 1; w++) {
      int[] word = words[w];
      if (word.length <= WORD_LIMIT) {
        continue;
      }
      for (int k = 0; k < word.length; k++) {
        int next = word[k + 1 == word.length ? 0 : k + 1];
        if (reduction.hasCurrent(word[k] >> 4) || reduction.hasCurrent(next >> 4)) {
          continue;
        }
        int sequence = candidate(word[k], next);
        boolean known = false;
        for (int j = 0; j < n && !known; j++) {
          known = after[j] == sequence;
        }
        if (!known) {
          if (n == after.length) {
            after = Arrays.copyOf(after, 2 * n);
          }
          after[n++] = sequence;
        }
      }
    }
    return n;
  }

  private int candidate(int left, int right) {
    // The left gamma is part of the key because it may distinguish products.
    long key = (long) left << 31 | right;
    int known = pairs.get(key);
    if (known < 0) {
      known = reduction.productLetter(left, right) >> 4;
      pairs.put(key, known);
    }
    return known;
  }

  private void occurs(int sequence, int c) {
    if (sequence >= profit.length) {
      int old = profit.length;
      profit = Arrays.copyOf(profit, Math.max(sequence + 1, 2 * old));
      firstPlace = Arrays.copyOf(firstPlace, profit.length);
      Arrays.fill(firstPlace, old, profit.length, -1);
    }
    profit[sequence]++;
    if (places == placeClass.length) {
      placeClass = Arrays.copyOf(placeClass, 2 * places);
      placeNext = Arrays.copyOf(placeNext, 2 * places);
    }
    placeClass[places] = c;
    placeNext[places] = firstPlace[sequence];
    firstPlace[sequence] = places++;
  }

  private void make(int sequence) {
    for (int p = firstPlace[sequence]; p >= 0; p = placeNext[p]) {
      contract(placeClass[p], sequence);
    }
    firstPlace[sequence] = -1;
    profit[sequence] = 0;
  }

  private void contract(int c, int sequence) {
    int[] first = contracted(words[2 * c], sequence);
    int[] second = contracted(words[2 * c + 1], sequence);
    if (first.length == 0 && second.length == 0) {
      return;
    }
    int old = candidates(c, 0);
    if (before.length < old) {
      before = new int[after.length];
    }
    System.arraycopy(after, 0, before, 0, old);
    boolean keepFirst = second.length == 0 || (first.length > 0 && first.length <= second.length);
    boolean keepSecond = first.length == 0 || (second.length > 0 && second.length <= first.length);
    words[2 * c] = keepFirst ? first : DROPPED;
    words[2 * c + 1] = keepSecond ? second : DROPPED;
    int now = candidates(c, 0);
    for (int k = 0; k < old; k++) {
      if (!contains(after, now, before[k])) {
        profit[before[k]]--;
      }
    }
    for (int k = 0; k < now; k++) {
      if (!contains(before, old, after[k])) {
        occurs(after[k], c);
        push(after[k]);
      }
    }
  }

  private static boolean contains(int[] list, int n, int value) {
    for (int k = 0; k < n; k++) {
      if (list[k] == value) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the word with every occurrence of a product replaced, or {@link #DROPPED} if the
   * product does not occur.
   */
  private int[] contracted(int[] word, int sequence) {
    if (word.length <= WORD_LIMIT) {
      return DROPPED;
    }
    int n = word.length;
    int start = 0;
    while (start < n && candidate(word[start], word[(start + 1) % n]) != sequence) {
      start++;
    }
    if (start == n) {
      return DROPPED;
    }
    int[] result = new int[n];
    int length = 0;
    int remaining = n;
    int k = 0;
    while (k < n) {
      int left = word[(start + k) % n];
      if (k + 1 < n && remaining > WORD_LIMIT) {
        int right = word[(start + k + 1) % n];
        if (candidate(left, right) == sequence) {
          if (!reduction.isMade(sequence)) {
            reduction.setSplit(sequence, left, right);
          }
          result[length++] = reduction.productLetter(left, right);
          remaining--;
          k += 2;
          continue;
        }
      }
      result[length++] = left;
      k++;
    }
    return Arrays.copyOf(result, length);
  }

  private void finish(int c) {
    boolean reversed = words[2 * c].length == 0;
    int[] word = words[reversed ? 2 * c + 1 : 2 * c];
    reduction.setTrace(c, reversed, word[0], word.length > 1 ? word[1] : -1);
  }

  private int preference(int sequence) {
    return 2 - reduction.timeRank(sequence);
  }

  /** Returns the profit. A product that another class has made costs nothing and comes first. */
  private long rank(int sequence) {
    return profit[sequence] + (reduction.isMade(sequence) ? MADE : 0);
  }

  private void push(int sequence) {
    long key = rank(sequence) << 34 | (long) preference(sequence) << 32 | 0xffffffffL - sequence;
    if (heapSize == heap.length) {
      heap = Arrays.copyOf(heap, 2 * heapSize);
    }
    int k = heapSize++;
    while (k > 0 && heap[(k - 1) / 2] < key) {
      heap[k] = heap[(k - 1) / 2];
      k = (k - 1) / 2;
    }
    heap[k] = key;
  }

  private long pop() {
    long top = heap[0];
    long last = heap[--heapSize];
    int k = 0;
    while (true) {
      int child = 2 * k + 1;
      if (child >= heapSize) {
        break;
      }
      if (child + 1 < heapSize && heap[child + 1] > heap[child]) {
        child++;
      }
      if (heap[child] <= last) {
        break;
      }
      heap[k] = heap[child];
      k = child;
    }
    heap[k] = last;
    return top;
  }
}
