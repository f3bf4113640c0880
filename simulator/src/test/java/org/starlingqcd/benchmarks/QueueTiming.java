package org.starlingqcd.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.wick.WickContraction;
import org.starlingqcd.hadron.execute.QueueCost;
import org.starlingqcd.simulator.check.RandomNodes;

/**
 * Times the contractions of a definition for one source and one separation on random nodes that are
 * on the device already: products and traces of the execution queue, without reading and node
 * building. Traces are compared with the limit of the processor, which is meaningless for other
 * devices. Mesons only. Prints one line of {@code key=value} pairs for {@code
 * benchmarks/compare.py}.
 *
 * <pre>
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" \
 *   org.starlingqcd.benchmarks.QueueTiming f0d2 64 2 3 cuda (definition, N, threads, rounds, backend)
 * </pre>
 */
public final class QueueTiming {
  private final int extent;
  private final RandomNodes nodes;
  private final Map<Integer, DeviceMemory> elements = new HashMap<>();
  private final List<Runnable> products = new ArrayList<>();
  private final List<TraceBlock> traces = new ArrayList<>();
  private int productCount;

  private QueueTiming(int extent, RandomNodes nodes) {
    this.extent = extent;
    this.nodes = nodes;
  }

  /** Times a definition. */
  public static void main(String[] arguments) throws InterruptedException {
    int extent = Integer.parseInt(arguments[1]);
    int threads = Integer.parseInt(arguments[2]);
    int rounds = Integer.parseInt(arguments[3]);
    ContractionPlan plan =
        Reducer.reduce(
            WickContraction.contract(
                List.of(new DefinitionLoader().load(arguments[0]).toCorrelationMatrix())));
    ExecutionQueue queue =
        TimeBinding.bind(
            plan,
            new BoundTimes(2, List.of(0), List.of(1), List.of()),
            QueueOptions.standard(),
            QueueCost::of);
    String backend = arguments[4];
    try (Device device = Backends.select(backend, 0).open(new DeviceOptions(0, threads, 0, false));
        RandomNodes nodes = new RandomNodes(device)) {
      QueueTiming timing = new QueueTiming(extent, nodes);
      timing.prepare(queue);
      timing.report(plan, queue.traceCount(), backend, threads, rounds);
    }
  }

  private void prepare(ExecutionQueue queue) {
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      ContractionBatch batch = new ContractionBatch(extent, extent, extent);
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.Multiply product) {
          batch.add(
              element(product.left()),
              element(product.right()),
              element(product.destination()),
              CpuNodes.contraction(),
              product.coefficient().re(),
              product.coefficient().im(),
              product.accumulate());
          productCount++;
        } else if (step instanceof ExecutionQueue.Traces block) {
          traces.add(
              new TraceBlock(
                  block.lefts().stream().map(this::element).toList(),
                  block.rights().stream().map(this::element).toList(),
                  CpuNodes.trace(),
                  extent,
                  block.firstTrace()));
        } else if (!(step instanceof ExecutionQueue.Build)) {
          throw new IllegalArgumentException("mesons only: " + step);
        }
      }
      if (batch.size() > 0) {
        Device device = nodes.device();
        products.add(() -> device.contract(batch, device.computeStream()));
      }
    }
    nodes.synchronize();
  }

  private DeviceMemory element(int number) {
    return elements.computeIfAbsent(number, k -> nodes.random(TensorShape.mesonNode(extent)));
  }

  /**
   * Lower limit of the time of the traces in seconds: every block reads its elements once at the
   * bandwidth of a plain sum, or runs at the rate of dgemm, whichever takes longer.
   */
  private double traceLimit(double bytesPerSecond, double flopsPerSecond) {
    double seconds = 0;
    double component = 16.0 * extent * extent;
    for (TraceBlock block : traces) {
      int lefts = block.lefts().size();
      int rights = block.rights().size();
      if (rights == 0) {
        continue; // Diagonals alone: next to nothing.
      }
      double read = component * block.mapping().size() * (lefts + rights);
      double flops = 0.5 * component * block.mapping().size() * lefts * rights;
      seconds += Math.max(read / bytesPerSecond, flops / flopsPerSecond);
    }
    return seconds;
  }

  private void report(ContractionPlan plan, int traceCount, String backend, int threads, int rounds)
      throws InterruptedException {
    Device device = nodes.device();
    Medians medians = new Medians();
    double contracting = Double.MAX_VALUE;
    double tracing = Double.MAX_VALUE;
    try (MachineRates machine = new MachineRates(threads);
        HostMemory results = device.allocateHost(16L * Math.max(1, traceCount))) {
      for (int round = 0; round < rounds; round++) {
        long start = System.nanoTime();
        products.forEach(Runnable::run);
        nodes.synchronize();
        long middle = System.nanoTime();
        device.trace(traces, results, device.computeStream());
        nodes.synchronize();
        contracting = Math.min(contracting, (middle - start) * 1e-9);
        double taken = (System.nanoTime() - middle) * 1e-9;
        tracing = Math.min(tracing, taken);
        double limit =
            traceLimit(machine.bytesPerSecond(), machine.dgemm(512, 16).flopsPerSecond());
        medians.add("of limit", limit / taken);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "N=%d backend=%s threads=%d products=%d traces=%d unshared_products=%d unshared_traces=%d "
            + "product_seconds=%.6f trace_seconds=%.6f trace_of_limit=%.2f%n",
        extent,
        backend,
        threads,
        productCount,
        traceCount,
        plan.counts().productsUnshared(),
        plan.counts().tracesUnshared(),
        contracting,
        tracing,
        medians.of("of limit"));
  }
}
