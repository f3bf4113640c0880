package org.starlingqcd.backend.cpu.product;

import java.util.Arrays;

/** How groups of contractions are cut into parts that threads take one after the other. */
final class GroupParts {
  /** Least share of the time in which all threads have work. */
  private static final double EVEN = 0.95;

  private GroupParts() {}

  /**
   * Parts into which groups are cut, so that threads share the work evenly. They are as few as
   * possible, since every part packs its inputs again: where there are several groups for each
   * thread, only the last ones are cut, into parts of at most what is left to do for a thread, and
   * none if whole groups share the work evenly.
   *
   * @param sizes contractions of each group, in the order in which threads take them
   */
  static int[] of(int[] sizes, int threads) {
    int[] parts = new int[sizes.length];
    if (sizes.length < 2 * threads) {
      Arrays.fill(parts, equalParts(sizes.length, threads));
      return parts;
    }
    if (areEven(sizes, threads)) {
      Arrays.fill(parts, 1);
      return parts;
    }
    long left = 0;
    for (int g = sizes.length - 1; g >= 0; g--) {
      left += sizes[g];
      parts[g] = (int) (((long) sizes[g] * threads + left - 1) / left);
    }
    return parts;
  }

  /** Whether threads end at about the same time if each takes the next whole group. */
  private static boolean areEven(int[] sizes, int threads) {
    long[] busy = new long[threads];
    for (int size : sizes) {
      int next = 0;
      for (int t = 1; t < threads; t++) {
        next = busy[t] < busy[next] ? t : next;
      }
      busy[next] += size;
    }
    long last = Arrays.stream(busy).max().orElse(0);
    return Arrays.stream(sizes).asLongStream().sum() >= EVEN * last * threads;
  }

  /** Parts into which each of a few groups of about the same size is cut. */
  private static int equalParts(int groups, int threads) {
    if (threads == 1) {
      return 1;
    }
    int enough = (4 * threads + groups - 1) / groups;
    for (int parts = 1; parts <= Math.max(2, enough); parts++) {
      int all = groups * parts;
      int turns = (all + threads - 1) / threads;
      if (turns > 1 && all >= EVEN * turns * threads) {
        return parts;
      }
    }
    return enough;
  }
}
