package org.starlingqcd.backend.gpu.library;

/**
 * The operands of {@code count} products of one shape: the addresses of one product, or of three
 * arrays of addresses in device memory.
 *
 * @param a address of A, or of the array of their addresses
 * @param b the same for B, or for the vectors that a matrix is applied to
 * @param c the same for the results
 * @param count number of products
 */
public record Operands(long a, long b, long c, int count) {
  /** The operands of one product. */
  public static Operands one(long a, long b, long c) {
    return new Operands(a, b, c, 1);
  }

  /** The same operands with A and B exchanged. */
  public Operands exchanged() {
    return new Operands(b, a, c, count);
  }
}
