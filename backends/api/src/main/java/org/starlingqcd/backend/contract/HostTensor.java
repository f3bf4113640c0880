package org.starlingqcd.backend.contract;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.SplittableRandom;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.TensorShape;

/**
 * An element on the heap in host layout, {@code [spin][i][j]...}, interleaved complex.
 *
 * @param numbers the numbers themselves, not a copy
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record HostTensor(TensorShape shape, double[] numbers) {
  private static final float BELOW_ONE = Math.nextDown(1.0f);

  /** An element of random numbers in [-1, 1), rounded to the precision of the shape. */
  static HostTensor random(TensorShape shape, SplittableRandom random) {
    double[] numbers = new double[Math.toIntExact(2 * shape.size())];
    for (int k = 0; k < numbers.length; k++) {
      double number = 2 * random.nextDouble() - 1;
      numbers[k] =
          shape.precision() == Precision.SINGLE ? Math.min((float) number, BELOW_ONE) : number;
    }
    return new HostTensor(shape, numbers);
  }

  /** Reads an element from byte {@code offset}. */
  static HostTensor of(TensorShape shape, HostMemory memory, long offset) {
    double[] numbers = new double[Math.toIntExact(2 * shape.size())];
    if (shape.precision() == Precision.SINGLE) {
      float[] floats = new float[numbers.length];
      floats(shape, memory, offset).get(floats);
      for (int k = 0; k < numbers.length; k++) {
        numbers[k] = floats[k];
      }
    } else {
      memory.get(offset / Double.BYTES, numbers, 0, numbers.length);
    }
    return new HostTensor(shape, numbers);
  }

  /** Writes the element to byte {@code offset}. */
  void put(HostMemory memory, long offset) {
    if (shape.precision() == Precision.SINGLE) {
      float[] floats = new float[numbers.length];
      for (int k = 0; k < numbers.length; k++) {
        floats[k] = (float) numbers[k];
      }
      floats(shape, memory, offset).put(floats);
      return;
    }
    memory.put(offset / Double.BYTES, numbers, 0, numbers.length);
  }

  private static FloatBuffer floats(TensorShape shape, HostMemory memory, long offset) {
    return memory
        .bytes(offset, Math.toIntExact(shape.bytes()))
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer();
  }

  /** Number {@code index} of a spin component. */
  Scalar get(int spin, long index) {
    int at = numbers.length / shape.spins() * spin + 2 * Math.toIntExact(index);
    return new Scalar(numbers[at], numbers[at + 1]);
  }
}
