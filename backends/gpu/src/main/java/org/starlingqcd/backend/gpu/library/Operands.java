package org.starlingqcd.backend.gpu.library;

import org.starlingqcd.backend.Precision;

/**
 * The operands of {@code count} products of one shape, given by addresses with constant strides in
 * complex numbers or, without strides, by three arrays of addresses in device memory.
 *
 * @param a address of the first A, or of the array of their addresses
 * @param strideA from one A to the next
 * @param b the same for B, or for the vectors that a matrix is applied to
 * @param strideB from one B to the next
 * @param c the same for the results
 * @param strideC from one result to the next
 * @param count number of products
 */
public record Operands(
    long a, long strideA, long b, long strideB, long c, long strideC, int count) {
  /** The operands of one product. */
  public static Operands one(long a, long b, long c) {
    return new Operands(a, 0, b, 0, c, 0, 1);
  }

  /** Arrays of addresses. */
  public static Operands pointers(long a, long b, long c, int count) {
    return new Operands(a, 0, b, 0, c, 0, count);
  }

  /**
   * The operands without the first {@code skipped} products, at constant strides.
   *
   * @param precision of all numbers
   */
  public Operands from(int skipped, Precision precision) {
    long step = (long) precision.complexBytes() * skipped;
    return new Operands(
        a + step * strideA,
        strideA,
        b + step * strideB,
        strideB,
        c + step * strideC,
        strideC,
        count - skipped);
  }

  /** The same operands with A and B exchanged. */
  public Operands exchanged() {
    return new Operands(b, strideB, a, strideA, c, strideC, count);
  }
}
