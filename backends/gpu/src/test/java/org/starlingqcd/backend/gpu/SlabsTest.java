package org.starlingqcd.backend.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.TensorShape;

/** Blocks of device memory as parts of slabs. */
class SlabsTest {
  private static final long MIB = 1L << 20;
  private static final TensorShape NODE = TensorShape.mesonNode(4);

  private static GpuDevice open(HostGpu gpu, long capacity) {
    return GpuDevice.open(gpu, new DeviceOptions(0, 0, capacity, false), 4 * MIB);
  }

  private static long count(List<String> calls, String name) {
    return calls.stream().filter(name::equals).count();
  }

  /** The place is used by another stream while the first may still work on it. */
  @Test
  void freedPlace_isUsedAgainAfterTheStreamsThatMayUseIt() {
    HostGpu gpu = new HostGpu(1L << 30, false);
    GpuDevice device = open(gpu, 0);
    DeviceStream copies = device.openStream();
    DeviceMemory first = device.allocate(NODE.bytes());
    device.fillRandom(first, NODE, 1, device.computeStream());
    int before = gpu.calls().size();
    device.free(first);
    DeviceMemory second = device.allocate(NODE.bytes());
    List<String> calls = gpu.calls().subList(before, gpu.calls().size());
    for (String waiting :
        List.of("allocate", "free", "synchronizeStream", "synchronizeEvent", "isReached")) {
      assertFalse(calls.contains(waiting), calls.toString());
    }
    assertTrue(count(calls, "waitForEvent") >= 1, calls.toString());
    device.fillRandom(second, NODE, 2, copies);
    device.free(second);
    device.close();
    assertEquals("0 blocks, 0 handles", gpu.leaks());
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
