package org.starlingqcd.backend.cpu.product;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.cpu.blas.Workspace;

/**
 * A way of computing contractions. It says what is prepared from the inputs, once for all
 * contractions of a vector pair, and how a destination is cut into parts that threads compute
 * independently.
 */
public interface Scheme {
  /** The ingredient that contraction {@code k} needs made from its left input; null for none. */
  Preparation.@Nullable Ingredient left(int k);

  /** The same for its right input. */
  Preparation.@Nullable Ingredient right(int k);

  /**
   * Most contractions of this kind with a common input that are computed as one product: a {@link
   * Bundle}.
   */
  default int mostBundled(FusedPlan plan) {
    return 1;
  }

  /**
   * Cuts the destination of contractions that add into it one after the other.
   *
   * @param start the first contraction
   * @param end one after the last
   * @param parts desired number of parts, so that many threads have work; the results do not depend
   *     on it
   */
  Cut cut(int start, int end, int parts);

  /** A destination cut into parts. */
  interface Cut {
    /** Number of parts. */
    int parts();

    /**
     * Computes one part of a contraction.
     *
     * @param left address of the prepared left input
     * @param right address of the prepared right input
     */
    void run(int k, int part, long left, long right, Workspace workspace);
  }
}
