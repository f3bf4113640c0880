package org.starlingqcd.backend.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.TensorShape;

/** A device with helpers for checks: elements that are freed at the end, and comparisons. */
public final class DeviceUnderTest implements AutoCloseable {
  /** Bytes that a check may allocate. */
  public static final long CAPACITY = 256L << 20;

  /** An element on the device and as it was uploaded. */
  record Element(HostTensor host, DeviceMemory memory) {
    static List<DeviceMemory> memory(List<Element> elements) {
      return elements.stream().map(Element::memory).toList();
    }
  }

  private final BackendProvider provider;
  private final DeviceOptions options;
  private final Device device;
  private final List<DeviceMemory> owned = new ArrayList<>();

  /** Seeded, so that a failure can be reproduced. */
  private final SplittableRandom random = new SplittableRandom(20240229);

  private double largestError;

  /** Opens a device. */
  DeviceUnderTest(BackendProvider provider, DeviceOptions options) {
    this.provider = provider;
    this.options = options;
    this.device = provider.open(options);
  }

  /** The device. */
  Device device() {
    return device;
  }

  /** The precision of its elements. */
  Precision precision() {
    return options.precision();
  }

  /** A meson node in its precision. */
  TensorShape mesonNode(int extent) {
    return TensorShape.mesonNode(extent).in(precision());
  }

  /** A meson elemental in its precision. */
  TensorShape elemental(int extent) {
    return TensorShape.elemental(extent).in(precision());
  }

  /** Its compute stream. */
  DeviceStream stream() {
    return device.computeStream();
  }

  /** Opens another device in the same way. */
  Device openAnother() {
    return provider.open(options);
  }

  /** Random numbers, the same in every run. */
  SplittableRandom random() {
    return random;
  }

  /** The largest error so far in units of its bound. */
  double largestError() {
    return largestError;
  }

  /** Allocates a block for an element, which is freed after the check. */
  DeviceMemory allocate(TensorShape shape) {
    DeviceMemory memory = device.allocate(shape.in(precision()).bytes());
    owned.add(memory);
    return memory;
  }

  /** Uploads an element with these numbers. */
  DeviceMemory upload(HostTensor tensor) {
    DeviceMemory memory = allocate(tensor.shape());
    uploadTo(memory, tensor);
    return memory;
  }

  /** Uploads an element of random numbers. */
  Element random(TensorShape shape) {
    HostTensor numbers = randomTensor(shape);
    return new Element(numbers, upload(numbers));
  }

  /** Uploads some elements of random numbers. */
  List<Element> random(TensorShape shape, int count) {
    return Stream.generate(() -> random(shape)).limit(count).toList();
  }

  /** Writes an element and waits for it. */
  void uploadTo(DeviceMemory memory, HostTensor tensor) {
    try (HostMemory host = device.allocateHost(tensor.shape().bytes())) {
      tensor.put(host, 0);
      device.upload(host, 0, memory, tensor.shape(), stream());
      device.synchronize(stream());
    }
  }

  /** Reads an element after all work in the compute stream. */
  HostTensor download(DeviceMemory memory, TensorShape of) {
    TensorShape shape = of.in(precision());
    try (HostMemory host = device.allocateHost(shape.bytes())) {
      device.download(memory, host, 0, shape, stream());
      device.synchronize(stream());
      return HostTensor.of(shape, host, 0);
    }
  }

  /** A contraction of N × N matrices that overwrites its destination, as a batch that has run. */
  ContractionBatch contract(
      int extent,
      DeviceMemory left,
      DeviceMemory right,
      DeviceMemory result,
      BatchSpinMapping mapping) {
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(left, right, result, mapping);
    device.contract(batch, stream());
    return batch;
  }

  /** A random element of this shape. */
  HostTensor randomTensor(TensorShape shape) {
    return HostTensor.random(shape.in(precision()), random);
  }

  /** A random spin matrix with one entry ±1 in each row and column: its columns, then its signs. */
  int[][] signedPermutation() {
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

  /**
   * Bound on the rounding error of a sum of {@code terms} products of complex numbers with parts in
   * [-1, 1), in the precision of elements: worst case {@code terms · eps} for each of the four real
   * sums, and as much again for the intermediate sums of a three-product scheme.
   */
  double tolerance(double terms) {
    return 32 * precision().unitRoundoff() * terms;
  }

  /** The same for a sum in double precision, as traces are. */
  static double toleranceInDouble(double terms) {
    return 32 * Precision.DOUBLE.unitRoundoff() * terms;
  }

  /** Checks that numbers differ by no more than the bound; NaN always differs. */
  void expectClose(double expected, double actual, double bound, Supplier<String> where) {
    double error = Math.abs(expected - actual);
    if (!(error <= bound)) {
      throw new ContractBreachException(
          where.get() + ": " + actual + " instead of " + expected + ", bound " + bound);
    }
    if (bound > 0) {
      largestError = Math.max(largestError, error / bound);
    }
  }

  /** The same of both parts of a complex number. */
  void expectClose(Scalar expected, Scalar actual, double bound, Supplier<String> where) {
    expectClose(expected.re(), actual.re(), bound, where);
    expectClose(expected.im(), actual.im(), bound, where);
  }

  /** Checks that numbers are equal bit for bit. */
  static void expectSame(double[] expected, double[] actual, String what) {
    int at = Arrays.mismatch(expected, actual);
    if (at >= 0) {
      throw new ContractBreachException(
          what
              + " changed at number "
              + at
              + (at < Math.min(expected.length, actual.length)
                  ? ": " + actual[at] + " instead of " + expected[at]
                  : ": lengths " + actual.length + " and " + expected.length));
    }
  }

  /** Checks that a condition holds. */
  static void expect(boolean holds, String what) {
    if (!holds) {
      throw new ContractBreachException("expected: " + what);
    }
  }

  /** Checks that a call is refused with an exception of this kind, and returns it. */
  static <T extends RuntimeException> T expectRefusal(Class<T> kind, String what, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException refused) {
      if (kind.isInstance(refused)) {
        return kind.cast(refused);
      }
      throw refused;
    }
    throw new ContractBreachException(what + " was not refused");
  }

  /**
   * Compares the destination of contraction k of a batch with the definition, coefficient {@code
   * Σ_b factor_b Σ_k left[s_b][i][k] · right[s'_b][k][j]}, at {@code samples} random places of each
   * spin.
   *
   * @param before the earlier numbers of the destination, which were added to; null when they were
   *     overwritten
   */
  void expectContraction(
      ContractionBatch batch,
      int k,
      HostTensor left,
      HostTensor right,
      @Nullable HostTensor before,
      HostTensor actual,
      int samples) {
    BatchSpinMapping mapping = batch.get(k).mapping();
    Scalar coefficient = new Scalar(batch.get(k).coefficientRe(), batch.get(k).coefficientIm());
    int inner = batch.inner();
    double bound =
        tolerance(
            (double) inner * mapping.size() * Math.hypot(coefficient.re(), coefficient.im()) + 1);
    for (int d = 0; d < mapping.destinationSpins(); d++) {
      for (int sample = 0; sample < samples; sample++) {
        int i = random.nextInt(batch.rows());
        int j = random.nextInt(batch.columns());
        Scalar number = Scalar.ZERO;
        for (int b = 0; b < mapping.size(); b++) {
          Scalar sum = Scalar.ZERO;
          for (int l = 0; l < inner && mapping.destination(b) == d; l++) {
            Scalar x = left.get(mapping.left(b), (long) i * inner + l);
            sum = sum.plus(x.times(right.get(mapping.right(b), (long) l * batch.columns() + j)));
          }
          number = number.plus(sum.times(new Scalar(mapping.factorRe(b), mapping.factorIm(b))));
        }
        long at = (long) i * batch.columns() + j;
        Scalar expected = coefficient.times(number);
        int spin = d;
        expectClose(
            before == null ? expected : expected.plus(before.get(d, at)),
            actual.get(d, at),
            bound,
            () -> "spin " + spin + " [" + i + "][" + j + "] N=" + inner);
      }
    }
  }

  /** Multiplies meson nodes or the like, all of them N × N, and compares. */
  void expectProduct(
      Element left,
      Element right,
      BatchSpinMapping mapping,
      int extent,
      DeviceMemory result,
      int samples) {
    ContractionBatch batch = contract(extent, left.memory(), right.memory(), result, mapping);
    HostTensor actual = download(result, mesonNode(extent));
    expectContraction(batch, 0, left.host(), right.host(), null, actual, samples);
  }

  /** Frees everything, even after a failure, and closes the device. */
  @Override
  public void close() {
    try (Device closing = device) {
      RuntimeException failure = null;
      for (DeviceMemory memory : owned) {
        try {
          closing.free(memory);
        } catch (RuntimeException e) {
          failure = failure == null ? e : failure;
        }
      }
      if (failure != null) {
        throw failure;
      }
    }
  }
}
