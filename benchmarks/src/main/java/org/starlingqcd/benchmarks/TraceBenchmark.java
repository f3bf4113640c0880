package org.starlingqcd.benchmarks;

import java.util.List;
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
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;

/**
 * Traces of all pairs of two lists of nodes: {@code 8·N²·16} flops a pair, {@code 16·N²·16} bytes a
 * node.
 *
 * <pre>
 * mvn -q -P '!checks' -pl benchmarks -am package -DskipTests
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" org.openjdk.jmh.Main \
 *   TraceBenchmark -p extent=128 -p elements=1,8,20
 * </pre>
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the fields and calls open() first.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TraceBenchmark {
  /** Eigenvectors. */
  @Param({"64", "128", "256"})
  public int extent;

  /** Java threads. */
  @Param("1")
  public int threads;

  /** Nodes on either side. */
  @Param({"1", "8", "20"})
  public int elements;

  private CpuNodes nodes;
  private List<TraceBlock> blocks;
  private HostMemory results;

  /** Allocates. */
  @Setup
  public void open() {
    nodes = new CpuNodes(threads, false);
    TensorShape shape = TensorShape.mesonNode(extent);
    SpinTraceMapping mapping =
        SpinTraceMapping.mesonTrace(
            CpuNodes.ROW_A, CpuNodes.SIGN_A, CpuNodes.ROW_B, CpuNodes.SIGN_B);
    blocks =
        List.of(
            new TraceBlock(
                nodes.random(shape, elements), nodes.random(shape, elements), mapping, extent, 0));
    results = nodes.device().allocateHost(16L * elements * elements);
    nodes.synchronize();
  }

  /** One block. */
  @Benchmark
  public void block() {
    nodes.device().trace(blocks, results, nodes.device().computeStream());
    nodes.synchronize();
  }

  /** Frees. */
  @TearDown
  public void close() {
    results.close();
    nodes.close();
  }
}
