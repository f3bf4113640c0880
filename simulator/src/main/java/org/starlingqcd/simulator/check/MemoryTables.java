package org.starlingqcd.simulator.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.correlators.run.CacheSettings;
import org.starlingqcd.correlators.run.TwoTiers;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.simulator.BenchResult;
import org.starlingqcd.simulator.BenchSettings;
import org.starlingqcd.simulator.SyntheticBenchmark;
import org.starlingqcd.simulator.SyntheticContraction;
import org.starlingqcd.simulator.VectorWorkload;

/**
 * The tables of MemHC's paper at a given budget: policies under oversubscription (Tables 1 to 3)
 * and the effect of each optimization (Figure 8), on random nodes that repeat at a rate of one
 * half.
 */
public final class MemoryTables {
  private static final int ITERATIONS = 3;
  private static final double REPEATED_RATE = 0.5;
  private static final double[] OVERSUBSCRIPTIONS = {0.5, 1, 1.5};
  private static final List<String> POLICIES =
      List.of("lru", "pre-protected-lru", MemHCOptions.DEFAULT_POLICY);
  private static final int BREAKDOWN_VECTOR = 16;
  private static final int BREAKDOWN_VECTORS = 10;

  /** Share of the free memory that a budget may take; libraries need the rest. */
  private static final double SHARE = 0.85;

  private final Device device;
  private final int extent;
  private final long budgetBytes;

  /**
   * Tables of nodes of N = {@code extent}.
   *
   * @param budgetBytes device memory for nodes, bounded by the free memory of the device
   */
  public MemoryTables(Device device, int extent, long budgetBytes) {
    this.device = device;
    this.extent = extent;
    this.budgetBytes = Math.min(budgetBytes, (long) (SHARE * device.info().freeBytes()));
  }

  /** Contractions of a vector such that two nodes for each fill the budget. */
  private int vectorSize() {
    return (int) Math.max(1, budgetBytes / (2 * TensorShape.mesonNode(extent).bytes()));
  }

  /** Least recently used, the paper's policy and the default one at growing oversubscription. */
  public Map<String, BenchResult> oversubscription() {
    Map<String, BenchResult> rows = new LinkedHashMap<>();
    for (double oversubscription : OVERSUBSCRIPTIONS) {
      for (String policy : POLICIES) {
        String name = String.format(Locale.US, "%.0f %%, %s", 100 * oversubscription, policy);
        rows.put(name, run(vectorSize(), 1, oversubscription, policy, true, true, true));
      }
    }
    return rows;
  }

  /** The optimizations one after the other, under the paper's names. */
  public Map<String, BenchResult> breakdown() {
    Map<String, BenchResult> rows = new LinkedHashMap<>();
    rows.put("MemHC Naive", breakdown(false, false, false));
    rows.put("Data Reorg", breakdown(false, true, false));
    rows.put("Data Reorg + Sync", breakdown(false, true, true));
    rows.put("Optimal", breakdown(true, true, true));
    return rows;
  }

  private BenchResult breakdown(boolean reuse, boolean packing, boolean gpuOnly) {
    int vectorSize = Math.min(BREAKDOWN_VECTOR, vectorSize());
    String policy = MemHCOptions.DEFAULT_POLICY;
    return run(vectorSize, BREAKDOWN_VECTORS, null, policy, reuse, packing, gpuOnly);
  }

  private BenchResult run(
      int vectorSize,
      int vectors,
      @Nullable Double oversubscription,
      String policy,
      boolean reuse,
      boolean packing,
      boolean gpuOnly) {
    BenchSettings settings =
        new BenchSettings(
            SyntheticContraction.mesons(extent),
            vectorSize,
            REPEATED_RATE,
            VectorWorkload.Distribution.UNIFORM,
            1,
            vectors,
            oversubscription,
            ITERATIONS,
            policy,
            CacheSettings.defaults(),
            reuse,
            packing,
            gpuOnly);
    long budget = SyntheticBenchmark.budgetBytes(settings, budgetBytes);
    return new SyntheticBenchmark(settings, device).run(TwoTiers.single(budget));
  }
}
