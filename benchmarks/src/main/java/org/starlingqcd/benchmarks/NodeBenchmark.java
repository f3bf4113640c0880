package org.starlingqcd.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/**
 * Building a node: an elemental times the 16 components of a perambulator, {@code 8·N³·16} flops;
 * and bringing an element to the device, {@code 16·N²·16} bytes.
 */
@SuppressWarnings("NullAway.Init") // JMH calls open() first.
public class NodeBenchmark extends CpuBenchmark {
  private ContractionBatch batch;
  private HostMemory host;
  private DeviceMemory target;
  private TensorShape shape;

  @Override
  void prepare() {
    shape = TensorShape.mesonNode(extent);
    batch = nodes.fourNodes(extent, 1);
    target = nodes.random(shape);
    host = nodes.device().allocateHost(shape.bytes());
    host.clear();
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

  @Override
  void free() {
    host.close();
  }
}
