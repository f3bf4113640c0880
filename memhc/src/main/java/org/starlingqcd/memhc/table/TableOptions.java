package org.starlingqcd.memhc.table;

/**
 * How the tables keep elements on the device; the optimizations of the paper can be switched off
 * one by one.
 *
 * @param budgetBytes device memory that may be held, in bytes
 * @param prefetchBytes bound on what is brought in ahead of its use, in bytes; 0: no prefetch
 * @param liveness whether elements are released after their last use in the queue
 * @param overwriteVictims whether the block of an evicted element goes straight to an element of
 *     the same size
 * @param reuse whether anything stays on the device or in {@code free_pool} after a batch
 * @param packing whether all spins of an element are one block and one copy
 * @param gpuOnly whether intermediates are copied to the host only when they are needed there
 */
public record TableOptions(
    long budgetBytes,
    long prefetchBytes,
    boolean liveness,
    boolean overwriteVictims,
    boolean reuse,
    boolean packing,
    boolean gpuOnly) {}
