package org.starlingqcd.simulator;

import org.jspecify.annotations.Nullable;

/**
 * A synthetic benchmark: random contractions of mesons or baryons with as much repetition and
 * memory pressure as asked for.
 *
 * @param contraction what is contracted
 * @param vectorSize contractions of a vector
 * @param repeatedRate share of inputs that repeat, 0 to 1
 * @param distribution how repeated inputs are drawn
 * @param seed seed of the draws; iteration k takes {@code seed + k}
 * @param vectors number of vectors; follows from {@code oversubscription} if that is given
 * @param oversubscription a multiple of 1/2, with a capacity of twice the vector size in nodes;
 *     null for all the memory there is
 * @param iterations how often the workload is run, drawn anew each time
 * @param eviction name of the eviction policy
 * @param reuse whether {@code element_cache} and {@code free_pool} keep anything
 * @param packing whether the spins of a node are one block
 * @param gpuOnly whether intermediates stay on the device
 */
public record BenchSettings(
    SyntheticContraction contraction,
    int vectorSize,
    double repeatedRate,
    VectorWorkload.Distribution distribution,
    long seed,
    int vectors,
    @Nullable Double oversubscription,
    int iterations,
    String eviction,
    boolean reuse,
    boolean packing,
    boolean gpuOnly) {
  /** Checks the ranges; an oversubscription sets the number of vectors. */
  public BenchSettings {
    if (oversubscription != null) {
      vectors = WorkloadRun.vectorsFor(oversubscription);
    }
    if (vectorSize < 1 || vectors < 1 || iterations < 1) {
      throw new IllegalArgumentException(
          "must be >= 1: vectorSize="
              + vectorSize
              + " vectors="
              + vectors
              + " iterations="
              + iterations);
    }
    if (!(repeatedRate >= 0 && repeatedRate <= 1)) {
      throw new IllegalArgumentException("must be >= 0 && <= 1: repeatedRate=" + repeatedRate);
    }
  }

  /** Contractions of one iteration. */
  public long contractions() {
    return (long) vectors * vectorSize;
  }
}
