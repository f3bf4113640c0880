package org.starlingqcd.benchmarks;

import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Precision;

/** The rate of the CPU backend's matrix products on random elements that are on the device. */
final class KernelRate implements AutoCloseable {
  /** Kinds of work, of 64 products each. */
  enum Work {
    /** Contractions of nodes. */
    CONTRACTIONS,
    /** Building four nodes. */
    NODES
  }

  private final CpuNodes nodes;
  private final ContractionBatch batch;
  private final double flops;
  private final int repeats;

  /**
   * Prepares work.
   *
   * @param seconds approximate duration of a measurement, at 100 GFLOP/s and thread
   */
  KernelRate(Work work, int extent, int threads, boolean exact, double seconds) {
    this(work, extent, threads, exact, Precision.DOUBLE, seconds);
  }

  /**
   * Prepares work in a precision.
   *
   * @param seconds approximate duration of a measurement, at 100 GFLOP/s and thread
   */
  KernelRate(
      Work work, int extent, int threads, boolean exact, Precision precision, double seconds) {
    int entries = CpuNodes.CONTRACTIONS_OF_A_THREAD * threads;
    nodes = new CpuNodes(threads, exact, precision);
    batch =
        work == Work.NODES ? nodes.fourNodes(extent, entries) : nodes.vectorPair(extent, entries);
    flops = CpuNodes.flops(extent) * entries;
    repeats = RateSample.repeats(flops, threads, seconds);
  }

  RateSample measure() throws InterruptedException {
    return RateSample.of(
        flops,
        repeats,
        () -> {
          nodes.device().contract(batch, nodes.device().computeStream());
          nodes.synchronize();
        });
  }

  @Override
  public void close() {
    nodes.close();
  }
}
