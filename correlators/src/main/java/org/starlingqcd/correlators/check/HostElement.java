package org.starlingqcd.correlators.check;

import java.util.Random;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/** An element on the host to compare with: numbers in [-1, 1), or what came back from a device. */
final class HostElement {
  private final TensorShape shape;
  private final double[] numbers;

  HostElement(TensorShape shape, double[] numbers) {
    this.shape = shape;
    this.numbers = numbers;
  }

  /** Its shape. */
  TensorShape shape() {
    return shape;
  }

  /** Its numbers, interleaved complex, {@code [spin][i][j]}; not copied. */
  double[] numbers() {
    return numbers;
  }

  static HostElement random(TensorShape shape, Random random) {
    double[] numbers = random.doubles(2 * shape.size(), -1, 1).toArray();
    return new HostElement(shape, numbers);
  }

  /** Reads an element after everything in the compute stream. */
  static HostElement download(Device device, DeviceMemory memory, TensorShape shape) {
    try (HostMemory host = device.allocateHost(shape.bytes())) {
      device.download(memory, host, 0, shape, device.computeStream());
      device.synchronize(device.computeStream());
      double[] numbers = new double[(int) (2 * shape.size())];
      host.get(0, numbers, 0, numbers.length);
      return new HostElement(shape, numbers);
    }
  }

  /** Writes the element and waits for it. */
  void upload(Device device, DeviceMemory memory) {
    try (HostMemory host = device.allocateHost(shape.bytes())) {
      host.put(0, numbers, 0, numbers.length);
      device.upload(host, 0, memory, shape, device.computeStream());
      device.synchronize(device.computeStream());
    }
  }

  /** Place of number {@code [i][j]} of a component in {@link #numbers}. */
  int at(int spin, int i, int j) {
    int n = shape.extent();
    return 2 * ((spin * n + i) * n + j);
  }
}
