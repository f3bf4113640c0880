package org.starlingqcd.benchmarks;

import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.cpu.CpuBackend;
import org.starlingqcd.simulator.check.RandomNodes;

/** Random elements on a CPU device of their own, and the work that benchmarks give it. */
final class CpuNodes extends RandomNodes {
  /** Contractions of a vector pair for each thread. */
  static final int CONTRACTIONS_OF_A_THREAD = 2;

  /** Spin matrices with one entry in each row and column, as products of gamma matrices have. */
  private static final int[] ROW_A = {2, 3, 0, 1};

  private static final int[] SIGN_A = {1, 1, -1, -1};
  private static final int[] ROW_B = {1, 0, 3, 2};
  private static final int[] SIGN_B = {1, -1, 1, -1};
  private static final int SPINS = 16;

  CpuNodes(int threads, boolean exact) {
    this(threads, exact, Precision.DOUBLE);
  }

  CpuNodes(int threads, boolean exact, Precision precision) {
    super(new CpuBackend().open(new DeviceOptions(0, threads, 0, exact).in(precision)));
  }

  /** Flops of a contraction, and of building four nodes: 64 complex products of N × N matrices. */
  static double flops(int extent) {
    return 8.0 * 64 * extent * extent * extent;
  }

  /** A vector pair of meson contractions of distinct elements. */
  ContractionBatch vectorPair(int extent, int contractions) {
    TensorShape node = TensorShape.mesonNode(extent).in(device().precision());
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    for (int k = 0; k < contractions; k++) {
      batch.add(random(node), random(node), random(node), contraction());
    }
    synchronize();
    return batch;
  }

  /** Four nodes on one perambulator, {@code entries} times. */
  ContractionBatch fourNodes(int extent, int entries) {
    TensorShape node = TensorShape.mesonNode(extent).in(device().precision());
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    for (int k = 0; k < entries; k++) {
      DeviceMemory perambulator = random(node);
      for (int m = 0; m < 4; m++) {
        DeviceMemory elemental = random(TensorShape.elemental(extent).in(device().precision()));
        batch.add(elemental, perambulator, random(node), BatchSpinMapping.leftScalar(SPINS));
      }
    }
    synchronize();
    return batch;
  }

  /** Tr[A·X·B·Y], 16 sums. */
  static SpinTraceMapping trace() {
    return SpinTraceMapping.mesonTrace(ROW_A, SIGN_A, ROW_B, SIGN_B);
  }

  /** A·X·B·Y, 64 products. */
  static BatchSpinMapping contraction() {
    return BatchSpinMapping.mesonProduct(ROW_A, SIGN_A, ROW_B, SIGN_B);
  }

  @Override
  public void close() {
    super.close();
    device().close();
  }
}
