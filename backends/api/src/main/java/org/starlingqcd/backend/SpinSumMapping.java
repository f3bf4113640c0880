package org.starlingqcd.backend;

import java.util.Arrays;

/**
 * The components of a block that are added into each component of a node: entry {@code k} adds
 * {@code factor[k] · block[source[k]]} to {@code node[destination[k]]}. Components without an entry
 * become zero.
 */
public final class SpinSumMapping {
  private final int components;
  private final int[] source;
  private final int[] destination;
  private final double[] factors;

  /**
   * Creates a mapping; the arrays are copied.
   *
   * @param components number of components of the block
   * @param source component of the block
   * @param destination spin component of the node, 0 … 15
   * @param factors interleaved complex
   */
  public SpinSumMapping(int components, int[] source, int[] destination, double[] factors) {
    if (destination.length != source.length || factors.length != 2 * source.length) {
      throw new IllegalArgumentException(
          "lengths differ: source="
              + source.length
              + " destination="
              + destination.length
              + " factors="
              + factors.length
              + "/2");
    }
    int spins = PairContraction.LINE_SPINS;
    for (int k = 0; k < source.length; k++) {
      if (source[k] < 0
          || source[k] >= components
          || destination[k] < 0
          || destination[k] >= spins) {
        throw new IllegalArgumentException(
            "out of range: source=" + source[k] + " destination=" + destination[k]);
      }
    }
    this.components = components;
    this.source = source.clone();
    this.destination = destination.clone();
    this.factors = factors.clone();
  }

  /** Number of components of the block. */
  public int components() {
    return components;
  }

  /** Number of entries. */
  public int size() {
    return source.length;
  }

  /** Component of the block in entry {@code k}. */
  public int source(int k) {
    return source[k];
  }

  /** Component of the node in entry {@code k}. */
  public int destination(int k) {
    return destination[k];
  }

  /** Real part of the factor of entry {@code k}. */
  public double factorRe(int k) {
    return factors[2 * k];
  }

  /** Imaginary part of the factor of entry {@code k}. */
  public double factorIm(int k) {
    return factors[2 * k + 1];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SpinSumMapping that
        && components == that.components
        && Arrays.equals(source, that.source)
        && Arrays.equals(destination, that.destination)
        && Arrays.equals(factors, that.factors);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(source) + Arrays.hashCode(destination))
        + Arrays.hashCode(factors);
  }
}
