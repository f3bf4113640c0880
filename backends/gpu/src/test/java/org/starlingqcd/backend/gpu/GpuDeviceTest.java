package org.starlingqcd.backend.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.gpu.library.GpuLibrary;

/** The number of launches, and that results do not depend on the size of the workspace. */
class GpuDeviceTest {
  private static final int EXTENT = 3;
  private static final TensorShape NODE = TensorShape.mesonNode(EXTENT);
  private static final int[] IDENTITY = {0, 1, 2, 3};
  private static final int[] ONES = {1, 1, 1, 1};
  private static final int[][][] GAMMAS = {
    {IDENTITY, ONES}, {IDENTITY, {1, 1, -1, -1}}, {{3, 2, 1, 0}, {1, 1, -1, -1}}
  };

  private final HostGpu gpu = new HostGpu(1L << 30, false);
  private final List<DeviceMemory> blocks = new ArrayList<>();
  private GpuDevice device;

  @AfterEach
  void close() {
    if (device != null) {
      blocks.forEach(device::free);
      device.close();
      assertEquals("0 blocks, 0 handles", gpu.leaks());
    }
  }

  private void open(long workspace) {
    device = GpuDevice.open(new GpuLibrary(gpu, 0), DeviceOptions.defaults(), workspace);
  }

  private List<DeviceMemory> nodes(int count) {
    List<DeviceMemory> nodes = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      DeviceMemory node = device.allocate(NODE.bytes());
      device.fillRandom(node, NODE, k, device.computeStream());
      nodes.add(node);
    }
    blocks.addAll(nodes);
    return nodes;
  }

  @Test
  void contract_vectorPairOfPlainProducts_isOneLaunch() {
    open(1 << 20);
    List<DeviceMemory> in = nodes(5);
    List<DeviceMemory> out = nodes(12);
    ContractionBatch batch = new ContractionBatch(EXTENT, EXTENT, EXTENT);
    for (int k = 0; k < out.size(); k++) {
      batch.add(in.get(k % 5), in.get(k * 3 % 5), out.get(k), BatchSpinMapping.mesonProduct());
    }
    device.contract(batch, device.computeStream());
    assertEquals(1, device.launches());
  }

  @Test
  void contract_mixedGammas_isAHandfulOfLaunchesThatNeverWait() {
    open(1 << 20);
    List<DeviceMemory> in = nodes(5);
    List<DeviceMemory> out = nodes(60);
    ContractionBatch batch = new ContractionBatch(EXTENT, EXTENT, EXTENT);
    Random random = new Random(3);
    for (DeviceMemory target : out) {
      int[][] gamma = GAMMAS[random.nextInt(GAMMAS.length)];
      batch.add(
          in.get(random.nextInt(5)),
          in.get(random.nextInt(5)),
          target,
          BatchSpinMapping.mesonProduct(IDENTITY, ONES, gamma[0], gamma[1]));
    }
    int before = gpu.calls().size();
    device.contract(batch, device.computeStream());
    // Chunks of 16 products.
    assertTrue(device.launches() <= 14, "launches=" + device.launches());
    List<String> calls = gpu.calls().subList(before, gpu.calls().size());
    assertEquals(1, calls.stream().filter("copy"::equals).count(), calls.toString());
    for (String waiting : List.of("synchronizeStream", "synchronizeEvent", "allocate", "free")) {
      assertFalse(calls.contains(waiting), calls.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4096, 1 << 20, (1 << 20) + 20000, (1 << 20) + 60000, 64 << 20})
  void trace_workspaceOfAnySize_givesTheSameTraces(long workspace) {
    double[] expected = traces(64 << 20);
    assertArrayEquals(expected, traces(workspace), 1e-12);
  }

  private double[] traces(long workspace) {
    close();
    blocks.clear();
    open(workspace);
    List<DeviceMemory> left = nodes(7);
    List<DeviceMemory> right = nodes(5);
    List<TraceBlock> work = new ArrayList<>();
    int index = 0;
    for (int[][] gamma : GAMMAS) {
      SpinTraceMapping pair = SpinTraceMapping.mesonTrace(gamma[0], gamma[1], IDENTITY, ONES);
      work.add(new TraceBlock(left, right, pair, EXTENT, index));
      index += 35;
      work.add(new TraceBlock(left.subList(2, 3), right, pair, EXTENT, index));
      index += 5;
      SpinTraceMapping single = SpinTraceMapping.mesonTrace(gamma[0], gamma[1]);
      work.add(new TraceBlock(left, List.of(), single, EXTENT, index));
      index += 7;
    }
    try (HostMemory results = device.allocateHost(16L * index)) {
      device.trace(work, results, device.computeStream());
      device.synchronize(device.computeStream());
      double[] numbers = new double[2 * index];
      results.get(0, numbers, 0, numbers.length);
      return numbers;
    }
  }

  @Test
  void trace_blocksOfAdjacentResults_areOneCopyToTheHost() {
    open(64 << 20);
    List<DeviceMemory> nodes = nodes(6);
    SpinTraceMapping mapping = SpinTraceMapping.mesonTrace(IDENTITY, ONES, IDENTITY, ONES);
    List<TraceBlock> work = new ArrayList<>();
    for (int k = 0; k < 5; k++) {
      work.add(
          new TraceBlock(nodes.subList(k, k + 1), nodes.subList(k + 1, k + 2), mapping, EXTENT, k));
    }
    try (HostMemory results = device.allocateHost(16 * 5)) {
      int before = gpu.calls().size();
      device.trace(work, results, device.computeStream());
      List<String> calls = gpu.calls().subList(before, gpu.calls().size());
      // Pointer arrays up, results down.
      assertTrue(calls.stream().filter("copy"::equals).count() <= 2, calls.toString());
      assertTrue(device.launches() <= 2, "launches=" + device.launches());
      device.synchronize(device.computeStream());
    }
  }

  @Test
  void record_withoutNewWork_isTheSameMark() {
    open(1 << 20);
    assertEquals(device.record(device.computeStream()), device.record(device.computeStream()));
    nodes(1);
    for (int k = 0; k < 300; k++) {
      device.fillRandom(blocks.get(0), NODE, k, device.computeStream());
      device.synchronize(device.record(device.computeStream()));
    }
    // The events of reached marks are reused, and nobody asked for a time.
    assertTrue(gpu.calls().stream().filter("createEvent"::equals).count() < 5);
    assertFalse(gpu.calls().contains("createTimedEvent"), gpu.calls().toString());
    device.recordTime(device.computeStream());
    assertTrue(gpu.calls().contains("createTimedEvent"), gpu.calls().toString());
  }

  @Test
  void secondsBetween_addsTheIntervalsOfReachedMarks() {
    open(1 << 20);
    nodes(1);
    List<DeviceEvent> marks = new ArrayList<>();
    for (int k = 0; k < 200; k++) {
      device.fillRandom(blocks.get(0), NODE, k, device.computeStream());
      marks.add(device.recordTime(device.computeStream()));
    }
    DeviceEvent later = device.recordTime(device.openStream());
    assertTrue(device.secondsBetween(marks.get(0), marks.get(199)).isEmpty());
    device.synchronize(device.computeStream());
    assertEquals(199, device.secondsBetween(marks.get(0), marks.get(199)).orElse(-1));
    assertEquals(7, device.secondsBetween(marks.get(140), marks.get(147)).orElse(-1));
    assertTrue(device.secondsBetween(marks.get(0), later).isEmpty());
  }

  @Test
  void memoryOfAnotherDevice_isRefused() {
    open(1 << 20);
    HostGpu second = new HostGpu(1 << 24, false);
    try (GpuDevice other =
        GpuDevice.open(new GpuLibrary(second, 0), DeviceOptions.defaults(), 1 << 20)) {
      DeviceMemory foreign = other.allocate(64);
      assertThrows(IllegalArgumentException.class, () -> device.free(foreign));
      other.free(foreign);
    }
    assertEquals("0 blocks, 0 handles", second.leaks());
  }
}
