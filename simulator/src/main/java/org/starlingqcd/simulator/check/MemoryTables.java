package org.starlingqcd.simulator.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.correlators.run.CacheSettings;
import org.starlingqcd.correlators.tier.TwoTiers;
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
   * A row.
   *
   * @param name the configuration
   * @param result the measurements
   */
  public record Row(String name, BenchResult result) {}

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
  public int vectorSize() {
    return (int) Math.max(1, budgetBytes / (2 * TensorShape.mesonNode(extent).bytes()));
  }

  /** Least recently used, the paper's policy and the default one at growing oversubscription. */
  public List<Row> oversubscription() {
    List<Row> rows = new ArrayList<>();
    for (double oversubscription : OVERSUBSCRIPTIONS) {
      for (String policy : POLICIES) {
        BenchSettings settings =
            new BenchSettings(
                SyntheticContraction.mesons(extent),
                vectorSize(),
                REPEATED_RATE,
                VectorWorkload.Distribution.UNIFORM,
                1,
                1,
                oversubscription,
                ITERATIONS,
                policy,
                CacheSettings.defaults(),
                true,
                true,
                true);
        String name = String.format(Locale.ROOT, "%.0f %%, %s", 100 * oversubscription, policy);
        rows.add(row(name, settings));
      }
    }
    return rows;
  }

  /** The optimizations one after the other, under the paper's names. */
  public List<Row> breakdown() {
    return List.of(
        row("MemHC Naive", breakdown(false, false, false)),
        row("Data Reorg", breakdown(false, true, false)),
        row("Data Reorg + Sync", breakdown(false, true, true)),
        row("Optimal", breakdown(true, true, true)));
  }

  private BenchSettings breakdown(boolean reuse, boolean packing, boolean gpuOnly) {
    return new BenchSettings(
        SyntheticContraction.mesons(extent),
        Math.min(BREAKDOWN_VECTOR, vectorSize()),
        REPEATED_RATE,
        VectorWorkload.Distribution.UNIFORM,
        1,
        BREAKDOWN_VECTORS,
        null,
        ITERATIONS,
        MemHCOptions.DEFAULT_POLICY,
        CacheSettings.defaults(),
        reuse,
        packing,
        gpuOnly);
  }

  private Row row(String name, BenchSettings settings) {
    long budget = SyntheticBenchmark.budgetBytes(settings, budgetBytes);
    return new Row(name, new SyntheticBenchmark(settings, device).run(TwoTiers.single(budget)));
  }
}
