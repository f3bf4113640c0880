package org.starlingqcd.backend;

/**
 * The components of a block that are added into each component of a node: entry {@code k} adds
 * {@code factor[k] · block[source[k]]} to {@code node[destination[k]]}. Components without an entry
 * become zero.
 */
public final class SpinSumMapping extends SpinEntries {
  /**
   * Creates a mapping; the arrays are copied.
   *
   * @param components number of components of the block
   * @param source component of the block
   * @param destination spin component of the node, 0 … 15
   * @param factors interleaved complex
   */
  public SpinSumMapping(int components, int[] source, int[] destination, double[] factors) {
    super(factors, 2, new int[] {components, PairContraction.LINE_SPINS}, source, destination);
    check("source", 0);
    check("destination", 1);
  }

  /** Number of components of the block. */
  public int components() {
    return size(0);
  }

  /** Component of the block in entry {@code k}. */
  public int source(int k) {
    return component(0, k);
  }

  /** Component of the node in entry {@code k}. */
  public int destination(int k) {
    return component(1, k);
  }
}
