package org.starlingqcd.memhc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;

/** Files are read and written beside the calling thread, which waits only for what it needs. */
@Timeout(60)
final class FilesAheadTest {
  private static final TensorShape NODE = new TensorShape(16, 2, 1);

  @TempDir private Path folder = Path.of("");

  private final LazyDevice device = new LazyDevice(100 * NODE.bytes(), 5);
  private final Set<Thread> readers = ConcurrentHashMap.newKeySet();

  /** Inputs 0 to 3, each {@code element + 1} throughout, and intermediates 4 and 5. */
  private MemHC open(MemHCOptions options, IntConsumer beforeReading) {
    MemHC memory = MemHC.open(device, options);
    for (int k = 0; k < 4; k++) {
      memory.addInput(
          NODE,
          (element, target, offset) -> {
            readers.add(Thread.currentThread());
            beforeReading.accept(element);
            double[] numbers = new double[(int) (NODE.bytes() / 8)];
            Arrays.fill(numbers, element + 1.0);
            target.put(offset / 8, numbers, 0, numbers.length);
          });
    }
    memory.addIntermediate(NODE);
    memory.addIntermediate(NODE);
    memory.schedule(
        AccessQueue.builder()
            .step(new int[] {0, 1}, new int[] {4})
            .endVector()
            .step(new int[] {2, 3}, new int[] {5})
            .endVector()
            .keep(4)
            .keep(5)
            .build());
    return memory;
  }

  private void run(MemHC memory, int left, int right, int destination) {
    assertTrue(memory.pin(new int[] {left, right}, 2, new int[] {destination}, 1));
    ContractionBatch batch = new ContractionBatch(1, 1, 1);
    batch.add(
        memory.memory(left),
        memory.memory(right),
        memory.memory(destination),
        BatchSpinMapping.mesonProduct());
    device.contract(batch, device.computeStream());
    memory.launched();
  }

  private static void assertValue(MemHC memory, int element, double value) {
    double[] numbers = new double[(int) (NODE.bytes() / 8)];
    try (HostMemory target = HostMemory.allocate(NODE.bytes())) {
      memory.read(element, target, 0);
      target.get(0, numbers, 0, numbers.length);
    }
    double[] expected = new double[numbers.length];
    Arrays.fill(expected, value);
    assertArrayEquals(expected, numbers);
  }

  @Test
  void prefetch_slowSource_isNotWaitedFor() {
    CountDownLatch slow = new CountDownLatch(1);
    MemHCOptions options = MemHCOptions.ofBudget(20 * NODE.bytes());
    try (MemHC memory =
        open(
            options,
            element -> {
              if (element == 2) {
                awaitUninterruptibly(slow);
              }
            })) {
      // Were the prefetch of 2 waited for, this would not come to an end.
      run(memory, 0, 1, 4);
      assertTrue(memory.statistics().prefetches() > 0);
      slow.countDown();
      run(memory, 2, 3, 5);
      assertValue(memory, 4, 3 * 1 - 5 * 2);
      assertValue(memory, 5, 3 * 3 - 5 * 4);
    }
    assertEquals(1, readers.size());
    assertNotEquals(Thread.currentThread(), readers.iterator().next());
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void prefetch_fails_whoNeedsItIsTold() {
    boolean[] broken = {true};
    try (MemHC memory =
        open(
            MemHCOptions.ofBudget(20 * NODE.bytes()),
            element -> {
              if (element == 2 && broken[0]) {
                throw new IllegalStateException("block 2 is damaged");
              }
            })) {
      run(memory, 0, 1, 4);
      IllegalStateException thrown =
          assertThrows(IllegalStateException.class, () -> run(memory, 2, 3, 5));
      assertEquals("block 2 is damaged", thrown.getMessage());
      memory.launched();
      memory.releaseAll();
      memory.audit();
      // The next configuration is not harmed.
      broken[0] = false;
      memory.schedule(AccessQueue.builder().step(new int[] {2, 1}, new int[] {4}).keep(4).build());
      run(memory, 2, 1, 4);
      assertValue(memory, 4, 3 * 3 - 5 * 2);
    }
  }

  @Test
  void spill_doesNotWaitForKernels() {
    MemHCOptions options =
        MemHCOptions.ofBudget(3 * NODE.bytes())
            .withTiers(0, folder, Long.MAX_VALUE)
            .withPrefetch(0);
    try (MemHC memory = open(options, element -> {})) {
      Runnable letGo = device.holdCompute();
      run(memory, 0, 1, 4);
      // Element 4 has to leave, while the kernel that makes it cannot run: the device would
      // report a deadlock if it were waited for.
      run(memory, 2, 3, 5);
      assertEquals(NODE.bytes(), memory.statistics().spilledBytes());
      letGo.run();
      assertValue(memory, 4, 3 * 1 - 5 * 2);
      assertEquals(NODE.bytes(), memory.statistics().unspilledBytes());
      memory.audit();
    }
    assertEquals(0, device.allocatedBytes());
    assertEquals(0, Objects.requireNonNull(folder.toFile().list()).length);
  }
}
