package org.starlingqcd.simulator;

import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.TensorShape;
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
  private static final int MESON_ENTRIES = 64;
  private static final int POINTER_ARRAYS = 3;

  private final VectorWorkload workload;
  private final TensorShape shape;
  private final TensorShape shared;
  private final int entries;

  /** The kernels that run the contractions. */
  public interface Kernels {
    /** Adds {@code destination = left · right} to the batch. */
    void add(DeviceMemory left, DeviceMemory right, DeviceMemory destination);

    /** Puts the batch into the compute stream and empties it. */
    void launch();
  }

  /** Kernels that do nothing, to count without a device. */
  public static final Kernels NO_KERNELS =
      new Kernels() {
        @Override
        public void add(DeviceMemory left, DeviceMemory right, DeviceMemory destination) {}

        @Override
        public void launch() {}
      };

  /** A workload of meson contractions with nodes of this shape. */
  public WorkloadRun(VectorWorkload workload, TensorShape shape) {
    this(workload, shape, shape, MESON_ENTRIES);
  }

  /**
   * A workload of any contractions.
   *
   * @param shape of the inputs and outputs
   * @param shared shape of the element that all contractions share
   * @param entries matrix products of one contraction
   */
  public WorkloadRun(VectorWorkload workload, TensorShape shape, TensorShape shared, int entries) {
    this.workload = workload;
    this.shape = shape;
    this.shared = shared;
    this.entries = entries;
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
    return slots * shape.bytes() + shared.bytes() + POINTER_ARRAYS * pointerBytes();
  }

  private long pointerBytes() {
    return (long) entries * Long.BYTES * workload.vectorSize();
  }

  /** Runs the workload; liveness, the reuse of victims and prefetch follow the paper. */
  public MemoryStatistics run(
      Device device, MemHCOptions given, boolean reuse, InputSource source, Kernels kernels) {
    MemHCOptions options = given.withLiveness(false).withOverwriteVictims(false).withPrefetch(0);
    try (MemHC memory = MemHC.open(device, options)) {
      memory.addInput(shared, source);
      for (int k = 0; k < workload.inputCount(); k++) {
        memory.addInput(shape, source);
      }
      for (int k = 0; k < workload.vectors() * workload.vectorSize(); k++) {
        memory.addIntermediate(shape);
      }
      if (reuse) {
        memory.hold(VectorWorkload.SHARED);
      }
      for (int k = 0; k < POINTER_ARRAYS; k++) {
        memory.reserve(pointerBytes());
      }
      memory.schedule(workload.queue());
      for (int vector = 0; vector < workload.vectors(); vector++) {
        runVector(memory, vector, reuse, kernels);
      }
      device.synchronize(device.computeStream());
      return memory.statistics();
    }
  }

  /** Counts the workload without data or device. */
  public MemoryStatistics count(MemHCOptions options) {
    return run(new DryDevice(), options, true, NoData.INSTANCE, NO_KERNELS);
  }

  private void runVector(MemHC memory, int vector, boolean reuse, Kernels kernels) {
    int[] inputs = new int[2];
    int[] outputs = new int[1];
    for (int k = 0; k < workload.vectorSize(); k++) {
      inputs[0] = workload.input(vector, k);
      inputs[1] = VectorWorkload.SHARED;
      outputs[0] = workload.output(vector, k);
      if (!memory.pin(inputs, 2, outputs, 1)) {
        launch(memory, kernels);
        memory.pin(inputs, 2, outputs, 1);
      }
      kernels.add(memory.memory(inputs[0]), memory.memory(inputs[1]), memory.memory(outputs[0]));
      if (!reuse) {
        // Nothing reads the output, so it need not be copied back.
        memory.release(outputs[0]);
        launch(memory, kernels);
      }
    }
    launch(memory, kernels);
    for (int k = 0; k < workload.vectorSize(); k++) {
      memory.release(workload.output(vector, k));
    }
  }

  private static void launch(MemHC memory, Kernels kernels) {
    kernels.launch();
    memory.launched();
  }
}
