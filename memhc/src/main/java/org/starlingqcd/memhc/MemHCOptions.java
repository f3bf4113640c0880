package org.starlingqcd.memhc;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.policy.EvictionPolicies;

/**
 * How MemHC is opened: a budget, and what differs from the defaults. Immutable; the {@code with…}
 * methods return changed copies.
 */
public final class MemHCOptions {
  /** The policy that is taken when none is named. */
  public static final String DEFAULT_POLICY = "cost-aware";

  /** Prefetch takes its standard share of whatever the budget is. */
  private static final long A_SHARE = -1;

  private static final int PREFETCH_SHARE = 8;

  private long budgetBytes;
  private String policy = DEFAULT_POLICY;
  private long seed = 1;
  private long hostBytes = Long.MAX_VALUE;
  private @Nullable Path spillDirectory;
  private long spillBytes = Long.MAX_VALUE;
  private long prefetchBytes = A_SHARE;
  private @Nullable Path trace;
  private long flopsPerByte;
  private boolean liveness = true;
  private boolean overwriteVictims = true;
  private boolean reuse = true;
  private boolean packing = true;
  private boolean gpuOnly = true;

  private MemHCOptions(long budgetBytes) {
    this.budgetBytes = requirePositive("budgetBytes", budgetBytes);
  }

  private MemHCOptions(MemHCOptions other) {
    budgetBytes = other.budgetBytes;
    policy = other.policy;
    seed = other.seed;
    hostBytes = other.hostBytes;
    spillDirectory = other.spillDirectory;
    spillBytes = other.spillBytes;
    prefetchBytes = other.prefetchBytes;
    trace = other.trace;
    flopsPerByte = other.flopsPerByte;
    liveness = other.liveness;
    overwriteVictims = other.overwriteVictims;
    reuse = other.reuse;
    packing = other.packing;
    gpuOnly = other.gpuOnly;
  }

  /** A budget of device memory in bytes, unbounded host memory, everything switched on. */
  public static MemHCOptions ofBudget(long budgetBytes) {
    return new MemHCOptions(budgetBytes);
  }

  /** With another budget of device memory, in bytes. */
  public MemHCOptions withBudget(long bytes) {
    MemHCOptions changed = new MemHCOptions(this);
    changed.budgetBytes = requirePositive("budgetBytes", bytes);
    return changed;
  }

  /** With the eviction policy of that name, see {@link EvictionPolicies}. */
  public MemHCOptions withPolicy(String name) {
    MemHCOptions changed = new MemHCOptions(this);
    changed.policy = name;
    return changed;
  }

  /** With another seed of random evictions. */
  public MemHCOptions withSeed(long newSeed) {
    MemHCOptions changed = new MemHCOptions(this);
    changed.seed = newSeed;
    return changed;
  }

  /**
   * With bounds on the tiers beneath the device.
   *
   * @param newHostBytes host memory for copies of evicted intermediates, in bytes
   * @param directory where the spill file for what goes beyond that is made; null: none, and going
   *     beyond is an error
   * @param newSpillBytes bound on the spill file, in bytes
   */
  public MemHCOptions withTiers(long newHostBytes, @Nullable Path directory, long newSpillBytes) {
    MemHCOptions changed = new MemHCOptions(this);
    changed.hostBytes = requireNotNegative("hostBytes", newHostBytes);
    changed.spillDirectory = directory;
    changed.spillBytes = requireNotNegative("spillBytes", newSpillBytes);
    return changed;
  }

  /**
   * With a bound on what is brought in ahead of its use, in bytes; 0 switches prefetch off. An
   * eighth of the budget otherwise.
   */
  public MemHCOptions withPrefetch(long bytes) {
    MemHCOptions changed = new MemHCOptions(this);
    changed.prefetchBytes = requireNotNegative("prefetchBytes", bytes);
    return changed;
  }

  /**
   * With what computing costs beside copying, so that an intermediate may be computed again where
   * that is cheaper than keeping a copy of it.
   *
   * @param flops floating-point operations that take as long as moving one byte to where evicted
   *     elements go, or back; 0: nothing is computed again
   */
  public MemHCOptions withRecomputation(long flops) {
    MemHCOptions changed = new MemHCOptions(this);
    changed.flopsPerByte = requireNotNegative("flopsPerByte", flops);
    return changed;
  }

  /** With a file to which all accesses are recorded, see {@link AccessTrace}. */
  public MemHCOptions withTrace(@Nullable Path file) {
    MemHCOptions changed = new MemHCOptions(this);
    changed.trace = file;
    return changed;
  }

  /**
   * With or without the release of what the schedule uses for the last time. Without it the
   * schedule only answers next uses, and dead elements are evicted when memory is short, as in the
   * paper.
   */
  public MemHCOptions withLiveness(boolean releaseDead) {
    MemHCOptions changed = new MemHCOptions(this);
    changed.liveness = releaseDead;
    return changed;
  }

  /**
   * With an evicted element's block handed to an element of the same size at once, or returned to
   * the device and a new block allocated, as in the paper, whose counts need that.
   */
  public MemHCOptions withOverwriteVictims(boolean overwrite) {
    MemHCOptions changed = new MemHCOptions(this);
    changed.overwriteVictims = overwrite;
    return changed;
  }

  /**
   * With the optimizations of the paper's Figure 8 on or off one by one, for its breakdown.
   *
   * @param newReuse whether anything stays on the device or in {@code free_pool} once a batch has
   *     been launched
   * @param newPacking whether all spins of an element are one block and one copy
   * @param newGpuOnly whether intermediates are copied back only when somebody asks for them, not
   *     as they are made
   */
  public MemHCOptions withOptimizations(boolean newReuse, boolean newPacking, boolean newGpuOnly) {
    MemHCOptions changed = new MemHCOptions(this);
    changed.reuse = newReuse;
    changed.packing = newPacking;
    changed.gpuOnly = newGpuOnly;
    return changed;
  }

  /** The budget of device memory in bytes. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /** The name of the eviction policy. */
  public String policy() {
    return policy;
  }

  public long seed() {
    return seed;
  }

  /** Bound on host memory for copies of what was evicted, in bytes. */
  public long hostBytes() {
    return hostBytes;
  }

  public @Nullable Path spillDirectory() {
    return spillDirectory;
  }

  public long spillBytes() {
    return spillBytes;
  }

  public long prefetchBytes() {
    return prefetchBytes == A_SHARE ? budgetBytes / PREFETCH_SHARE : prefetchBytes;
  }

  /** Floating-point operations that take as long as moving a byte; 0: nothing is recomputed. */
  public long flopsPerByte() {
    return flopsPerByte;
  }

  @Nullable Path trace() {
    return trace;
  }

  public boolean liveness() {
    return liveness;
  }

  public boolean overwriteVictims() {
    return overwriteVictims;
  }

  public boolean reuse() {
    return reuse;
  }

  boolean packing() {
    return packing;
  }

  boolean gpuOnly() {
    return gpuOnly;
  }

  private static long requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException("must be >= 1: " + name + "=" + value);
    }
    return value;
  }

  private static long requireNotNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException("must be >= 0: " + name + "=" + value);
    }
    return value;
  }
}
