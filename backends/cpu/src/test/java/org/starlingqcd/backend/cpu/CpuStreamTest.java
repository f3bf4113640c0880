package org.starlingqcd.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.Team;

/** Streams and the team of threads beneath them. */
class CpuStreamTest {
  private static CpuDevice device() {
    return (CpuDevice) new CpuBackend().open(new DeviceOptions(0, 1, 1 << 20, false));
  }

  @Test
  void put_returnsAtOnce_andEventIsReachedAfterTheWork() throws InterruptedException {
    try (CpuDevice device = device()) {
      CpuStream stream = (CpuStream) device.computeStream();
      CountDownLatch go = new CountDownLatch(1);
      AtomicInteger done = new AtomicInteger();
      stream.put(
          () -> {
            await(go);
            done.incrementAndGet();
          });
      CpuEvent event = stream.record();
      assertFalse(device.isReached(event));
      go.countDown();
      device.synchronize(event);
      assertTrue(device.isReached(event));
      assertEquals(1, done.get());
    }
  }

  @Test
  void failedOperation_leavesNothingToTheNext() {
    TensorShape shape = TensorShape.mesonNode(2);
    try (CpuDevice device = device();
        HostMemory host = HostMemory.allocate(2 * shape.bytes())) {
      CpuStream stream = (CpuStream) device.computeStream();
      DeviceMemory failing = device.allocate(shape.bytes());
      DeviceMemory next = device.allocate(shape.bytes());
      host.clear();
      // Too many numbers for the block.
      TensorShape larger = new TensorShape(2 * shape.spins(), shape.rank(), shape.extent());
      assertThrows(
          IllegalArgumentException.class, () -> device.upload(host, 0, failing, larger, stream));
      device.upload(host, 0, next, shape, stream);
      assertEquals(0, ((CpuMemory) failing).lastUse(0));
      device.synchronize(stream);
      device.free(failing);
      device.free(next);
    }
  }

  @Test
  void free_waitsForTheWorkThatUsesTheBlock_andForNoOther() {
    TensorShape shape = TensorShape.mesonNode(2);
    try (CpuDevice device = device();
        HostMemory host = HostMemory.allocate(shape.bytes())) {
      CpuStream stream = (CpuStream) device.computeStream();
      CountDownLatch first = new CountDownLatch(1);
      CountDownLatch second = new CountDownLatch(1);
      DeviceMemory idle = device.allocate(shape.bytes());
      DeviceMemory part = device.allocate(shape.bytes());
      DeviceMemory element = device.compose(List.of(part));
      host.clear();
      device.upload(host, 0, idle, shape, stream);
      device.synchronize(stream);
      stream.put(() -> await(first));
      AtomicInteger done = new AtomicInteger();
      device.upload(host, 0, element, new TensorShape(1, 2, 2), stream);
      CpuEvent used = stream.record();
      stream.put(
          () -> {
            await(second);
            done.incrementAndGet();
          });
      device.free(idle);
      assertFalse(device.isReached(used));
      first.countDown();
      new Thread(second::countDown).start();
      device.free(part);
      assertTrue(device.isReached(used));
      device.synchronize(stream);
      assertEquals(1, done.get());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void failure_surfacesOnceAtTheNextSynchronization_andSkipsWhatFollowed() {
    try (CpuDevice device = device()) {
      CpuStream stream = (CpuStream) device.computeStream();
      CpuStream waiting = (CpuStream) device.openStream();
      AtomicInteger ran = new AtomicInteger();
      IllegalStateException cause = new IllegalStateException("broken");
      stream.put(
          () -> {
            throw cause;
          });
      stream.put(ran::incrementAndGet);
      CpuEvent event = stream.record();
      waiting.waitFor(event);
      waiting.put(ran::incrementAndGet);
      assertSame(
          cause,
          assertThrows(BackendException.class, () -> device.synchronize(waiting)).getCause());
      assertThrows(BackendException.class, () -> device.synchronize(stream));
      stream.put(ran::incrementAndGet);
      device.synchronize(stream);
      assertEquals(1, ran.get());
    }
  }

  @Test
  void team_runsEveryPartOnce_andThrowsTheFirstFailure() {
    try (Team team = new Team(3, false, Precision.DOUBLE)) {
      for (int round = 0; round < 200; round++) {
        AtomicIntegerArray runs = new AtomicIntegerArray(17);
        team.run(17, (part, own) -> runs.incrementAndGet(part));
        for (int part = 0; part < 17; part++) {
          assertEquals(1, runs.get(part));
        }
      }
      IllegalStateException failure = new IllegalStateException("part 5");
      assertSame(
          failure,
          assertThrows(
              IllegalStateException.class,
              () ->
                  team.run(
                      9,
                      (part, own) -> {
                        if (part == 5) {
                          throw failure;
                        }
                      })));
    }
  }
}
