package org.starlingqcd.backend;

import java.util.Arrays;

/**
 * A sum over spin components of two quark lines: entry {@code e} is {@code factor[e] · first[p[e]]
 * ⊗ second[q[e]]}.
 */
public final class LinePairSum {
  private final int[] first;
  private final int[] second;
  private final double[] factors;

  /**
   * Creates a sum; the arrays are copied.
   *
   * @param first components p of the first line, 0 … 15
   * @param second components q of the second line, 0 … 15
   * @param factors interleaved complex
   */
  public LinePairSum(int[] first, int[] second, double[] factors) {
    if (first.length < 1
        || second.length != first.length
        || factors.length != 2 * first.length
        || !areSpins(first)
        || !areSpins(second)) {
      throw new IllegalArgumentException(
          "must be equally many, >= 1, and from 0 to 15: first="
              + Arrays.toString(first)
              + " second="
              + Arrays.toString(second)
              + " factors="
              + factors.length
              + "/2");
    }
    this.first = first.clone();
    this.second = second.clone();
    this.factors = factors.clone();
  }

  private static boolean areSpins(int[] components) {
    for (int spin : components) {
      if (spin < 0 || spin >= PairContraction.LINE_SPINS) {
        return false;
      }
    }
    return true;
  }

  /** Number of entries. */
  public int size() {
    return first.length;
  }

  /** Component of the first line in entry {@code e}. */
  public int first(int e) {
    return first[e];
  }

  /** Component of the second line in entry {@code e}. */
  public int second(int e) {
    return second[e];
  }

  /** Real part of the factor of entry {@code e}. */
  public double factorRe(int e) {
    return factors[2 * e];
  }

  /** Imaginary part of the factor of entry {@code e}. */
  public double factorIm(int e) {
    return factors[2 * e + 1];
  }
}
