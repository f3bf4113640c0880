package org.starlingqcd.backend.gpu;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.launch.TraceLauncher;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;
import org.starlingqcd.backend.gpu.memory.ElementLayout;
import org.starlingqcd.backend.gpu.memory.GpuEvent;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;

/**
 * Fills elements with random numbers. The vendor's generator makes those in double precision where
 * it is installed; otherwise the host makes and uploads them. The vendor's numbers x are uniform in
 * (0, 1]; a product with ones of inner length 1 turns them into 1 - 2x in place.
 */
final class RandomFill {
  private static final int BLOCK = 4096;

  private final GpuDevice device;
  private final GpuLibrary library;
  private final long ones;
  private @Nullable HostMemory staging;
  private @Nullable GpuEvent copied;

  RandomFill(GpuDevice device, GpuLibrary library, long ones) {
    this.device = device;
    this.library = library;
    this.ones = ones;
  }

  void fill(GpuMemory target, TensorShape shape, long seed, GpuStream stream) {
    boolean onDevice =
        !target.isComposed()
            && shape.precision() == Precision.DOUBLE
            && library.fillUniform(target.address(), 2 * shape.size(), seed, stream.put());
    if (onDevice) {
      target.written(ElementLayout.of(shape));
      spread(target.address(), shape.size(), stream);
    } else {
      fillFromHost(target, shape, seed, stream);
    }
  }

  /** x becomes 1 - 2x in both parts of {@code size} complex numbers. */
  private void spread(long address, long size, GpuStream stream) {
    long done = 0;
    while (done < size) {
      int m = (int) Math.min(size - done, TraceLauncher.ONES);
      int n = (int) Math.min((size - done) / m, TraceLauncher.ONES);
      library.multiply(
          stream.putBlas(),
          new MatrixProduct(false, m, n, 1, m, 1, m, 1, 1, -2),
          Operands.one(ones, ones, address + done * TensorShape.COMPLEX_BYTES));
      done += (long) m * n;
    }
  }

  private void fillFromHost(GpuMemory target, TensorShape shape, long seed, GpuStream stream) {
    if (copied != null) {
      copied.stream().synchronize(copied);
    }
    HostMemory memory = staging;
    if (memory == null || memory.bytes() < shape.bytes()) {
      close();
      memory = device.allocateHost(shape.bytes());
      staging = memory;
    }
    SplittableRandom random = new SplittableRandom(seed);
    double[] block = new double[BLOCK];
    long doubles = 2 * shape.size();
    for (long first = 0; first < doubles; first += BLOCK) {
      int count = (int) Math.min(BLOCK, doubles - first);
      for (int i = 0; i < count; i++) {
        block[i] = 2 * random.nextDouble() - 1;
      }
      put(memory, first, block, count, shape.precision());
    }
    device.upload(memory, 0, target, shape, stream);
    copied = stream.record();
  }

  private static void put(
      HostMemory memory, long first, double[] numbers, int count, Precision precision) {
    if (precision == Precision.DOUBLE) {
      memory.put(first, numbers, 0, count);
      return;
    }
    ByteBuffer floats =
        memory.bytes(first * Float.BYTES, count * Float.BYTES).order(ByteOrder.nativeOrder());
    for (int i = 0; i < count; i++) {
      // Rounding must not make a one of a number just below it.
      floats.putFloat(Math.min((float) numbers[i], Math.nextDown(1.0f)));
    }
  }

  /** Frees the staging buffer. */
  void close() {
    if (staging != null) {
      staging.close();
      staging = null;
    }
  }
}
