package org.starlingqcd.memhc;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How MemHC is opened. Immutable; the {@code with…} methods return changed copies.
 *
 * @param budgetBytes device memory that MemHC may hold in all, in bytes
 * @param policy name of the eviction policy, see {@link EvictionPolicies}
 * @param seed seed of random evictions
 * @param hostBytes bound on host memory for copies of evicted intermediates, in bytes; what goes
 *     beyond it is written to the spill file
 * @param spillDirectory where the spill file is made; null: no spill file, and exceeding {@code
 *     hostBytes} is an error
 * @param spillBytes bound on the spill file in bytes
 * @param prefetchBytes how much may be brought in ahead of its use, in bytes; 0 switches prefetch
 *     off. Needs a schedule
 * @param overwriteVictims whether an evicted element's block is handed to an element of the same
 *     size at once. Otherwise it is returned to the device and a new block allocated, as in the
 *     paper, whose counts need that
 * @param reuse whether {@code element_cache} and {@code free_pool} keep anything when a batch has
 *     been launched; false only for the breakdown of the paper's Figure 8
 * @param packing whether all spins of an element are one block and one copy; false only for the
 *     breakdown
 * @param gpuOnly whether intermediates stay on the device; false copies each back as it is made,
 *     for the breakdown
 */
public record MemHCOptions(
    long budgetBytes,
    String policy,
    long seed,
    long hostBytes,
    @Nullable Path spillDirectory,
    long spillBytes,
    long prefetchBytes,
    boolean overwriteVictims,
    boolean reuse,
    boolean packing,
    boolean gpuOnly) {

  /** The policy that is taken when none is named. */
  public static final String DEFAULT_POLICY = "lru";

  /** Checks the ranges. */
  public MemHCOptions {
    if (budgetBytes < 1 || hostBytes < 0 || spillBytes < 0 || prefetchBytes < 0) {
      throw new IllegalArgumentException(
          "must be >= 1: budgetBytes="
              + budgetBytes
              + "; must be >= 0: hostBytes="
              + hostBytes
              + " spillBytes="
              + spillBytes
              + " prefetchBytes="
              + prefetchBytes);
    }
  }

  /** A budget and the default of everything else: unbounded host memory, everything switched on. */
  public static MemHCOptions ofBudget(long budgetBytes) {
    return new MemHCOptions(
        budgetBytes,
        DEFAULT_POLICY,
        1,
        Long.MAX_VALUE,
        null,
        Long.MAX_VALUE,
        budgetBytes / 8,
        true,
        true,
        true,
        true);
  }

  /** With another eviction policy. */
  public MemHCOptions withPolicy(String name) {
    return new MemHCOptions(
        budgetBytes,
        name,
        seed,
        hostBytes,
        spillDirectory,
        spillBytes,
        prefetchBytes,
        overwriteVictims,
        reuse,
        packing,
        gpuOnly);
  }

  /** With another seed of random evictions. */
  public MemHCOptions withSeed(long newSeed) {
    return new MemHCOptions(
        budgetBytes,
        policy,
        newSeed,
        hostBytes,
        spillDirectory,
        spillBytes,
        prefetchBytes,
        overwriteVictims,
        reuse,
        packing,
        gpuOnly);
  }

  /** With bounds on the tiers beneath the device. */
  public MemHCOptions withTiers(long newHostBytes, @Nullable Path directory, long newSpillBytes) {
    return new MemHCOptions(
        budgetBytes,
        policy,
        seed,
        newHostBytes,
        directory,
        newSpillBytes,
        prefetchBytes,
        overwriteVictims,
        reuse,
        packing,
        gpuOnly);
  }

  /** With another bound on prefetched bytes; 0 switches prefetch off. */
  public MemHCOptions withPrefetch(long newPrefetchBytes) {
    return new MemHCOptions(
        budgetBytes,
        policy,
        seed,
        hostBytes,
        spillDirectory,
        spillBytes,
        newPrefetchBytes,
        overwriteVictims,
        reuse,
        packing,
        gpuOnly);
  }

  /** With evicted blocks handed on at once, or returned to the device as in the paper. */
  public MemHCOptions withOverwriteVictims(boolean overwrite) {
    return new MemHCOptions(
        budgetBytes,
        policy,
        seed,
        hostBytes,
        spillDirectory,
        spillBytes,
        prefetchBytes,
        overwrite,
        reuse,
        packing,
        gpuOnly);
  }

  /** With the optimizations of the paper's Figure 8 switched on or off one by one. */
  public MemHCOptions withOptimizations(boolean newReuse, boolean newPacking, boolean newGpuOnly) {
    return new MemHCOptions(
        budgetBytes,
        policy,
        seed,
        hostBytes,
        spillDirectory,
        spillBytes,
        prefetchBytes,
        overwriteVictims,
        newReuse,
        newPacking,
        newGpuOnly);
  }
}
