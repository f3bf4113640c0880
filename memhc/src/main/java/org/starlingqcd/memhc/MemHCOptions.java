package org.starlingqcd.memhc;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.memhc.retention.RetentionPlan;
import org.starlingqcd.memhc.transfer.HostTier;

/**
 * The options of MemHC: a budget, and changes from the defaults. Immutable; the {@code with…}
 * methods return changed copies.
 */
public final class MemHCOptions implements Cloneable {
  /** The default eviction policy. */
  public static final String DEFAULT_POLICY = "cost-aware";

  private static final int PREFETCH_SHARE = 8;

  private long budgetBytes;
  private String policy = DEFAULT_POLICY;
  private long seed = 1;
  private HostMemoryBudget hostMemory = HostMemoryBudget.unbounded();
  HostTier.Bounds host = new HostTier.Bounds(Long.MAX_VALUE, null, Long.MAX_VALUE);

  /** Null: a share of the budget. */
  private @Nullable Long prefetchBytes;

  @Nullable Path trace;
  private long flopsPerByte;
  private boolean liveness = true;
  boolean overwriteVictims = true;
  boolean reuse = true;
  boolean packing = true;
  private WritePolicy write = WritePolicy.BACK;
  private Organization organization = Organization.FULL;
  private int lines;
  private boolean lateLocks;
  private Tiering tiering = Tiering.OFF;
  long slowBytes;
  private @Nullable Long workingBytes;

  /** Plans of queues that are still referenced and may be scheduled again; shared by all copies. */
  final Map<AccessQueue, Map<String, RetentionPlan>> plans =
      Collections.synchronizedMap(new WeakHashMap<>());

  private MemHCOptions(long budgetBytes) {
    this.budgetBytes = requireAtLeast(1, "budgetBytes", budgetBytes);
  }

  private MemHCOptions with(Consumer<MemHCOptions> change) {
    try {
      MemHCOptions copy = (MemHCOptions) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** A budget of device memory in bytes, unbounded host memory, all optimizations. */
  public static MemHCOptions ofBudget(long budgetBytes) {
    return new MemHCOptions(budgetBytes);
  }

  /** With another budget of device memory, in bytes. */
  public MemHCOptions withBudget(long bytes) {
    return with(copy -> copy.budgetBytes = requireAtLeast(1, "budgetBytes", bytes));
  }

  /** With another eviction policy, one of {@link EvictionPolicies#names}. */
  public MemHCOptions withPolicy(String name) {
    return with(copy -> copy.policy = name);
  }

  /** With another seed of random evictions. */
  public MemHCOptions withSeed(long newSeed) {
    return with(copy -> copy.seed = newSeed);
  }

  /** With bounds on the tiers beneath the device, see {@link HostTier.Bounds}. */
  public MemHCOptions withTiers(long hostBytes, @Nullable Path spillDirectory, long spillBytes) {
    return with(copy -> copy.host = new HostTier.Bounds(hostBytes, spillDirectory, spillBytes));
  }

  /** With a budget of host memory from which buffers are reserved. */
  public MemHCOptions withHostMemory(HostMemoryBudget budget) {
    return with(copy -> copy.hostMemory = budget);
  }

  /**
   * With a bound on what is brought in ahead of its use, in bytes; 0 switches prefetch off. The
   * default is an eighth of the budget.
   */
  public MemHCOptions withPrefetch(long bytes) {
    return with(copy -> copy.prefetchBytes = requireAtLeast(0, "prefetchBytes", bytes));
  }

  /**
   * With a price of computing, so that an intermediate is computed again where that is cheaper than
   * keeping a copy of it.
   *
   * @param flops floating-point operations that take as long as moving one byte between the device
   *     and the tier beneath it; 0: nothing is computed again
   */
  public MemHCOptions withRecomputation(long flops) {
    return with(copy -> copy.flopsPerByte = requireAtLeast(0, "flopsPerByte", flops));
  }

  /** With a file to which all accesses are recorded, see {@link AccessTrace}. */
  public MemHCOptions withTrace(@Nullable Path file) {
    return with(copy -> copy.trace = file);
  }

  /**
   * With or without the release of elements after their last use in the schedule. Without it the
   * schedule only provides next uses, and dead elements are evicted when memory is short, as in the
   * paper.
   */
  public MemHCOptions withLiveness(boolean releaseDead) {
    return with(copy -> copy.liveness = releaseDead);
  }

  /**
   * With or without giving the block of an evicted element straight to an element of the same size.
   * Without it the block is freed and a new one allocated, as in the paper, whose counts need that.
   */
  public MemHCOptions withOverwriteVictims(boolean overwrite) {
    return with(copy -> copy.overwriteVictims = overwrite);
  }

  /**
   * With the optimizations of the paper's Figure 8 on or off one by one.
   *
   * @param newReuse whether anything stays on the device or in {@code free_pool} after a batch
   * @param newPacking whether all spins of an element are one block and one copy
   * @param newGpuOnly whether intermediates are copied to the host only when they are needed there,
   *     {@link WritePolicy#BACK}
   */
  public MemHCOptions withOptimizations(boolean newReuse, boolean newPacking, boolean newGpuOnly) {
    return with(
        copy -> {
          copy.reuse = newReuse;
          copy.packing = newPacking;
          copy.write = newGpuOnly ? WritePolicy.BACK : WritePolicy.THROUGH;
        });
  }

  /**
   * With lines for elements, each of which holds one of any size. The budget in bytes bounds them
   * too.
   *
   * @param newOrganization which lines an element may take
   * @param newLines number of lines, adapted to the organization ({@link Organization#sets}); 0: as
   *     many as the budget has room for the largest element, and with the full organization any
   *     number
   */
  public MemHCOptions withOrganization(Organization newOrganization, int newLines) {
    return with(
        copy -> {
          copy.organization = newOrganization;
          copy.lines = (int) requireAtLeast(0, "lines", newLines);
        });
  }

  /**
   * With or without locking and looking up the elements of a contraction one by one, as in
   * SoftCache. An element that is there may then leave for one before it and has to come back. By
   * default all are locked before any is brought in.
   */
  public MemHCOptions withLateLocks(boolean late) {
    return with(copy -> copy.lateLocks = late);
  }

  /** With another time at which results are copied to the host. */
  public MemHCOptions withWritePolicy(WritePolicy policyOfWrites) {
    return with(copy -> copy.write = policyOfWrites);
  }

  /**
   * With slow memory beside the budget, in which kernels use what is not brought in. Then every
   * contraction runs whose elements fit into both together. It goes neither with lines nor without
   * packing or reuse.
   *
   * @param newTiering how the budget is used
   * @param bytes slow memory that may be held
   */
  public MemHCOptions withTiering(Tiering newTiering, long bytes) {
    if (newTiering != Tiering.OFF && (lines > 0 || organization.ways() > 0 || !packing || !reuse)) {
      throw new IllegalArgumentException(
          "two tiers of memory go neither with lines nor without packing or reuse");
    }
    return with(
        copy -> {
          copy.tiering = newTiering;
          copy.slowBytes = newTiering == Tiering.OFF ? 0 : requireAtLeast(0, "slowBytes", bytes);
        });
  }

  /** How the budget is used if there is slow memory beside it. */
  public Tiering tiering() {
    return tiering;
  }

  /**
   * With another bound on what the elements of one contraction take; without it, that is both tiers
   * together. What depends on it, such as slices of baryons, then is the same with and without a
   * slow tier.
   */
  public MemHCOptions withWorkingBytes(long bytes) {
    return with(copy -> copy.workingBytes = requireAtLeast(1, "workingBytes", bytes));
  }

  /** Device memory that the elements of one contraction may take, in either tier. */
  public long workingBytes() {
    return workingBytes == null ? budgetBytes + slowBytes : workingBytes;
  }

  /** The budget of device memory in bytes. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /** The name of the eviction policy. */
  public String policy() {
    return policy;
  }

  /** Floating-point operations that take as long as moving a byte; 0: nothing is recomputed. */
  public long flopsPerByte() {
    return flopsPerByte;
  }

  /** The budget of host memory from which buffers are reserved. */
  public HostMemoryBudget hostMemory() {
    return hostMemory;
  }

  /** Which lines an element may take. */
  public Organization organization() {
    return organization;
  }

  /** Number of lines; 0: not given. */
  public int lines() {
    return lines;
  }

  /** When results are copied to the host. */
  public WritePolicy writePolicy() {
    return write;
  }

  /** Whether the elements of a contraction are locked one by one. */
  public boolean lateLocks() {
    return lateLocks;
  }

  /** Whether elements are released after their last use. */
  public boolean liveness() {
    return liveness;
  }

  /** Seed of random evictions. */
  public long seed() {
    return seed;
  }

  /** Bound on what is brought in ahead of its use, in bytes; 0: no prefetch. */
  long prefetchBytes() {
    return prefetchBytes == null ? budgetBytes / PREFETCH_SHARE : prefetchBytes;
  }

  private static long requireAtLeast(long least, String name, long value) {
    if (value < least) {
      throw new IllegalArgumentException("must be >= " + least + ": " + name + "=" + value);
    }
    return value;
  }
}
