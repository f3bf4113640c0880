package org.starlingqcd.backend.cpu.product;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * How contractions are computed: what is made of their inputs first, once for all contractions of a
 * vector pair, and how a destination is cut into parts that threads compute independently.
 */
public interface Scheme {
  /** What the products of contraction {@code k} need made of its left input; null for nothing. */
  Preparation.@Nullable Ingredient left(int k);

  /** The same of its right input. */
  Preparation.@Nullable Ingredient right(int k);

  /**
   * Cuts the destination of contractions that add into it one after the other.
   *
   * @param start the first contraction
   * @param end one after the last
   * @param parts number of parts aimed at, for the sake of many threads; the numbers that come out
   *     do not depend on it
   */
  Cut cut(int start, int end, int parts);

  /** A destination cut into parts. */
  interface Cut {
    /** Number of parts. */
    int parts();

    /**
     * Computes one part of a contraction.
     *
     * @param left address of what was made of the left input
     * @param right address of what was made of the right input
     */
    void run(int k, int part, long left, long right, Workspace workspace);
  }
}
