package org.starlingqcd.backend.cpu.trace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.cpu.CpuDevice;
import org.starlingqcd.backend.cpu.blas.KernelChoice;
import org.starlingqcd.backend.cpu.blas.OpenBlas;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * A trace has the same bits in every block: alone, with other lefts and rights, for every cut of
 * the blocks and every number of threads. Results therefore do not depend on the available memory.
 */
class TraceBitsTest {
  private static final int SPINS = 3;
  private static final int SIDE = 9;
  private static final SpinTraceMapping MAPPING =
      new SpinTraceMapping(new int[] {0, 2, 1}, new int[] {1, 0, 0}, new double[] {1, -1, 0.5});

  private final List<DeviceMemory> lefts = new ArrayList<>();
  private final List<DeviceMemory> rights = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({
    "1,100,1,true",
    "2,100,1,true",
    "5,100,1,true",
    "17,100,2,true",
    "33,100,1,true",
    "64,100,2,true",
    "101,100,1,true",
    "33,16,2,true",
    "50,16,1,true",
    "33,0,1,true",
    "130,0,2,true",
    "5,100,1,false",
    "33,100,2,false",
    "64,100,2,false",
    "50,16,1,false"
  })
  void trace_ofTwoElements_hasTheSameBitsInEveryBlock(
      int extent, int tile, int threads, boolean vectorLoops) {
    try (CpuDevice device = device(tile, threads, vectorLoops)) {
      allocate(device, extent, SIDE, SIDE);
      double[] alone = alone(device, extent);
      List<TraceBlock> blocks = new ArrayList<>();
      long results = 0;
      for (int l = 1; l <= SIDE; l++) {
        for (int r = 1; r <= SIDE; r++) {
          blocks.add(block(extent, (SIDE - l) / 2, l, (SIDE - r) / 2, r, results));
          results += (long) l * r;
        }
      }
      double[] together = trace(device, blocks, results);
      for (TraceBlock block : blocks) {
        assertBits(alone, together, block);
      }
      free(device);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "12,100,3,70,true",
    "96,100,2,40,true",
    "24,0,70,5,true",
    "12,100,3,70,false",
    "24,0,70,5,false"
  })
  void trace_inALongList_hasTheBitsOfOneCutAnywhere(
      int extent, int tile, int left, int right, boolean vectorLoops) {
    try (CpuDevice device = device(tile, 2, vectorLoops)) {
      allocate(device, extent, left, right);
      double[] whole =
          trace(device, List.of(block(extent, 0, left, 0, right, 0)), (long) left * right);
      for (int cut : new int[] {1, 2, 5, 31}) {
        int l = Math.min(cut, left - 1);
        int r = Math.min(cut, right - 1);
        List<TraceBlock> blocks = new ArrayList<>();
        blocks.add(block(extent, 0, l, 0, r, 0));
        blocks.add(block(extent, l, left - l, 0, r, (long) l * r));
        blocks.add(block(extent, 0, left, r, right - r, (long) left * r));
        double[] parts = trace(device, blocks, (long) left * right);
        for (TraceBlock block : blocks) {
          assertBits(whole, parts, block);
        }
      }
      free(device);
    }
  }

  /** Compares a block's results with those of all pairs in rows for the lefts. */
  private void assertBits(double[] all, double[] results, TraceBlock block) {
    int k = 2 * (int) block.resultIndex();
    for (DeviceMemory left : block.lefts()) {
      for (DeviceMemory right : block.rights()) {
        int pair = 2 * (lefts.indexOf(left) * rights.size() + rights.indexOf(right));
        String which = block.lefts().size() + " x " + block.rights().size() + " at " + pair;
        assertEquals(all[pair], results[k++], which);
        assertEquals(all[pair + 1], results[k++], which);
      }
    }
  }

  private double[] alone(CpuDevice device, int extent) {
    List<TraceBlock> blocks = new ArrayList<>();
    for (int l = 0; l < lefts.size(); l++) {
      for (int r = 0; r < rights.size(); r++) {
        blocks.add(block(extent, l, 1, r, 1, blocks.size()));
      }
    }
    double[] alone = trace(device, blocks, blocks.size());
    assertArrayEquals(alone, trace(device, blocks, blocks.size()), "run again");
    return alone;
  }

  private TraceBlock block(int extent, int l, int left, int r, int right, long resultIndex) {
    return new TraceBlock(
        lefts.subList(l, l + left), rights.subList(r, r + right), MAPPING, extent, resultIndex);
  }

  private static double[] trace(CpuDevice device, List<TraceBlock> blocks, long results) {
    try (HostMemory host = device.allocateHost(results * TensorShape.COMPLEX_BYTES)) {
      device.trace(blocks, host, device.computeStream());
      device.synchronize(device.computeStream());
      double[] numbers = new double[(int) (2 * results)];
      host.get(0, numbers, 0, numbers.length);
      return numbers;
    }
  }

  private static CpuDevice device(int tile, int threads, boolean vectorLoops) {
    return new CpuDevice(
        new DeviceOptions(0, threads, 0, false),
        OpenBlas.load(),
        new KernelChoice(tile, true),
        vectorLoops && VectorLoops.isAvailable());
  }

  private void allocate(CpuDevice device, int extent, int left, int right) {
    TensorShape shape = new TensorShape(SPINS, 2, extent);
    for (int k = 0; k < left + right; k++) {
      DeviceMemory memory = device.allocate(shape.bytes());
      device.fillRandom(memory, shape, k, device.computeStream());
      (k < left ? lefts : rights).add(memory);
    }
    device.synchronize(device.computeStream());
  }

  private void free(CpuDevice device) {
    lefts.forEach(device::free);
    rights.forEach(device::free);
  }
}
