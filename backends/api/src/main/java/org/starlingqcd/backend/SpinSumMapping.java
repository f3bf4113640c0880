package org.starlingqcd.backend;

/**
 * The components of a block that are added into each component of a node: entry {@code k} adds
 * {@code factor[k] · block[source[k]]} to {@code node[destination[k]]}. Components without an entry
 * become zero.
 */
public final class SpinSumMapping extends SpinEntries {
  private final int components;

  /**
   * Creates a mapping; the arrays are copied.
   *
   * @param components number of components of the block
   * @param source component of the block
   * @param destination spin component of the node, 0 … 15
   * @param factors interleaved complex
   */
  public SpinSumMapping(int components, int[] source, int[] destination, double[] factors) {
    super(factors, 2, source, destination);
    check("source", 0, components);
    check("destination", 1, PairContraction.LINE_SPINS);
    this.components = components;
  }

  /** Number of components of the block. */
  public int components() {
    return components;
  }

  /** Component of the block in entry {@code k}. */
  public int source(int k) {
    return component(0, k);
  }

  /** Component of the node in entry {@code k}. */
  public int destination(int k) {
    return component(1, k);
  }

  /** Real part of the factor of entry {@code k}. */
  public double factorRe(int k) {
    return number(2 * k);
  }

  /** Imaginary part of the factor of entry {@code k}. */
  public double factorIm(int k) {
    return number(2 * k + 1);
  }

  @Override
  public boolean equals(Object other) {
    return super.equals(other)
        && other instanceof SpinSumMapping that
        && components == that.components;
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }
}
