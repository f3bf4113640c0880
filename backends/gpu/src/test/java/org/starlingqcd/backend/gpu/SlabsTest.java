package org.starlingqcd.backend.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.library.GpuLibrary;

/** Blocks of device memory as parts of slabs. */
class SlabsTest {
  private static final long MIB = 1L << 20;
  private static final TensorShape NODE = TensorShape.mesonNode(4);

  private static GpuDevice open(HostGpu gpu, long capacity) {
    return GpuDevice.open(
        new GpuLibrary(gpu, 0), new DeviceOptions(0, 0, capacity, false), 4 * MIB);
  }

  private static long count(List<String> calls, String name) {
    return calls.stream().filter(name::equals).count();
  }

  /**
   * Neither a release nor an allocation asks anything of the driver. A place that its own stream
   * uses again costs nothing at all; another stream waits once, on the device, for the mark that
   * follows the last use.
   */
  @Test
  void freedPlace_isUsedAgainAfterItsLastUse() {
    HostGpu gpu = new HostGpu(1L << 30, false);
    GpuDevice device = open(gpu, 0);
    DeviceStream compute = device.computeStream();
    DeviceStream copies = device.openStream();
    DeviceStream third = device.openStream();
    DeviceMemory other = device.allocate(NODE.bytes());
    DeviceMemory first = device.allocate(NODE.bytes());
    device.fillRandom(first, NODE, 1, compute);
    device.record(compute);
    device.fillRandom(other, NODE, 1, compute);
    int before = gpu.calls().size();
    device.free(first);
    DeviceMemory second = device.allocate(NODE.bytes());
    assertEquals(List.of(), gpu.calls().subList(before, gpu.calls().size()));
    device.fillRandom(second, NODE, 2, compute);
    device.free(second);
    DeviceMemory next = device.allocate(NODE.bytes());
    assertEquals(0, waits(gpu, before));
    device.fillRandom(next, NODE, 2, copies);
    assertEquals(1, waits(gpu, before));
    device.fillRandom(next, NODE, 3, copies);
    assertEquals(1, waits(gpu, before));
    // Through the copies the third stream comes after the place's first user as well.
    device.waitFor(third, device.record(copies));
    device.fillRandom(next, NODE, 4, third);
    assertEquals(2, waits(gpu, before));
    List<String> calls = gpu.calls().subList(before, gpu.calls().size());
    for (String waiting : List.of("allocate", "free", "synchronizeStream", "queryEvent")) {
      assertFalse(calls.contains(waiting), calls.toString());
    }
    device.free(next);
    device.free(other);
    device.close();
    assertEquals("0 blocks, 0 handles", gpu.leaks());
  }

  private static long waits(HostGpu gpu, int before) {
    return count(gpu.calls().subList(before, gpu.calls().size()), "waitForEvent");
  }

  @Test
  void neighbours_areJoined() {
    HostGpu gpu = new HostGpu(1L << 30, false);
    GpuDevice device = open(gpu, 128 * MIB);
    int before = gpu.calls().size();
    List<DeviceMemory> blocks = new ArrayList<>();
    for (int k = 0; k < 8; k++) {
      blocks.add(device.allocate(16 * MIB));
    }
    for (int freed : new int[] {2, 4, 3}) {
      device.free(blocks.get(freed));
    }
    DeviceMemory three = device.allocate(48 * MIB);
    List<String> calls = gpu.calls().subList(before, gpu.calls().size());
    assertEquals(1, count(calls, "allocate"), calls.toString());
    device.free(three);
    for (int freed : new int[] {0, 1, 5, 6, 7}) {
      device.free(blocks.get(freed));
    }
    DeviceMemory all = device.allocate(128 * MIB);
    assertEquals(1, count(gpu.calls().subList(before, gpu.calls().size()), "allocate"));
    device.free(all);
    device.close();
    assertEquals("0 blocks, 0 handles", gpu.leaks());
  }

  /** Free parts of several slabs do not make a block, so the slabs go back to the driver. */
  @Test
  void fullDevice_getsItsEmptySlabsBack() {
    HostGpu gpu = new HostGpu(160 * MIB, false);
    GpuDevice device = open(gpu, 0);
    List<DeviceMemory> small = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      small.add(device.allocate(44 * MIB));
    }
    OutOfDeviceMemoryException full =
        assertThrows(OutOfDeviceMemoryException.class, () -> device.allocate(88 * MIB));
    assertEquals(88 * MIB, full.requestedBytes());
    small.forEach(device::free);
    DeviceMemory large = device.allocate(132 * MIB);
    device.free(large);
    device.close();
    assertEquals("0 blocks, 0 handles", gpu.leaks());
  }
}
