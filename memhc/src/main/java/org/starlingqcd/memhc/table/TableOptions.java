package org.starlingqcd.memhc.table;

import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.cache.WritePolicy;

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
 * @param write when intermediates are copied to the host
 * @param lateLocks whether an element of a contraction is locked only when its turn to be brought
 *     in comes, as in SoftCache, instead of with all others
 * @param organization which lines an element may take
 * @param lines number of lines; 0: as many as the budget has room for the largest element, and with
 *     the full organization any number
 * @param tiering how the budget is used if the device has slow memory beside it; off: every element
 *     of a kernel is within the budget
 * @param slowBytes slow memory that may be held, in bytes
 */
public record TableOptions(
    long budgetBytes,
    long prefetchBytes,
    boolean liveness,
    boolean overwriteVictims,
    boolean reuse,
    boolean packing,
    WritePolicy write,
    boolean lateLocks,
    Organization organization,
    int lines,
    Tiering tiering,
    long slowBytes) {}
