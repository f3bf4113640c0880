package org.starlingqcd.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.starlingqcd.backend.reference.HostContraction;
import org.starlingqcd.backend.reference.HostTensor;

/**
 * Opens a device for each test, skips with the reason where there is none, and frees everything.
 */
public abstract class DeviceFixture {
  /** Bound on what a test may allocate. */
  protected static final long CAPACITY = 256L << 20;

  private final List<DeviceMemory> owned = new ArrayList<>();

  /** Seeded, so that a failure repeats. */
  protected final Random random = new Random(20240229);

  private @Nullable Device device;

  /** The backend under test. */
  protected abstract BackendProvider provider();

  /** How the device of a test is opened. */
  protected DeviceOptions options() {
    return new DeviceOptions(0, 2, CAPACITY, false);
  }

  @BeforeEach
  void open() {
    Availability availability = provider().probe();
    Assumptions.assumeTrue(availability.isPresent(), () -> "no device: " + availability.reason());
    device = provider().open(options());
  }

  @AfterEach
  void freeAndClose() {
    if (device != null) {
      owned.forEach(device::free);
      device.close();
    }
  }

  /** The device of this test. */
  protected final Device device() {
    assertNotNull(device);
    return device;
  }

  /** A block for an element, freed after the test. */
  protected final DeviceMemory allocate(TensorShape shape) {
    DeviceMemory memory = device().allocate(shape.bytes());
    owned.add(memory);
    return memory;
  }

  /** An element on the device with these numbers. */
  protected final DeviceMemory upload(HostTensor tensor) {
    DeviceMemory memory = allocate(tensor.shape());
    uploadTo(memory, tensor);
    return memory;
  }

  /** Writes an element and waits for it. */
  protected final void uploadTo(DeviceMemory memory, HostTensor tensor) {
    try (HostMemory host = device().allocateHost(tensor.shape().bytes())) {
      tensor.put(host, 0);
      device().upload(host, 0, memory, tensor.shape(), device().computeStream());
      device().synchronize(device().computeStream());
    }
  }

  /** Reads an element after everything in the compute stream. */
  protected final HostTensor download(DeviceMemory memory, TensorShape shape) {
    try (HostMemory host = device().allocateHost(shape.bytes())) {
      device().download(memory, host, 0, shape, device().computeStream());
      device().synchronize(device().computeStream());
      return HostTensor.of(shape, host, 0);
    }
  }

  /** A random element of this shape. */
  protected final HostTensor randomTensor(TensorShape shape) {
    return HostTensor.random(shape, random);
  }

  /**
   * Bound on the rounding error of a sum of {@code terms} products of complex numbers with parts in
   * [-1, 1): worst case {@code terms · eps} for each of the four real sums, and as much again for
   * the intermediate sums of a three-product scheme.
   */
  protected static double tolerance(double terms) {
    return 16 * Math.ulp(1.0) * terms;
  }

  /**
   * Compares a destination with the definition at {@code samples} random places of each spin.
   *
   * @param before the destination's numbers before, added to; null when it was overwritten
   */
  protected final void assertContraction(
      HostTensor left,
      HostTensor right,
      BatchSpinMapping mapping,
      int rows,
      int columns,
      int inner,
      double[] coefficient,
      @Nullable HostTensor before,
      HostTensor actual,
      int samples) {
    double size = Math.hypot(coefficient[0], coefficient[1]);
    double bound = tolerance((double) inner * mapping.size() * size + 1);
    for (int d = 0; d < mapping.destinationSpins(); d++) {
      for (int sample = 0; sample < samples; sample++) {
        int i = random.nextInt(rows);
        int j = random.nextInt(columns);
        double[] sum = HostContraction.number(left, right, mapping, columns, inner, d, i, j);
        double re = coefficient[0] * sum[0] - coefficient[1] * sum[1];
        double im = coefficient[0] * sum[1] + coefficient[1] * sum[0];
        long at = (long) i * columns + j;
        if (before != null) {
          re += before.re(d, at);
          im += before.im(d, at);
        }
        String where = "spin " + d + " [" + i + "][" + j + "] N=" + inner;
        assertEquals(re, actual.re(d, at), bound, where);
        assertEquals(im, actual.im(d, at), bound, where);
      }
    }
  }

  /** A random spin matrix with one entry ±1 in each row and column: its columns, then its signs. */
  protected final int[][] signedPermutation() {
    int[] row = {0, 1, 2, 3};
    int[] sign = new int[4];
    for (int k = 3; k >= 0; k--) {
      int other = random.nextInt(k + 1);
      int held = row[k];
      row[k] = row[other];
      row[other] = held;
      sign[k] = random.nextBoolean() ? 1 : -1;
    }
    return new int[][] {row, sign};
  }
}
