package org.starlingqcd.simulator;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.run.CacheSettings;

/**
 * Settings of the synthetic benchmark: random contractions of mesons or baryons with a given
 * repetition and memory pressure.
 *
 * @param contraction the shapes to contract
 * @param vectorSize contractions of a vector
 * @param repeatedRate share of inputs that repeat, 0 to 1
 * @param distribution how repeated inputs are drawn
 * @param seed seed of the draws; iteration k takes {@code seed + k}
 * @param vectors number of vectors; derived from {@code oversubscription} if that is given
 * @param oversubscription a multiple of 1/2, with a capacity of twice the vector size in nodes;
 *     null for all available memory
 * @param iterations runs of the workload, each drawn anew
 * @param eviction name of the eviction policy
 * @param cache organization, number of lines and write policy
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
    CacheSettings cache,
    boolean reuse,
    boolean packing,
    boolean gpuOnly) {
  /** Checks the ranges; an oversubscription sets the number of vectors. */
  public BenchSettings {
    if (oversubscription != null) {
      vectors = WorkloadRun.vectorsFor(oversubscription);
    }
    VectorWorkload.checkShape(vectors, vectorSize, repeatedRate);
    if (iterations < 1) {
      throw new IllegalArgumentException("iterations must be at least 1, not " + iterations);
    }
  }

  /** Contractions of one iteration. */
  public long contractions() {
    return (long) vectors * vectorSize;
  }
}
