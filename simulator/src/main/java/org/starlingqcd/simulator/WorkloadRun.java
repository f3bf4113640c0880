package org.starlingqcd.simulator;

import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.memhc.MemHC;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.InputSource;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.replay.DryDevice;
import org.starlingqcd.memhc.replay.NoData;

/**
 * One iteration of a {@link VectorWorkload} with a MemHC of its own, counted as in the paper: dead
 * inputs are not released but evicted when memory is short, outputs are released when their vector
 * ends, an evicted block is freed and a new one allocated, and nothing is prefetched.
 *
 * <p>Four allocations stay until the end: the shared element and the three pointer arrays of the
 * batched zgemm with an address for each product of a contraction, 64 for mesons.
 */
public final class WorkloadRun {
  private static final int POINTER_ARRAYS = 3;

  private final VectorWorkload workload;
  private final SyntheticContraction contraction;

  /** A workload of contractions. */
  public WorkloadRun(VectorWorkload workload, SyntheticContraction contraction) {
    this.workload = workload;
    this.contraction = contraction;
  }

  /** Number of vectors of an oversubscription o, a multiple of 1/2: 2o + 1. */
  public static int vectorsFor(double oversubscription) {
    double vectors = 2 * oversubscription + 1;
    if (!(oversubscription >= 0) || vectors != Math.rint(vectors)) {
      throw new IllegalArgumentException(
          "oversubscription must be a multiple of 0.5 and at least 0, not " + oversubscription);
    }
    return (int) vectors;
  }

  /** The budget for {@code slots} nodes and the four allocations that stay, in bytes. */
  public long budgetBytes(int slots) {
    return slots * contraction.node().bytes()
        + contraction.shared().bytes()
        + POINTER_ARRAYS * pointerBytes();
  }

  private long pointerBytes() {
    return (long) contraction.mapping().size() * Long.BYTES * workload.vectorSize();
  }

  /** Runs the workload; liveness, the reuse of victims and prefetch follow the paper. */
  public MemoryStatistics run(
      Device device, MemHCOptions given, boolean reuse, InputSource source) {
    ContractionBatch batch =
        new ContractionBatch(contraction.rows(), contraction.extent(), contraction.extent());
    MemHCOptions options = given.withLiveness(false).withOverwriteVictims(false).withPrefetch(0);
    try (MemHC memory = MemHC.open(device, options)) {
      memory.addInput(contraction.shared(), source);
      for (int k = 0; k < workload.inputCount(); k++) {
        memory.addInput(contraction.node(), source);
      }
      for (int k = 0; k < workload.vectors() * workload.vectorSize(); k++) {
        memory.addIntermediate(contraction.node());
      }
      if (reuse) {
        memory.hold(VectorWorkload.SHARED);
      }
      for (int k = 0; k < POINTER_ARRAYS; k++) {
        memory.reserve(pointerBytes());
      }
      memory.schedule(workload.queue());
      for (int vector = 0; vector < workload.vectors(); vector++) {
        runVector(memory, vector, reuse, device, batch);
      }
      device.synchronize(device.computeStream());
      return memory.statistics();
    }
  }

  /** Counts the workload without data or device. */
  public MemoryStatistics count(MemHCOptions options) {
    return run(new DryDevice(), options, true, NoData.INSTANCE);
  }

  private void runVector(
      MemHC memory, int vector, boolean reuse, Device device, ContractionBatch batch) {
    int[] inputs = new int[2];
    int[] outputs = new int[1];
    for (int k = 0; k < workload.vectorSize(); k++) {
      inputs[0] = workload.input(vector, k);
      inputs[1] = VectorWorkload.SHARED;
      outputs[0] = workload.output(vector, k);
      if (!memory.pin(inputs, 2, outputs, 1)) {
        launch(memory, device, batch);
        memory.pin(inputs, 2, outputs, 1);
      }
      batch.add(
          memory.memory(inputs[0]),
          memory.memory(inputs[1]),
          memory.memory(outputs[0]),
          contraction.mapping());
      if (!reuse) {
        // Nothing reads the output, so it need not be copied back.
        memory.release(outputs[0]);
        launch(memory, device, batch);
      }
    }
    launch(memory, device, batch);
    for (int k = 0; k < workload.vectorSize(); k++) {
      memory.release(workload.output(vector, k));
    }
  }

  private static void launch(MemHC memory, Device device, ContractionBatch batch) {
    if (batch.size() > 0) {
      device.contract(batch, device.computeStream());
      batch.clear();
    }
    memory.launched();
  }
}
