package org.starlingqcd.backend.cpu.product;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.cpu.blas.Workspace;
import org.starlingqcd.backend.cpu.product.Contractions.Contraction;

/**
 * A way of computing contractions. It says what is prepared from the inputs, once for all
 * contractions of a vector pair, and how a destination is cut into parts that threads compute
 * independently.
 */
interface Scheme {
  /** The ingredient that a contraction needs made from its left input; null for none. */
  default Preparation.@Nullable Ingredient left(Contraction c) {
    return null;
  }

  /** The same for its right input. */
  default Preparation.@Nullable Ingredient right(Contraction c) {
    return null;
  }

  /**
   * Most contractions of this kind with a common input that are computed as one product: a {@link
   * SharedOperandGroup}.
   */
  default int mostBundled(FusedPlan plan) {
    return 1;
  }

  /**
   * Cuts the destination of contractions that add into it one after the other.
   *
   * @param parts desired number of parts, so that many threads have work; the results do not depend
   *     on it
   */
  Cut cut(List<Contraction> group, int parts);

  /** A destination cut into parts. */
  record Cut(int parts, Body body) {}

  /** Computes one part of a contraction. */
  interface Body {
    /**
     * Computes it.
     *
     * @param left address of the prepared left input
     * @param right address of the prepared right input
     */
    void run(Contraction c, int part, long left, long right, Workspace workspace);
  }
}
