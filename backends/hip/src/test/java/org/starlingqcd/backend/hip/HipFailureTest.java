package org.starlingqcd.backend.hip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.TraceBlock;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.memory.Closing;
import org.starlingqcd.backend.gpu.memory.GpuStream;
import org.starlingqcd.backend.gpu.memory.StagingRing;
import org.starlingqcd.backend.gpu.memory.StreamOrder;

/**
 * A small run in which every call of the library fails once: the failure reaches the caller with
 * the call's name, everything that can be released is released, and the next run works.
 */
class HipFailureTest {
  private static final int OUT_OF_MEMORY = 2;
  private static final int EXTENT = 2;
  private static final TensorShape NODE = TensorShape.mesonNode(EXTENT);

  /** A capacity, so that the workspace is small and opening is fast. */
  private static final DeviceOptions OPTIONS = new DeviceOptions(0, 0, 1 << 20, false);

  private static final int[] IDENTITY = {0, 1, 2, 3};
  private static final int[] GAMMA5 = {1, 1, -1, -1};

  /** Calls that release a resource and leave it behind when they fail. */
  private static final Set<String> RELEASES =
      Set.of(
          "hipFree",
          "hipHostFree",
          "hipStreamDestroy",
          "hipEventDestroy",
          "hipblasDestroy",
          "hipModuleUnload");

  /** Calls without which traces are computed by library calls. */
  private static final Set<String> KERNELS = Set.of("hipModuleLoadData", "hipModuleGetFunction");

  private HipProvider provider;

  @BeforeEach
  void provide() {
    provider = FakeHip.provider();
    provider.probe(); // loads the libraries
    FakeHip.reset(FakeHip.BYTES, 1, 5);
  }

  /** Uses every function of a device once and frees all it can even after a failure. */
  private void run() {
    List<DeviceMemory> blocks = new ArrayList<>();
    try (Device device = provider.open(OPTIONS)) {
      try {
        work(device, blocks);
      } finally {
        blocks.forEach(device::free);
      }
    }
  }

  private static void work(Device device, List<DeviceMemory> blocks) {
    for (int k = 0; k < 4; k++) {
      blocks.add(device.allocate(NODE.bytes()));
    }
    DeviceStream copies = device.openStream();
    try (HostMemory host = device.allocateHost(NODE.bytes());
        HostMemory results = device.allocateHost(64)) {
      try {
        host.clear();
        device.upload(host, 0, blocks.get(0), NODE, copies);
        device.fillRandom(blocks.get(1), NODE, 3, copies);
        device.waitFor(device.computeStream(), device.record(copies));
        ContractionBatch batch = new ContractionBatch(EXTENT, EXTENT, EXTENT);
        BatchSpinMapping mapping =
            BatchSpinMapping.mesonProduct(IDENTITY, GAMMA5, IDENTITY, GAMMA5);
        batch.add(blocks.get(0), blocks.get(1), blocks.get(2), mapping);
        batch.add(blocks.get(1), blocks.get(1), blocks.get(3), mapping);
        device.contract(batch, device.computeStream());
        SpinTraceMapping trace = SpinTraceMapping.mesonTrace(IDENTITY, GAMMA5, IDENTITY, GAMMA5);
        device.trace(
            List.of(new TraceBlock(blocks.subList(0, 2), blocks.subList(2, 4), trace, EXTENT, 0)),
            results,
            device.computeStream());
        device.isReached(device.record(device.computeStream()));
        device.synchronize(device.record(device.computeStream()));
        device.download(blocks.get(2), host, 0, NODE, device.computeStream());
        device.synchronize(device.computeStream());
      } catch (BackendException e) {
        for (DeviceStream stream : List.of(device.computeStream(), copies)) {
          try {
            device.synchronize(stream);
          } catch (BackendException later) {
            e.addSuppressed(later);
          }
        }
        throw e;
      }
    }
  }

  private @Nullable BackendException runs() {
    try {
      run();
      return null;
    } catch (BackendException e) {
      return e;
    }
  }

  @Test
  void everyCall_failingOnce_isNamedAndNothingElseLeaks() {
    run();
    assertEquals("", FakeHip.report());
    long calls = FakeHip.calls();
    assertTrue(calls > 60, "calls=" + calls);
    for (long call = 0; call < calls; call++) {
      FakeHip.reset(FakeHip.BYTES, 1, call);
      FakeHip.failAt(call, FakeHip.LOST, false);
      BackendException failure = runs();
      if (FakeHip.calls() <= call) {
        // One or two calls at the end depend on whether a copy has run.
        assertTrue(calls - call < 10, "call " + call + " of " + calls);
        break;
      }
      String name = FakeHip.callName(call);
      String where = "call " + call + " " + name;
      if (name.startsWith("hiprtc") || KERNELS.contains(name)) {
        assertNull(failure, where);
      } else {
        assertNotNull(failure, where);
        String named = name.equals("hipblasSetAtomicsMode") ? "hipblasCreate" : name;
        assertTrue(String.valueOf(failure.getMessage()).startsWith(named + "("), where + failure);
      }
      List<String> left = FakeHip.report().lines().toList();
      if (RELEASES.contains(name)) {
        assertTrue(left.size() <= 1, where + " left " + left);
      } else {
        assertEquals(List.of(), left, where);
      }
    }
    FakeHip.reset(FakeHip.BYTES, 1, 5);
    run();
    assertEquals("", FakeHip.report());
  }

  @Test
  void everyAllocation_outOfMemoryOnce_saysSo() {
    run();
    long calls = FakeHip.calls();
    List<Long> allocations = new ArrayList<>();
    for (long call = 0; call < calls; call++) {
      if (FakeHip.callName(call).equals("hipMalloc")) {
        allocations.add(call);
      }
    }
    assertFalse(allocations.isEmpty());
    for (long call : allocations) {
      FakeHip.reset(FakeHip.BYTES, 1, call);
      FakeHip.failAt(call, OUT_OF_MEMORY, false);
      BackendException failure = runs();
      // A workspace that does not fit is tried again at half the size.
      assertTrue(failure == null || failure instanceof OutOfDeviceMemoryException, "call " + call);
      assertEquals("", FakeHip.report());
    }
  }

  @Test
  void pageLockedMemoryThatRunsOut_isReplacedByOrdinaryMemory() {
    try (Device device = provider.open(OPTIONS)) {
      DeviceMemory memory = device.allocate(NODE.bytes());
      // After the call that makes the device current.
      long allocation = FakeHip.calls() + 1;
      FakeHip.failAt(allocation, OUT_OF_MEMORY, false);
      try (HostMemory ordinary = device.allocateHost(NODE.bytes());
          HostMemory locked = device.allocateHost(NODE.bytes())) {
        assertEquals("hipHostMalloc", FakeHip.callName(allocation));
        double[] numbers = new Random(3).doubles(NODE.bytes() / Double.BYTES).toArray();
        ordinary.put(0, numbers, 0, numbers.length);
        device.upload(ordinary, 0, memory, NODE, device.computeStream());
        device.download(memory, locked, 0, NODE, device.computeStream());
        device.synchronize(device.computeStream());
        double[] back = new double[numbers.length];
        locked.get(0, back, 0, back.length);
        assertArrayEquals(numbers, back);
      }
      device.free(memory);
    }
    assertEquals("", FakeHip.report());
  }

  @Test
  void fullPageLockedMemory_makesTheRingWaitForItsOldestBuffer() {
    Closing closing = new Closing();
    try (GpuLibrary hip = new GpuLibrary(provider.load(), 0)) {
      hip.makeCurrent();
      GpuStream stream = new GpuStream(null, hip, new StreamOrder());
      StagingRing ring = new StagingRing(hip, 4096);
      long target = hip.allocate(4096);
      FakeHip.delayWork(20_000);
      long first = ring.next(4096, stream).address();
      hip.copy(target, first, 4096, CopyDirection.UP, stream.put());
      // After the calls that mark the stream and ask for the mark.
      long allocation = FakeHip.calls() + 3;
      FakeHip.failAt(allocation, OUT_OF_MEMORY, false);
      assertEquals(first, ring.next(4096, stream).address());
      assertEquals("hipHostMalloc", FakeHip.callName(allocation));
      hip.free(target);
      ring.close(closing);
      stream.close(closing);
      closing.throwFailure();
    } finally {
      FakeHip.delayWork(0);
    }
    assertEquals("", FakeHip.report());
  }

  /** Memory for inputs, of which a device copies that is opened and closed meanwhile. */
  @Test
  void pageLockedMemoryForInputs_endsWithoutAnException() {
    HostMemory locked = Objects.requireNonNull(provider.pageLocked(0, NODE.bytes()));
    double[] numbers = new Random(3).doubles(NODE.bytes() / Double.BYTES).toArray();
    locked.put(0, numbers, 0, numbers.length);
    try (Device device = provider.open(OPTIONS)) {
      DeviceMemory memory = device.allocate(NODE.bytes());
      device.upload(locked, 0, memory, NODE, device.computeStream());
      device.synchronize(device.computeStream());
      device.free(memory);
    }
    locked.close();
    // After the calls that make the device current.
    long first = FakeHip.calls();
    Objects.requireNonNull(provider.pageLocked(0, NODE.bytes())).close();
    List<String> names = FakeHip.callNames();
    long allocation = first + names.subList((int) first, names.size()).indexOf("hipHostMalloc");
    assertTrue(allocation >= first, names.toString());
    for (int code : new int[] {OUT_OF_MEMORY, FakeHip.LOST}) {
      FakeHip.failAt(FakeHip.calls() + allocation - first, code, false);
      assertNull(provider.pageLocked(0, NODE.bytes()));
    }
    assertEquals("", FakeHip.report());
    HostMemory last = Objects.requireNonNull(provider.pageLocked(0, NODE.bytes()));
    FakeHip.failAt(FakeHip.calls(), FakeHip.LOST, true);
    last.close();
  }

  @Test
  void deviceLost_atAnyCall_endsInAnExceptionWithoutHanging() {
    run();
    long calls = FakeHip.calls();
    for (long call = 0; call < calls; call += 3) {
      FakeHip.reset(FakeHip.BYTES, 1, call);
      FakeHip.failAt(call, FakeHip.LOST, true);
      BackendException failure = runs();
      if (FakeHip.calls() <= call) {
        break;
      }
      assertNotNull(failure, "call " + call);
      assertTrue(
          String.valueOf(failure.getMessage()).contains("hipErrorUnknown")
              || String.valueOf(failure.getMessage()).contains("hipblas"),
          failure.getMessage());
    }
  }

  @Test
  void workThatFailsLater_surfacesAtTheSynchronization() {
    try (Device device = provider.open(OPTIONS)) {
      DeviceMemory memory = device.allocate(NODE.bytes());
      try (HostMemory host = device.allocateHost(NODE.bytes())) {
        device.synchronize(device.computeStream());
        FakeHip.failLater(FakeHip.LOST);
        device.upload(host, 0, memory, TensorShape.elemental(EXTENT), device.computeStream());
        BackendException failure =
            assertThrows(BackendException.class, () -> device.synchronize(device.computeStream()));
        assertTrue(String.valueOf(failure.getMessage()).contains("hipErrorUnknown"));
      }
      // Part of a slab; only closing the device asks the driver for anything.
      device.free(memory);
    } catch (BackendException e) {
      assertTrue(String.valueOf(e.getMessage()).contains("hipErrorUnknown"), e.getMessage());
    }
    assertEquals("", FakeHip.report());
  }
}
