package org.starlingqcd.backend.cpu;

/**
 * Random numbers by position: number {@code k} of a seed is a hash of both (SplitMix64, Steele, Lea
 * and Flood 2014, doi:10.1145/2660193.2660195), so the numbers depend neither on the layout nor on
 * the number of threads.
 */
final class RandomNumbers {
  private RandomNumbers() {}

  /**
   * Writes numbers {@code first} to {@code first + count - 1} of {@code seed}, uniform in [-1, 1).
   */
  static void fill(long seed, long first, double[] target, int count) {
    long start = mix(seed) + (first + 1) * 0x9e3779b97f4a7c15L;
    for (int k = 0; k < count; k++) {
      target[k] = (mix(start + k * 0x9e3779b97f4a7c15L) >> 11) * 0x1.0p-52;
    }
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
