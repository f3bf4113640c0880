package org.starlingqcd.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;

/** Random elements on a device, for benchmarks. */
class RandomNodes implements AutoCloseable {
  /** A spin matrix with one entry in each row and column, as products of gamma matrices have. */
  static final int[] ROW_A = {2, 3, 0, 1};

  static final int[] SIGN_A = {1, 1, -1, -1};
  static final int[] ROW_B = {1, 0, 3, 2};
  static final int[] SIGN_B = {1, -1, 1, -1};

  /** Contractions of a vector pair for each thread. */
  static final int CONTRACTIONS_OF_A_THREAD = 2;

  private static final int SPINS = 16;

  private final Device device;
  private final List<DeviceMemory> allocated = new ArrayList<>();

  /** Elements on this device, which is closed in the end. */
  RandomNodes(Device device) {
    this.device = device;
  }

  Device device() {
    return device;
  }

  /** An element of random numbers. */
  DeviceMemory random(TensorShape shape) {
    DeviceMemory memory = device.allocate(shape.bytes());
    allocated.add(memory);
    device.fillRandom(memory, shape, allocated.size(), device.computeStream());
    return memory;
  }

  List<DeviceMemory> random(TensorShape shape, int count) {
    List<DeviceMemory> elements = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      elements.add(random(shape));
    }
    return elements;
  }

  /** Flops of a contraction, and of building four nodes: 64 complex products of N × N matrices. */
  static double flops(int extent) {
    return 8.0 * 64 * extent * extent * extent;
  }

  /** A vector pair of meson contractions, all elements distinct. */
  ContractionBatch vectorPair(int extent, int contractions) {
    TensorShape node = TensorShape.mesonNode(extent);
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    for (int k = 0; k < contractions; k++) {
      batch.add(random(node), random(node), random(node), contraction());
    }
    synchronize();
    return batch;
  }

  /** Four nodes on one perambulator, {@code entries} times. */
  ContractionBatch fourNodes(int extent, int entries) {
    TensorShape node = TensorShape.mesonNode(extent);
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    for (int k = 0; k < entries; k++) {
      DeviceMemory perambulator = random(node);
      for (int m = 0; m < 4; m++) {
        DeviceMemory elemental = random(TensorShape.elemental(extent));
        batch.add(elemental, perambulator, random(node), BatchSpinMapping.leftScalar(SPINS));
      }
    }
    synchronize();
    return batch;
  }

  /** Tr[A·X·B·Y] with 16 sums. */
  static SpinTraceMapping trace() {
    return SpinTraceMapping.mesonTrace(ROW_A, SIGN_A, ROW_B, SIGN_B);
  }

  /** A·X·B·Y with 64 products. */
  static BatchSpinMapping contraction() {
    return BatchSpinMapping.mesonProduct(ROW_A, SIGN_A, ROW_B, SIGN_B);
  }

  void synchronize() {
    device.synchronize(device.computeStream());
  }

  @Override
  public void close() {
    synchronize();
    allocated.forEach(device::free);
    device.close();
  }
}
