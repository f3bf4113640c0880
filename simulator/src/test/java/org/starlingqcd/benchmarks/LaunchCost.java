package org.starlingqcd.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.execute.ExecutionControl;
import org.starlingqcd.hadron.execute.PreparedQueue;
import org.starlingqcd.hadron.execute.QueueCost;
import org.starlingqcd.hadron.execute.QueueExecutor;
import org.starlingqcd.hadron.input.BlockRequest;
import org.starlingqcd.hadron.input.StoredInputs;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.HeldInput;

/**
 * Counts the calls of a GPU's libraries for one unit of a definition (one configuration and source,
 * one separation) and measures the host time of the unit on a library whose calls do nothing
 * ({@link NoOpGpu}). Inputs are in the host's memory. The time is that of the scheduler, MemHC and
 * launching together; the vendor's own time for a call, a few microseconds, comes on top.
 *
 * <pre>
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" \
 *   org.starlingqcd.benchmarks.LaunchCost f0d2 200 128 256 384     (definition, rounds, extents)
 * </pre>
 */
public final class LaunchCost {
  /**
   * What one unit asks of the libraries, and what it takes of the host.
   *
   * @param seconds elapsed time
   * @param processor time of the launching thread on a processor, which other programs disturb less
   */
  record Cost(NoOpGpu.Counts counts, double seconds, double processor) {}

  private LaunchCost() {}

  /** Measures and prints. */
  public static void main(String[] arguments) {
    int rounds = Integer.parseInt(arguments[1]);
    System.out.println(
        "| N | host ms | on a processor | products | GFLOP | GB of products | traces and sums | GB of vectors | copies |");
    System.out.println("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (int k = 2; k < arguments.length; k++) {
      print(arguments[0], Integer.parseInt(arguments[k]), rounds, true);
      print(arguments[0], Integer.parseInt(arguments[k]), rounds, false);
    }
  }

  private static void print(String definition, int extent, int rounds, boolean kernels) {
    Cost cost = measure(definition, extent, rounds, kernels);
    NoOpGpu.Counts counts = cost.counts();
    System.out.printf(
        Locale.ROOT,
        "| %d | %.2f | %.2f | %d | %.1f | %.2f | %d | %.2f | %d |%n",
        extent,
        1e3 * cost.seconds(),
        1e3 * cost.processor(),
        counts.of("multiply"),
        1e-9 * counts.flops(),
        1e-9 * counts.bytesOfProducts(),
        counts.of("apply", "transpose", "clear", "kernel"),
        1e-9 * counts.bytesOfVectorProducts(),
        counts.of("copy"));
    System.out.println("  " + counts.calls());
  }

  /** The queue of the unit. */
  static ExecutionQueue queue(String definition) {
    ContractionPlan plan =
        Reducer.reduce(
            WickContraction.contract(
                List.of(new DefinitionLoader().load(definition).toCorrelationMatrix())));
    return TimeBinding.bind(
        plan, BoundTimes.of(4, 0, List.of(1)), QueueOptions.standard(), QueueCost::of);
  }

  /** Of the largest input: a perambulator or a baryon elemental. */
  private static long bytes(int extent) {
    return Math.max(
        TensorShape.mesonNode(extent).bytes(),
        (long) extent * extent * extent * TensorShape.COMPLEX_BYTES);
  }

  /** Runs the unit {@code rounds} times after as many to warm up; the time is the median. */
  static Cost measure(String definition, int extent, int rounds, boolean kernels) {
    ExecutionQueue queue = queue(definition);
    NoOpGpu library = new NoOpGpu(kernels);
    try (Device device = library.provider().open(DeviceOptions.defaults());
        QueueExecutor executor = QueueExecutor.open(device, MemHCOptions.ofBudget(1L << 36));
        HostMemory memory = HostMemory.allocate(bytes(extent))) {
      InputBlocks inputs = new NoInputs(memory);
      PreparedQueue prepared = executor.prepare(queue, extent);
      for (int round = 0; round < rounds; round++) {
        executor.run(prepared, inputs, ExecutionControl.NONE); // warms the compiler up
      }
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      double[] seconds = new double[rounds];
      double[] processor = new double[rounds];
      for (int round = 0; round < rounds; round++) {
        library.reset();
        long start = System.nanoTime();
        long used = threads.getCurrentThreadCpuTime();
        executor.run(prepared, inputs, ExecutionControl.NONE);
        processor[round] = 1e-9 * (threads.getCurrentThreadCpuTime() - used);
        seconds[round] = 1e-9 * (System.nanoTime() - start);
      }
      Arrays.sort(seconds);
      Arrays.sort(processor);
      return new Cost(library.counts(), seconds[rounds / 2], processor[rounds / 2]);
    }
  }

  /** Inputs that are in the host's memory. */
  private static final class NoInputs implements StoredInputs, HeldInput {
    private final HostMemory memory;

    NoInputs(HostMemory memory) {
      this.memory = memory;
    }

    @Override
    public void load(Input input, Rows rows, HostMemory target, long offset) {}

    @Override
    public boolean load(BlockRequest request, HostMemory target, long offset) {
      return true;
    }

    @Override
    public HeldInput hold(BlockRequest request, Runnable notKept) {
      return this;
    }

    @Override
    public void release(BlockRequest request) {}

    @Override
    public GammaBasis gammaBasis() {
      return GammaBasis.DEGRAND_ROSSI;
    }

    @Override
    public boolean isRead() {
      return true;
    }

    @Override
    public void read() {}

    @Override
    public HostMemory memory() {
      return memory;
    }

    @Override
    public long offset() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
