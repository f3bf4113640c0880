package org.starlingqcd.backend.contract;

import static org.starlingqcd.backend.contract.DeviceUnderTest.CAPACITY;
import static org.starlingqcd.backend.contract.DeviceUnderTest.expect;
import static org.starlingqcd.backend.contract.DeviceUnderTest.expectRefusal;
import static org.starlingqcd.backend.contract.DeviceUnderTest.expectSame;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MemoryKind;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.contract.DeviceUnderTest.Element;

/** Memory, copies, streams, events and random numbers. */
final class MemoryContract {
  private MemoryContract() {}

  static void addTo(DeviceContract.Checks checks) {
    checks.add("device and memory are named", MemoryContract::info);
    int[][] shapes = {
      {1, 2, 1}, {16, 2, 5}, {16, 2, 64}, {1, 2, 130}, {3, 2, 101}, {2, 3, 7}, {64, 3, 4}, {2, 1, 9}
    };
    for (int[] s : shapes) {
      TensorShape shape = new TensorShape(s[0], s[1], s[2]);
      checks.add(
          "copies preserve every bit, spins " + s[0] + ", rank " + s[1] + ", N " + s[2],
          device -> copies(device, shape.in(device.precision())));
    }
    checks.add("copies at an offset", MemoryContract::copiesAtAnOffset);
    checks.add("saved elements come back", MemoryContract::saved);
    checks.add("elements of another precision are refused", MemoryContract::otherNumbers);
    checks.add("slow memory is used in place", MemoryContract::slowMemory);
    checks.add("streams wait for events", MemoryContract::streams);
    checks.add("devices copy from each other", MemoryContract::betweenDevices);
    checks.add("random numbers repeat", MemoryContract::randomNumbers);
    checks.add("memory beyond the capacity is refused", MemoryContract::full);
    checks.add("freed memory is available again", MemoryContract::freed);
    checks.add("memory that is not freed is reported", MemoryContract::leaks);
  }

  private static void info(DeviceUnderTest test) {
    DeviceInfo info = test.device().info();
    expect(!info.name().isBlank(), "a name");
    expect(info.totalBytes() > 0, "memory: " + info);
    expect(info.freeBytes() <= info.totalBytes(), "free memory at most the total: " + info);
    expect(!info.details().isEmpty(), "details");
  }

  private static void copies(DeviceUnderTest test, TensorShape shape) {
    Element element = test.random(shape);
    HostTensor copy = test.download(element.memory(), shape);
    expectSame(element.host().numbers(), copy.numbers(), shape.toString());
  }

  /** Elements in slow memory give the bits that they give in fast memory, and move unchanged. */
  private static void slowMemory(DeviceUnderTest test) {
    Device device = test.device();
    TensorShape shape = test.mesonNode(7);
    if (!device.readsInPlace()) {
      expectRefusal(
          OutOfDeviceMemoryException.class,
          "slow memory of a device without",
          () -> device.allocate(shape.bytes(), MemoryKind.SLOW));
      return;
    }
    HostTensor left = test.randomTensor(shape);
    DeviceMemory fast = test.upload(left);
    DeviceMemory right = test.random(shape).memory();
    DeviceMemory product = test.allocate(shape);
    DeviceMemory slow = device.allocate(shape.bytes(), MemoryKind.SLOW);
    DeviceMemory slowProduct = device.allocate(shape.bytes(), MemoryKind.SLOW);
    DeviceMemory back = test.allocate(shape);
    device.move(fast, slow, test.stream());
    device.move(slow, back, test.stream());
    expectSame(left.numbers(), test.download(back, shape).numbers(), "moved there and back");
    device.move(slow, slowProduct, test.stream());
    expectSame(left.numbers(), test.download(slowProduct, shape).numbers(), "moved within");
    try (HostMemory host = device.allocateHost(shape.bytes())) {
      left.put(host, 0);
      device.upload(host, 0, slow, shape, test.stream());
      expectSame(left.numbers(), test.download(slow, shape).numbers(), "uploaded there");
    }
    ContractionBatch batch = new ContractionBatch(7, 7, 7);
    batch.add(fast, right, product, BatchSpinMapping.mesonProduct());
    batch.add(slow, right, slowProduct, BatchSpinMapping.mesonProduct());
    device.contract(batch, test.stream());
    expectSame(
        test.download(product, shape).numbers(),
        test.download(slowProduct, shape).numbers(),
        "a product in slow memory");
    device.free(slow);
    device.free(slowProduct);
  }

  private static void copiesAtAnOffset(DeviceUnderTest test) {
    TensorShape shape = test.mesonNode(6);
    HostTensor numbers = test.randomTensor(shape);
    DeviceMemory memory = test.allocate(shape);
    Device device = test.device();
    try (HostMemory host = device.allocateHost(3 * shape.bytes())) {
      host.clear();
      numbers.put(host, shape.bytes());
      device.upload(host, shape.bytes(), memory, shape, test.stream());
      device.download(memory, host, 2 * shape.bytes(), shape, test.stream());
      device.synchronize(test.stream());
      expectSame(
          numbers.numbers(),
          HostTensor.of(shape, host, 2 * shape.bytes()).numbers(),
          "an element copied to an offset");
      expect(
          Arrays.stream(HostTensor.of(shape, host, 0).numbers()).allMatch(number -> number == 0),
          "nothing written before the offset");
    }
  }

  /** A product and an upload, whose layouts on the device may differ. */
  private static void saved(DeviceUnderTest test) {
    int extent = 6;
    TensorShape shape = test.mesonNode(extent);
    Device device = test.device();
    DeviceMemory input = test.random(shape).memory();
    DeviceMemory product = test.allocate(shape);
    test.contract(extent, input, input, product, BatchSpinMapping.mesonProduct());
    long bytes = shape.bytes();
    try (HostMemory host = device.allocateHost(3 * bytes)) {
      for (DeviceMemory element : List.of(input, product)) {
        double[] expected = test.download(element, shape).numbers();
        host.clear();
        @Nullable Object form = device.save(element, host, bytes, shape, test.stream());
        device.synchronize(test.stream());
        device.unpack(host, bytes, form, host, 2 * bytes, shape);
        expectSame(
            expected, HostTensor.of(shape, host, 2 * bytes).numbers(), "a saved element unpacked");
        DeviceMemory again = test.allocate(shape);
        device.restore(host, bytes, form, again, shape, test.stream());
        device.synchronize(test.stream());
        expectSame(expected, test.download(again, shape).numbers(), "a saved element restored");
        expect(
            Arrays.stream(HostTensor.of(shape, host, 0).numbers()).allMatch(number -> number == 0),
            "nothing written before the offset");
      }
    }
  }

  private static void otherNumbers(DeviceUnderTest test) {
    DeviceMemory memory = test.device().allocate(TensorShape.mesonNode(3).bytes());
    try (HostMemory host = test.device().allocateHost(memory.bytes())) {
      for (Precision other : Precision.values()) {
        if (other != test.precision()) {
          TensorShape shape = TensorShape.mesonNode(3).in(other);
          expectRefusal(
              IllegalArgumentException.class,
              "an upload in " + other,
              () -> test.device().upload(host, 0, memory, shape, test.stream()));
          expectRefusal(
              IllegalArgumentException.class,
              "a download in " + other,
              () -> test.device().download(memory, host, 0, shape, test.stream()));
        }
      }
    } finally {
      test.device().free(memory);
    }
  }

  /** Uploads, contracts and downloads in turn on two streams that are ordered only by events. */
  private static void streams(DeviceUnderTest test) {
    int extent = 40;
    TensorShape shape = test.mesonNode(extent);
    HostTensor numbers = test.randomTensor(shape);
    DeviceMemory left = test.allocate(shape);
    DeviceMemory result = test.allocate(shape);
    Device device = test.device();
    DeviceStream copies = device.openStream();
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(left, left, result, BatchSpinMapping.mesonProduct());
    try (HostMemory in = device.allocateHost(shape.bytes());
        HostMemory out = device.allocateHost(shape.bytes())) {
      numbers.put(in, 0);
      for (int k = 0; k < 20; k++) {
        device.upload(in, 0, left, shape, copies);
        device.waitFor(test.stream(), device.record(copies));
        device.contract(batch, test.stream());
        device.waitFor(copies, device.record(test.stream()));
        device.download(result, out, 0, shape, copies);
      }
      DeviceEvent end = device.record(copies);
      device.synchronize(end);
      expect(device.isReached(end), "an event that was waited for is reached");
      HostTensor product = HostTensor.of(shape, out, 0);
      test.expectContraction(batch, 0, numbers, numbers, null, product, 5);
    }
  }

  /**
   * Elements go to another device, or to the same one opened twice, and back. Each copy waits for
   * the work before it on the other device, whose events have other numbers than its own.
   */
  private static void betweenDevices(DeviceUnderTest test) {
    TensorShape shape = test.mesonNode(33);
    HostTensor numbers = test.randomTensor(shape);
    DeviceMemory here = test.allocate(shape);
    Device device = test.device();
    try (Device other = test.openAnother();
        HostMemory host = device.allocateHost(shape.bytes())) {
      DeviceStream away = other.openStream();
      DeviceMemory there = other.allocate(shape.bytes());
      try {
        for (int k = 0; k < 5; k++) {
          other.fillRandom(there, shape, k, away);
          other.record(away);
        }
        numbers.put(host, 0);
        device.upload(host, 0, here, shape, test.stream());
        for (int k = 0; k < 5; k++) {
          other.copyFrom(there, away, device, here, test.stream(), shape);
          device.fillRandom(here, shape, k, test.stream());
          device.copyFrom(here, test.stream(), other, there, away, shape);
          other.fillRandom(there, shape, k, away);
        }
        expectSame(numbers.numbers(), test.download(here, shape).numbers(), "there and back");
      } finally {
        other.synchronize(away);
        other.free(there);
      }
    }
  }

  private static void randomNumbers(DeviceUnderTest test) {
    TensorShape shape = test.mesonNode(20);
    DeviceMemory memory = test.allocate(shape);
    double[] first = random(test, memory, shape, 7);
    double[] other = random(test, memory, shape, 8);
    expectSame(first, random(test, memory, shape, 7), "random numbers of the same seed");
    expect(!Arrays.equals(first, other), "other numbers for another seed");
    expect(
        Arrays.stream(first).allMatch(number -> number >= -1 && number < 1), "numbers in [-1, 1)");
    // 12800 numbers of variance 1/3: five standard deviations of their mean.
    test.expectClose(
        0,
        Arrays.stream(first).average().orElseThrow(),
        5 * Math.sqrt(1 / 3.0 / first.length),
        () -> "mean of random numbers");
    // A few of 12800 numbers in single precision may be equal by chance.
    long equal = first.length - Arrays.stream(first).distinct().count();
    expect(equal <= (test.precision() == Precision.DOUBLE ? 0 : 50), "no number twice: " + equal);
  }

  private static double[] random(
      DeviceUnderTest test, DeviceMemory memory, TensorShape shape, long seed) {
    test.device().fillRandom(memory, shape, seed, test.stream());
    return test.download(memory, shape).numbers();
  }

  private static void full(DeviceUnderTest test) {
    TensorShape half =
        test.elemental((int) Math.sqrt(CAPACITY / (2.0 * test.precision().complexBytes())));
    DeviceMemory first = test.allocate(half);
    expect(first.bytes() == half.bytes(), "a block of the requested size");
    OutOfDeviceMemoryException full =
        expectRefusal(
            OutOfDeviceMemoryException.class,
            CAPACITY + " bytes beside " + half.bytes(),
            () -> test.device().allocate(CAPACITY));
    expect(full.requestedBytes() == CAPACITY, "the refusal names the bytes");
    test.allocate(half);
  }

  private static void freed(DeviceUnderTest test) {
    Device device = test.device();
    for (int k = 0; k < 4; k++) {
      DeviceMemory memory = device.allocate(CAPACITY / 4 * 3);
      device.free(memory);
      expectRefusal(RuntimeException.class, "a second free", () -> device.free(memory));
    }
  }

  private static void leaks(DeviceUnderTest test) {
    Device other = test.openAnother();
    DeviceMemory left = other.allocate(4096);
    String message =
        String.valueOf(
            expectRefusal(IllegalStateException.class, "a leak at close", other::close)
                .getMessage());
    expect(message.contains("blocks=1"), "the number of blocks in: " + message);
    expect(message.contains("bytes=" + left.bytes()), "the bytes in: " + message);
    other.close();
  }
}
