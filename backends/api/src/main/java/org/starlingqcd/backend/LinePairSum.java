package org.starlingqcd.backend;

import static org.starlingqcd.backend.PairContraction.LINE_SPINS;

/**
 * A sum over spin components of two quark lines: entry {@code e} is {@code factor[e] · first[p[e]]
 * ⊗ second[q[e]]}.
 */
public final class LinePairSum extends SpinEntries {
  /**
   * Creates a sum; the arrays are copied.
   *
   * @param first components p of the first line, 0 … 15
   * @param second components q of the second line, 0 … 15
   * @param factors interleaved complex
   */
  public LinePairSum(int[] first, int[] second, double[] factors) {
    super(factors, 2, new int[] {LINE_SPINS, LINE_SPINS}, first, second);
    check("component of the first line", 0);
    check("component of the second line", 1);
    if (size() < 1) {
      throw new IllegalArgumentException("must be >= 1: entries=" + size());
    }
  }

  /** Component of the first line in entry {@code e}. */
  public int first(int e) {
    return component(0, e);
  }

  /** Component of the second line in entry {@code e}. */
  public int second(int e) {
    return component(1, e);
  }

  /** The sign, 1 or -1, that the sum gets when both lines are exchanged; 0 if it is another sum. */
  public int exchange() {
    int found = 2;
    for (int e = 0; e < size(); e++) {
      int sign = 0;
      int others = 0;
      for (int other = 0; other < size(); other++) {
        if (first(other) == second(e) && second(other) == first(e)) {
          sign = sign(e, other);
          others++;
        }
      }
      found = others == 1 && (found == 2 || found == sign) ? sign : 0;
    }
    return found;
  }

  private int sign(int e, int other) {
    boolean same = factorRe(e) == factorRe(other) && factorIm(e) == factorIm(other);
    boolean opposite = factorRe(e) == -factorRe(other) && factorIm(e) == -factorIm(other);
    return same ? 1 : opposite ? -1 : 0;
  }
}
