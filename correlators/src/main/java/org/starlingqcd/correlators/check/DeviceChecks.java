package org.starlingqcd.correlators.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;

/**
 * Short checks of a device against sums on the host. They cover the calls that a run makes; the
 * whole contract is a test of the backends.
 */
public final class DeviceChecks {
  private static final int[] IDENTITY = {0, 1, 2, 3};
  private static final int[] ONES = {1, 1, 1, 1};
  private static final int[] GAMMA5 = {1, 1, -1, -1};
  private static final int[] REVERSED = {3, 2, 1, 0};
  private static final int SAMPLES = 40;

  private final Device device;
  private final Random random = new Random(7);
  private final List<DeviceMemory> blocks = new ArrayList<>();

  /**
   * How a check went.
   *
   * @param name what was checked
   * @param passed whether it is as it should be
   * @param detail largest error and its bound, or what went wrong
   */
  public record Outcome(String name, boolean passed, String detail) {}

  /** A check; answers with a detail for the report, throws {@link WrongException} when wrong. */
  private interface Check {
    String run();
  }

  /** A device gave something else than it should. */
  private static final class WrongException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongException(String message) {
      super(message);
    }
  }

  /** Checks this device. */
  public DeviceChecks(Device device) {
    this.device = device;
  }

  /** Runs all checks; none stops the others. */
  public List<Outcome> run() {
    List<Outcome> outcomes = new ArrayList<>();
    outcomes.add(outcome("copies give back the same bits", this::copies));
    for (int extent : new int[] {5, 64, 130}) {
      String size = ", N = " + extent;
      outcomes.add(
          outcome("product" + size, () -> product(extent, IDENTITY, ONES, IDENTITY, ONES)));
      outcomes.add(
          outcome(
              "product with gammas" + size,
              () -> product(extent, REVERSED, GAMMA5, REVERSED, new int[] {1, -1, 1, -1})));
      outcomes.add(outcome("sum of products" + size, () -> accumulation(extent)));
      outcomes.add(outcome("traces of pairs" + size, () -> traces(extent)));
    }
    outcomes.add(outcome("streams wait for events", this::streams));
    outcomes.add(outcome("random numbers repeat", this::randomNumbers));
    outcomes.add(outcome("running out of memory is told", this::outOfMemory));
    return outcomes;
  }

  private Outcome outcome(String name, Check check) {
    try {
      return new Outcome(name, true, check.run());
    } catch (WrongException | BackendException e) {
      return new Outcome(name, false, String.valueOf(e.getMessage()));
    } finally {
      blocks.forEach(device::free);
      blocks.clear();
    }
  }

  private DeviceMemory allocate(TensorShape shape) {
    DeviceMemory memory = device.allocate(shape.bytes());
    blocks.add(memory);
    return memory;
  }

  private DeviceMemory upload(HostElement element) {
    DeviceMemory memory = allocate(element.shape());
    element.upload(device, memory);
    return memory;
  }

  private String copies() {
    for (TensorShape shape :
        List.of(TensorShape.mesonNode(33), TensorShape.elemental(64), new TensorShape(1, 3, 17))) {
      HostElement sent = HostElement.random(shape, random);
      HostElement back = HostElement.download(device, upload(sent), shape);
      if (!Arrays.equals(sent.numbers(), back.numbers())) {
        throw new WrongException(shape + " came back changed");
      }
    }
    return "";
  }

  private String product(int extent, int[] rowA, int[] signA, int[] rowB, int[] signB) {
    TensorShape shape = TensorShape.mesonNode(extent);
    BatchSpinMapping mapping = BatchSpinMapping.mesonProduct(rowA, signA, rowB, signB);
    HostElement left = HostElement.random(shape, random);
    HostElement right = HostElement.random(shape, random);
    DeviceMemory result = allocate(shape);
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(upload(left), upload(right), result, mapping);
    device.contract(batch, device.computeStream());
    return compare(left, right, mapping, 1, HostElement.download(device, result, shape));
  }

  private String accumulation(int extent) {
    TensorShape shape = TensorShape.mesonNode(extent);
    BatchSpinMapping mapping = BatchSpinMapping.mesonProduct(IDENTITY, ONES, IDENTITY, GAMMA5);
    HostElement left = HostElement.random(shape, random);
    HostElement right = HostElement.random(shape, random);
    DeviceMemory onLeft = upload(left);
    DeviceMemory onRight = upload(right);
    DeviceMemory result = allocate(shape);
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(onLeft, onRight, result, mapping, 3, 0, false);
    batch.add(onLeft, onRight, result, mapping, -1, 0, true);
    device.contract(batch, device.computeStream());
    return compare(left, right, mapping, 2, HostElement.download(device, result, shape));
  }

  /** Samples numbers of {@code factor · mapping(left, right)}; the sums have 4N terms. */
  private String compare(
      HostElement left,
      HostElement right,
      BatchSpinMapping mapping,
      double factor,
      HostElement actual) {
    int extent = actual.shape().extent();
    double largest = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
      int spin = random.nextInt(mapping.destinationSpins());
      int i = random.nextInt(extent);
      int j = random.nextInt(extent);
      double re = 0;
      double im = 0;
      for (int b = 0; b < mapping.size(); b++) {
        for (int k = 0; mapping.destination(b) == spin && k < extent; k++) {
          int x = left.at(mapping.left(b), i, k);
          int y = right.at(mapping.right(b), k, j);
          double[] a = left.numbers();
          double[] c = right.numbers();
          re += mapping.factorRe(b) * (a[x] * c[y] - a[x + 1] * c[y + 1]);
          im += mapping.factorRe(b) * (a[x] * c[y + 1] + a[x + 1] * c[y]);
        }
      }
      int at = actual.at(spin, i, j);
      largest = Math.max(largest, Math.abs(actual.numbers()[at] - factor * re));
      largest = Math.max(largest, Math.abs(actual.numbers()[at + 1] - factor * im));
    }
    return within(largest, 4.0 * factor * extent);
  }

  /** Worst case of a sum of {@code terms} products of complex numbers with parts in [-1, 1). */
  private static String within(double error, double terms) {
    double bound = 16 * Math.ulp(1.0) * terms;
    String detail = String.format(Locale.ROOT, "error %.1e, bound %.1e", error, bound);
    if (!(error <= bound)) {
      throw new WrongException(detail);
    }
    return detail;
  }

  private String traces(int extent) {
    TensorShape shape = TensorShape.mesonNode(extent);
    SpinTraceMapping mapping = SpinTraceMapping.mesonTrace(REVERSED, GAMMA5, IDENTITY, GAMMA5);
    List<HostElement> elements = new ArrayList<>();
    List<DeviceMemory> memory = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      elements.add(HostElement.random(shape, random));
      memory.add(upload(elements.get(k)));
    }
    double[] actual = new double[8];
    try (HostMemory results = device.allocateHost(8 * Double.BYTES)) {
      device.trace(
          List.of(new TraceBlock(memory.subList(0, 2), memory.subList(2, 4), mapping, extent, 0)),
          results,
          device.computeStream());
      device.synchronize(device.computeStream());
      results.get(0, actual, 0, actual.length);
    }
    double largest = 0;
    for (int l = 0; l < 2; l++) {
      for (int r = 0; r < 2; r++) {
        double[] expected = trace(elements.get(l), elements.get(2 + r), mapping);
        int at = 2 * (2 * l + r);
        largest = Math.max(largest, Math.abs(expected[0] - actual[at]));
        largest = Math.max(largest, Math.abs(expected[1] - actual[at + 1]));
      }
    }
    return within(largest, 16.0 * extent * extent);
  }

  private static double[] trace(HostElement left, HostElement right, SpinTraceMapping mapping) {
    int extent = left.shape().extent();
    double[] a = left.numbers();
    double[] c = right.numbers();
    double[] sum = new double[2];
    for (int b = 0; b < mapping.size(); b++) {
      for (int i = 0; i < extent; i++) {
        for (int j = 0; j < extent; j++) {
          int x = left.at(mapping.left(b), i, j);
          int y = right.at(mapping.right(b), j, i);
          sum[0] += mapping.factor(b) * (a[x] * c[y] - a[x + 1] * c[y + 1]);
          sum[1] += mapping.factor(b) * (a[x] * c[y + 1] + a[x + 1] * c[y]);
        }
      }
    }
    return sum;
  }

  /** Uploads, contracts and downloads in turns on two streams that only events order. */
  private String streams() {
    int extent = 32;
    TensorShape shape = TensorShape.mesonNode(extent);
    BatchSpinMapping mapping = BatchSpinMapping.mesonProduct();
    DeviceStream copies = device.openStream();
    DeviceMemory node = allocate(shape);
    DeviceMemory result = allocate(shape);
    ContractionBatch batch = new ContractionBatch(extent, extent, extent);
    batch.add(node, node, result, mapping);
    HostElement element = HostElement.random(shape, random);
    try (HostMemory in = device.allocateHost(shape.bytes());
        HostMemory out = device.allocateHost(shape.bytes())) {
      in.put(0, element.numbers(), 0, element.numbers().length);
      for (int round = 0; round < 50; round++) {
        device.upload(in, 0, node, shape, copies);
        device.waitFor(device.computeStream(), device.record(copies));
        device.contract(batch, device.computeStream());
        device.waitFor(copies, device.record(device.computeStream()));
        device.download(result, out, 0, shape, copies);
      }
      device.synchronize(copies);
      double[] numbers = new double[element.numbers().length];
      out.get(0, numbers, 0, numbers.length);
      return compare(element, element, mapping, 1, new HostElement(shape, numbers));
    }
  }

  private String randomNumbers() {
    TensorShape shape = TensorShape.mesonNode(20);
    DeviceMemory memory = allocate(shape);
    device.fillRandom(memory, shape, 5, device.computeStream());
    double[] first = HostElement.download(device, memory, shape).numbers();
    device.fillRandom(memory, shape, 5, device.computeStream());
    double[] again = HostElement.download(device, memory, shape).numbers();
    if (!Arrays.equals(first, again)) {
      throw new WrongException("the same seed gave other numbers");
    }
    if (!Arrays.stream(first).allMatch(number -> number >= -1 && number < 1)) {
      throw new WrongException("a number is outside [-1, 1)");
    }
    return "";
  }

  private String outOfMemory() {
    long bytes = 2 * device.info().totalBytes();
    try {
      blocks.add(device.allocate(bytes));
    } catch (OutOfDeviceMemoryException told) {
      return product(8, IDENTITY, ONES, IDENTITY, ONES);
    }
    throw new WrongException(bytes + " bytes were handed out");
  }
}
