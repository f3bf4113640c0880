package org.starlingqcd.benchmarks;

import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;

/**
 * Traces of all pairs of two lists of nodes: {@code 8·N²·16} flops a pair, {@code 16·N²·16} bytes a
 * node.
 */
@SuppressWarnings("NullAway.Init") // JMH calls open() first.
public class TraceBenchmark extends CpuBenchmark {
  /** Nodes on either side. */
  @Param({"1", "8", "20"})
  public int elements;

  private List<TraceBlock> blocks;
  private HostMemory results;

  @Override
  void prepare() {
    TensorShape shape = TensorShape.mesonNode(extent);
    blocks =
        List.of(
            new TraceBlock(
                nodes.random(shape, elements),
                nodes.random(shape, elements),
                CpuNodes.trace(),
                extent,
                0));
    results = nodes.device().allocateHost(16L * elements * elements);
  }

  /** One block. */
  @Benchmark
  public void block() {
    nodes.device().trace(blocks, results, nodes.device().computeStream());
    nodes.synchronize();
  }

  @Override
  void free() {
    results.close();
  }
}
