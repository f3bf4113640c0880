package org.starlingqcd.elementals;

/** Baryon elementals {@code B(p)[i][j][k] = Σ_x e^{-ip·x} ε_abc v_i^a v_j^b v_k^c}. */
interface BaryonElementals {
  /** Computes all of the time slice that is in {@link SliceVectors}. */
  void compute(int time);

  /** Flops of the matrix products so far, without those of the cross products. */
  long flops();
}
