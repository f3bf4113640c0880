package org.starlingqcd.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/**
 * Building a node: an elemental times the 16 components of a perambulator, {@code 8·N³·16} flops;
 * and bringing an element to the device, {@code 16·N²·16} bytes.
 *
 * <pre>
 * mvn -q -P '!checks' -pl benchmarks -am package -DskipTests
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" org.openjdk.jmh.Main \
 *   NodeBenchmark -p extent=128,256
 * </pre>
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the fields and calls open() first.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class NodeBenchmark {
  /** Eigenvectors. */
  @Param({"64", "128", "256"})
  public int extent;

  /** Java threads. */
  @Param("1")
  public int threads;

  private CpuNodes nodes;
  private ContractionBatch batch;
  private HostMemory host;
  private DeviceMemory target;
  private TensorShape shape;

  /** Allocates. */
  @Setup
  public void open() {
    nodes = new CpuNodes(threads, false);
    shape = TensorShape.mesonNode(extent);
    batch = new ContractionBatch(extent, extent, extent);
    DeviceMemory perambulator = nodes.random(shape);
    for (int k = 0; k < 4; k++) {
      batch.add(
          nodes.random(TensorShape.elemental(extent)),
          perambulator,
          nodes.random(shape),
          BatchSpinMapping.leftScalar(16));
    }
    target = nodes.random(shape);
    host = nodes.device().allocateHost(shape.bytes());
    host.clear();
    nodes.synchronize();
  }

  /** Four nodes on one perambulator. */
  @Benchmark
  public void fourNodes() {
    nodes.device().contract(batch, nodes.device().computeStream());
    nodes.synchronize();
  }

  /** One node from the host. */
  @Benchmark
  public void upload() {
    nodes.device().upload(host, 0, target, shape, nodes.device().computeStream());
    nodes.synchronize();
  }

  /** Frees. */
  @TearDown
  public void close() {
    host.close();
    nodes.close();
  }
}
