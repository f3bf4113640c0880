package org.starlingqcd.graph;

import java.util.Arrays;
import java.util.Optional;

/**
 * The colour of a tetraquark's elemental {@code K[i,j,k,l]}, which says how K changes when i and j,
 * or k and l, are exchanged. So pairs of indices are packed, each once.
 */
public enum PairColour {
  /** Diquark in 3̄, antidiquark in 3: antisymmetric, pairs i &lt; j at {@code j(j-1)/2 + i}. */
  TRIPLET("3bar3", -1),
  /** Diquark in 6, antidiquark in 6̄: symmetric, pairs i ≤ j at {@code j(j+1)/2 + i}. */
  SEXTET("66bar", 1);

  private final String label;
  private final int sign;

  PairColour(String label, int sign) {
    this.label = label;
    this.sign = sign;
  }

  /** The colour that files and definitions call by this name. */
  public static Optional<PairColour> named(String name) {
    return Arrays.stream(values()).filter(colour -> colour.label.equals(name)).findFirst();
  }

  /** Of the exchange of two indices of a pair. */
  public int sign() {
    return sign;
  }

  /** Of i, j relative to the pair that is packed; 0 if K vanishes. */
  public int sign(int i, int j) {
    return i < j ? 1 : i > j ? sign : Math.max(0, sign);
  }

  /** Number P of pairs of N vectors; also where the pairs of a larger index N begin. */
  public int pairs(int eigenvectors) {
    return Math.toIntExact(eigenvectors * (eigenvectors + (long) sign) / 2);
  }

  /** Place of the pair of i and j in any order. */
  public int place(int i, int j) {
    return pairs(Math.max(i, j)) + Math.min(i, j);
  }

  /**
   * Pairs of the three colours, as for N = 3, in groups of three: one of ε_cde; c &lt; d and c = d.
   */
  public int groups() {
    return pairs(3) / 3;
  }

  /** Ordered pairs of two colours that are in some pair. */
  public int colourPairs() {
    return sign < 0 ? 6 : 9;
  }

  /** The name in files and definitions. */
  @Override
  public String toString() {
    return label;
  }
}
