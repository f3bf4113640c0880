package org.starlingqcd.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.starlingqcd.backend.ContractionBatch;

/**
 * A vector pair of four meson contractions against its 256 zgemm products; {@code 8·N³·64} flops a
 * contraction.
 */
@SuppressWarnings("NullAway.Init") // JMH calls open() first.
public class ContractionBenchmark extends CpuBenchmark {
  private static final int CONTRACTIONS = 4;

  /** What runs: zgemm itself, the backend, or the backend with conventional products. */
  @Param({"zgemm", "kernel", "exact"})
  public String what;

  private ContractionBatch batch;
  private Zgemm zgemm;

  @Override
  boolean isExact() {
    return what.equals("exact");
  }

  @Override
  void prepare() {
    batch = nodes.vectorPair(extent, CONTRACTIONS);
    zgemm = new Zgemm(extent, CONTRACTIONS, threads, 0);
  }

  /** One vector pair. */
  @Benchmark
  public void vectorPair() throws InterruptedException {
    if (what.equals("zgemm")) {
      zgemm.run();
    } else {
      nodes.device().contract(batch, nodes.device().computeStream());
      nodes.synchronize();
    }
  }

  @Override
  void free() {
    zgemm.close();
  }
}
