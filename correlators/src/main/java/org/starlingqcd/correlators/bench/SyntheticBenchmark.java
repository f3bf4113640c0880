package org.starlingqcd.correlators.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryStatistics;
import org.starlingqcd.memhc.replay.VectorWorkload;
import org.starlingqcd.memhc.replay.WorkloadRun;

/**
 * Runs {@link BenchSettings} for real: nodes of random numbers lie in host memory, and every
 * contraction is 64 N × N complex products, {@code 64 · 8 · N³} flops.
 */
public final class SyntheticBenchmark {
  /** Different nodes on the host; more would only take memory. */
  private static final int HOST_NODES = 4;

  private final BenchSettings settings;
  private final Device device;
  private final TensorShape shape;

  /** A benchmark on a device. */
  public SyntheticBenchmark(BenchSettings settings, Device device) {
    this.settings = settings;
    this.device = device;
    shape = TensorShape.mesonNode(settings.tensorSize());
  }

  /**
   * Device memory that the settings ask for, in bytes.
   *
   * @param available what there is, taken whole unless an oversubscription is given
   */
  public static long budgetBytes(BenchSettings settings, long available) {
    return settings.oversubscription() == null
        ? available
        : workload(settings, 0).budgetBytes(2 * settings.vectorSize());
  }

  private static WorkloadRun workload(BenchSettings settings, int iteration) {
    return new WorkloadRun(
        new VectorWorkload(
            settings.vectors(),
            settings.vectorSize(),
            settings.repeatedRate(),
            settings.distribution(),
            settings.seed() + iteration),
        TensorShape.mesonNode(settings.tensorSize()));
  }

  /**
   * Runs all iterations, after one short run that is not measured.
   *
   * @param budgetBytes device memory that may be used
   */
  public BenchResult run(long budgetBytes) {
    List<HostMemory> nodes = new ArrayList<>();
    try {
      Random random = new Random(settings.seed());
      for (int k = 0; k < HOST_NODES; k++) {
        nodes.add(randomNode(random));
      }
      MemHCOptions options =
          MemHCOptions.ofBudget(budgetBytes)
              .withPolicy(settings.eviction())
              .withSeed(settings.seed())
              .withOptimizations(settings.reuse(), settings.packing(), settings.gpuOnly());
      warmUp(options, nodes);
      List<MemoryStatistics> counts = new ArrayList<>();
      List<Double> seconds = new ArrayList<>();
      for (int iteration = 0; iteration < settings.iterations(); iteration++) {
        WorkloadRun run = workload(settings, iteration);
        long begin = System.nanoTime();
        counts.add(run(run, options, nodes));
        seconds.add(1e-9 * (System.nanoTime() - begin));
      }
      double flops = 64 * 8.0 * Math.pow(settings.tensorSize(), 3) * settings.contractions();
      return new BenchResult(settings, flops * settings.iterations(), seconds, counts);
    } finally {
      nodes.forEach(HostMemory::close);
    }
  }

  private HostMemory randomNode(Random random) {
    HostMemory node = device.allocateHost(shape.bytes());
    double[] row = new double[2 * settings.tensorSize()];
    for (long at = 0; at < 2 * shape.size(); at += row.length) {
      for (int k = 0; k < row.length; k++) {
        row[k] = random.nextDouble(-1, 1);
      }
      node.put(at, row, 0, row.length);
    }
    return node;
  }

  /** Two contractions, for what libraries and the virtual machine do once. */
  private void warmUp(MemHCOptions options, List<HostMemory> nodes) {
    VectorWorkload two =
        new VectorWorkload(2, 1, 1, VectorWorkload.Distribution.UNIFORM, settings.seed());
    run(new WorkloadRun(two, shape), options, nodes);
  }

  private MemoryStatistics run(WorkloadRun run, MemHCOptions options, List<HostMemory> nodes) {
    return run.run(
        device,
        options,
        settings.reuse(),
        (element, target, offset) ->
            nodes.get(element % HOST_NODES).copyTo(0, target, offset, shape.bytes()),
        new Contractions(device, settings.tensorSize()));
  }

  /** Batches of plain meson contractions. */
  private static final class Contractions implements WorkloadRun.Kernels {
    private static final BatchSpinMapping MAPPING = BatchSpinMapping.mesonProduct();

    private final Device device;
    private final ContractionBatch batch;

    Contractions(Device device, int tensorSize) {
      this.device = device;
      batch = new ContractionBatch(tensorSize, tensorSize, tensorSize);
    }

    @Override
    public void add(DeviceMemory left, DeviceMemory right, DeviceMemory destination) {
      batch.add(left, right, destination, MAPPING);
    }

    @Override
    public void launch() {
      if (batch.size() > 0) {
        device.contract(batch, device.computeStream());
        batch.clear();
      }
    }
  }
}
