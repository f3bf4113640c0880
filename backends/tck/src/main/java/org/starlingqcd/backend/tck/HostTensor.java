package org.starlingqcd.backend.tck;

import java.util.Random;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/** An element on the heap in host layout, {@code [spin][i][j]...}, interleaved complex. */
final class HostTensor {
  private final TensorShape shape;
  private final double[] numbers;

  private HostTensor(TensorShape shape, double[] numbers) {
    this.shape = shape;
    this.numbers = numbers;
  }

  /** An element of random numbers in [-1, 1). */
  static HostTensor random(TensorShape shape, Random random) {
    double[] numbers = new double[Math.toIntExact(2 * shape.size())];
    for (int k = 0; k < numbers.length; k++) {
      numbers[k] = 2 * random.nextDouble() - 1;
    }
    return new HostTensor(shape, numbers);
  }

  /** Reads an element from byte {@code offset}. */
  static HostTensor of(TensorShape shape, HostMemory memory, long offset) {
    double[] numbers = new double[Math.toIntExact(2 * shape.size())];
    memory.get(offset / Double.BYTES, numbers, 0, numbers.length);
    return new HostTensor(shape, numbers);
  }

  /** Its shape. */
  TensorShape shape() {
    return shape;
  }

  /** The numbers themselves, not a copy. */
  double[] numbers() {
    return numbers;
  }

  /** Writes the element to byte {@code offset}. */
  void put(HostMemory memory, long offset) {
    memory.put(offset / Double.BYTES, numbers, 0, numbers.length);
  }

  /** Real part of number {@code index} of a spin component. */
  double re(int spin, long index) {
    return numbers[Math.toIntExact(2 * (spin * shape.componentSize() + index))];
  }

  /** Imaginary part of number {@code index} of a spin component. */
  double im(int spin, long index) {
    return numbers[Math.toIntExact(2 * (spin * shape.componentSize() + index) + 1)];
  }
}
