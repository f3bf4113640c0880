package org.starlingqcd.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.correlators.run.TwoTiers;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.HeldInput;
import org.starlingqcd.memhc.access.InputSource;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.WritePolicy;

/**
 * Runs {@link BenchSettings} on a device: nodes of random numbers are in host memory, and every
 * contraction is a batch of complex matrix products ({@link SyntheticContraction}).
 */
public final class SyntheticBenchmark {
  /** Different nodes on the host; all inputs share their data. */
  private static final int HOST_NODES = 4;

  /** Vectors that the warm-up runs at a time. */
  private static final int WARM_UP_VECTORS = 2;

  /** No further vectors warm up after this time. */
  private static final long WARM_UP_NANOS = 500_000_000;

  private final BenchSettings settings;
  private final Device device;
  private final SyntheticContraction contraction;

  /** A benchmark on a device. */
  public SyntheticBenchmark(BenchSettings settings, Device device) {
    this.settings = settings;
    this.device = device;
    contraction = settings.contraction();
  }

  /**
   * Device memory that the settings need, in bytes.
   *
   * @param available memory to take unless an oversubscription is given
   */
  public static long budgetBytes(BenchSettings settings, long available) {
    return settings.oversubscription() == null
        ? available
        : workload(settings, 0).budgetBytes(2 * settings.vectorSize());
  }

  private static WorkloadRun workload(BenchSettings settings, int iteration) {
    return workload(settings, settings.vectors(), settings.vectorSize(), iteration);
  }

  private static WorkloadRun workload(
      BenchSettings settings, int vectors, int vectorSize, int iteration) {
    return new WorkloadRun(
        new VectorWorkload(
            vectors,
            vectorSize,
            settings.repeatedRate(),
            settings.distribution(),
            settings.seed() + iteration),
        settings.contraction());
  }

  /**
   * Runs all iterations after a short warm-up.
   *
   * @param tiers device memory that may be used
   */
  public BenchResult run(TwoTiers tiers) {
    List<HostMemory> nodes = new ArrayList<>();
    try {
      Random random = new Random(settings.seed());
      for (int k = 0; k < HOST_NODES; k++) {
        nodes.add(randomNode(random));
      }
      MemHCOptions options =
          settings
              .cache()
              .applyTo(MemHCOptions.ofBudget(tiers.fastBytes()))
              .withPolicy(settings.eviction())
              .withSeed(settings.seed())
              .withOptimizations(
                  settings.reuse(),
                  settings.packing(),
                  settings.gpuOnly() && settings.cache().write() == WritePolicy.BACK);
      options = tiers.applyTo(options);
      warmUp(options, nodes);
      List<MemoryStatistics> counts = new ArrayList<>();
      List<Double> seconds = new ArrayList<>();
      for (int iteration = 0; iteration < settings.iterations(); iteration++) {
        WorkloadRun run = workload(settings, iteration);
        long begin = System.nanoTime();
        counts.add(run(run, options, nodes));
        seconds.add(1e-9 * (System.nanoTime() - begin));
      }
      double flops = contraction.flops() * settings.contractions();
      return new BenchResult(settings, flops * settings.iterations(), seconds, counts);
    } finally {
      nodes.forEach(HostMemory::close);
    }
  }

  private HostMemory randomNode(Random random) {
    long bytes = Math.max(contraction.node().bytes(), contraction.shared().bytes());
    HostMemory node = device.allocateHost(bytes);
    double[] row = new double[2 * contraction.extent()];
    for (long at = 0; at < bytes / Double.BYTES; at += row.length) {
      for (int k = 0; k < row.length; k++) {
        row[k] = random.nextDouble(-1, 1);
      }
      node.put(at, row, 0, row.length);
    }
    return node;
  }

  /**
   * Runs two contractions, so that libraries initialize, and then vectors like those that are
   * measured, but no more, until the JVM has compiled what handles them.
   */
  private void warmUp(MemHCOptions options, List<HostMemory> nodes) {
    long begin = System.nanoTime();
    run(workload(settings, 2, 1, 0), options, nodes);
    WorkloadRun vectors =
        workload(settings, Math.min(WARM_UP_VECTORS, settings.vectors()), settings.vectorSize(), 0);
    for (int done = 0;
        done < settings.vectors() && System.nanoTime() - begin < WARM_UP_NANOS;
        done += WARM_UP_VECTORS) {
      run(vectors, options, nodes);
    }
  }

  private MemoryStatistics run(WorkloadRun run, MemHCOptions options, List<HostMemory> nodes) {
    return run.run(device, options, settings.reuse(), new Nodes(nodes));
  }

  private long bytes(int element) {
    return (element == VectorWorkload.SHARED ? contraction.shared() : contraction.node()).bytes();
  }

  /** Nodes that stay in page-locked memory, out of which the device copies as in a run. */
  private final class Nodes implements InputSource {
    private final List<HostMemory> nodes;

    Nodes(List<HostMemory> nodes) {
      this.nodes = nodes;
    }

    @Override
    public void load(int element, HostMemory target, long offset) {
      node(element).copyTo(0, target, offset, bytes(element));
    }

    @Override
    public HeldInput hold(int element) {
      return new ReadInput(node(element));
    }

    private HostMemory node(int element) {
      return nodes.get(element % HOST_NODES);
    }
  }

  /** An input that is read, in memory that belongs to all runs. */
  private record ReadInput(HostMemory memory) implements HeldInput {
    @Override
    public boolean isRead() {
      return true;
    }

    @Override
    public void read() {}

    @Override
    public long offset() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
