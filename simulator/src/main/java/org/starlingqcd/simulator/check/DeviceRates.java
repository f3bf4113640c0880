package org.starlingqcd.simulator.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;

/**
 * Measures a device at one N: contractions, and the same matrices in the library of the device. A
 * contraction of a single component is a plain product; a batch of these over scattered elements is
 * the library's batch by pointers. Every rate is the median of several runs after a warm-up.
 */
public final class DeviceRates {
  private static final int RUNS = 5;
  private static final int MOST_CONTRACTIONS = 16;
  private static final int INPUTS = 4;
  private static final int[] IDENTITY = {0, 1, 2, 3};
  private static final int[] ONES = {1, 1, 1, 1};
  private static final int[] GAMMA5 = {1, 1, -1, -1};
  private static final int[] GAMMA1 = {3, 2, 1, 0};

  private final Device device;
  private final int extent;
  private final double seconds;

  /**
   * Rates at one N.
   *
   * @param product GFLOP/s of a vector pair without spin matrices
   * @param row a row of the table of {@link CheckReport}: N; contractions of a vector pair; GFLOP/s
   *     of one plain product of 4N × 4N matrices, of a batch of plain products of N × N matrices,
   *     of a vector pair without spin matrices and with γ5 and γ1 between the nodes, of traces of
   *     one pair and of all pairs of two lists; GB/s of copies to and from the device
   */
  public record Rates(double product, String row) {}

  /**
   * A measurement of this device.
   *
   * @param extent N
   * @param seconds approximate duration of a single run
   */
  public DeviceRates(Device device, int extent, double seconds) {
    this.device = device;
    this.extent = extent;
    this.seconds = seconds;
  }

  /** Measures everything; the device must have room for at least ten elements. */
  public Rates measure() {
    TensorShape node = TensorShape.mesonNode(extent);
    long room = device.info().freeBytes() / 10 * 9 / node.bytes() - 2 * INPUTS;
    int contractions = (int) Math.max(1, Math.min(MOST_CONTRACTIONS, room));
    try (RandomNodes nodes = new RandomNodes(device)) {
      List<DeviceMemory> left = nodes.random(node, INPUTS);
      List<DeviceMemory> right = nodes.random(node, INPUTS);
      List<DeviceMemory> results = nodes.random(node, contractions);
      double product = pairs(left, right, results, IDENTITY, ONES);
      double gamma5 = pairs(left, right, results, IDENTITY, GAMMA5);
      double gamma1 = pairs(left, right, results, GAMMA1, GAMMA5);
      double singleTraces = traces(left, right, 1);
      double traces = traces(left, right, INPUTS);
      double[] copies = copies(node, left.get(0));
      nodes.free();
      TensorShape large = TensorShape.elemental(4 * extent);
      List<DeviceMemory> matrices = nodes.random(large, 3);
      double single =
          plain(matrices.subList(0, 1), matrices.subList(1, 2), matrices.subList(2, 3), 4 * extent);
      nodes.free();
      TensorShape small = TensorShape.elemental(extent);
      // Every seventh block stays unused, so that the addresses have no common stride.
      List<DeviceMemory> scattered = nodes.random(small, 64 + 64 / 6);
      double batched =
          plain(
              nodes.random(small, 2 * INPUTS),
              nodes.random(small, 2 * INPUTS),
              withoutEverySeventh(scattered),
              extent);
      String row =
          String.format(
              Locale.US,
              "| %d | %d | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f %% | %.1f | %.1f | %.1f | %.1f |",
              extent,
              contractions,
              single,
              batched,
              product,
              gamma5,
              gamma1,
              100 * product / Math.max(single, batched),
              singleTraces,
              traces,
              copies[0],
              copies[1]);
      return new Rates(product, row);
    }
  }

  private static List<DeviceMemory> withoutEverySeventh(List<DeviceMemory> memory) {
    List<DeviceMemory> kept = new ArrayList<>();
    for (int k = 0; k < memory.size(); k++) {
      if (k % 7 != 6) {
        kept.add(memory.get(k));
      }
    }
    return kept;
  }

  private double pairs(
      List<DeviceMemory> left,
      List<DeviceMemory> right,
      List<DeviceMemory> results,
      int[] row,
      int[] sign) {
    BatchSpinMapping mapping = BatchSpinMapping.mesonProduct(IDENTITY, ONES, row, sign);
    return batch(left, right, results, mapping, extent);
  }

  private double plain(
      List<DeviceMemory> left, List<DeviceMemory> right, List<DeviceMemory> results, int size) {
    return batch(left, right, results, BatchSpinMapping.leftScalar(1), size);
  }

  private double batch(
      List<DeviceMemory> left,
      List<DeviceMemory> right,
      List<DeviceMemory> results,
      BatchSpinMapping mapping,
      int size) {
    ContractionBatch batch = new ContractionBatch(size, size, size);
    for (int k = 0; k < results.size(); k++) {
      int l = k * 5 % left.size();
      int r = k * 3 % right.size();
      batch.add(left.get(l), right.get(r), results.get(k), mapping);
    }
    return batch.flops() / time(() -> device.contract(batch, device.computeStream())) * 1e-9;
  }

  /** Traces of all left with all right elements in blocks of {@code side × side} in one call. */
  private double traces(List<DeviceMemory> left, List<DeviceMemory> right, int side) {
    SpinTraceMapping mapping = SpinTraceMapping.mesonTrace(IDENTITY, ONES, IDENTITY, GAMMA5);
    List<TraceBlock> blocks = new ArrayList<>();
    int count = 0;
    for (int l = 0; l < left.size(); l += side) {
      for (int r = 0; r < right.size(); r += side) {
        List<DeviceMemory> lefts = left.subList(l, l + side);
        List<DeviceMemory> rights = right.subList(r, r + side);
        blocks.add(new TraceBlock(lefts, rights, mapping, extent, count));
        count += side * side;
      }
    }
    try (HostMemory results = device.allocateHost((long) count * TensorShape.COMPLEX_BYTES)) {
      double flops = 8.0 * extent * extent * mapping.size() * count;
      return flops / time(() -> device.trace(blocks, results, device.computeStream())) * 1e-9;
    }
  }

  private double[] copies(TensorShape shape, DeviceMemory memory) {
    try (HostMemory host = device.allocateHost(shape.bytes())) {
      double up = time(() -> device.upload(host, 0, memory, shape, device.computeStream()));
      double down = time(() -> device.download(memory, host, 0, shape, device.computeStream()));
      return new double[] {shape.bytes() / up * 1e-9, shape.bytes() / down * 1e-9};
    }
  }

  /** Seconds for each call, with many in the stream at once. */
  private double time(Runnable call) {
    double once = timed(call, 1);
    int calls = (int) Math.max(1, Math.min(1000, seconds / Math.max(once, 1e-6)));
    double[] times = new double[RUNS];
    for (int run = 0; run < RUNS; run++) {
      times[run] = timed(call, calls) / calls;
    }
    Arrays.sort(times);
    return times[RUNS / 2];
  }

  private double timed(Runnable call, int calls) {
    device.synchronize(device.computeStream());
    long start = System.nanoTime();
    for (int k = 0; k < calls; k++) {
      call.run();
    }
    device.synchronize(device.computeStream());
    return (System.nanoTime() - start) * 1e-9;
  }
}
