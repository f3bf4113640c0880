package org.starlingqcd.blockcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;

final class WriteBufferTest {
  private static final int DOUBLES = 1000;

  private final CountDownLatch mayWrite = new CountDownLatch(1);
  private final List<BlockKey> written = Collections.synchronizedList(new ArrayList<>());

  private void write(BlockKey key, HostMemory block, long bytes) {
    try {
      mayWrite.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    TestBlocks.check(written.size(), block, bytes);
    written.add(key);
  }

  private static boolean add(WriteBuffer buffer, int number) {
    long bytes = TestBlocks.bytes(number, DOUBLES);
    try (HostMemory block = HostMemory.allocate(bytes + 64)) {
      try (HostMemory filled = HostMemory.allocate(bytes)) {
        TestBlocks.fill(number, filled, bytes);
        filled.copyTo(0, block, 64, bytes);
      }
      return buffer.add(TestBlocks.key(number), block, 64, bytes);
    }
  }

  private static boolean fetch(WriteBuffer buffer, int number, long bytes) {
    try (HostMemory target = HostMemory.allocate(bytes)) {
      boolean found = buffer.fetch(TestBlocks.key(number), bytes, target, 0);
      if (found) {
        TestBlocks.check(number, target, bytes);
      }
      return found;
    }
  }

  @Test
  void blocksThatAreBeingWritten_areServed_andAreFreedAfterwards() {
    HostMemoryBudget budget = new HostMemoryBudget(3 * TestBlocks.bytes(3, DOUBLES), 0);
    WriteBuffer buffer = new WriteBuffer(budget, this::write);
    for (int k = 0; k < 3; k++) {
      assertTrue(add(buffer, k));
    }
    assertFalse(add(buffer, 3), "beyond the budget");
    for (int k = 0; k < 3; k++) {
      assertTrue(buffer.holds(TestBlocks.key(k)));
      assertTrue(fetch(buffer, k, TestBlocks.bytes(k, DOUBLES)));
    }
    assertFalse(fetch(buffer, 1, TestBlocks.bytes(1, DOUBLES) - 8), "another size");
    assertFalse(fetch(buffer, 3, TestBlocks.bytes(3, DOUBLES)));
    assertEquals(List.of(), written);
    mayWrite.countDown();
    buffer.flush();
    assertEquals(3, written.size());
    assertFalse(fetch(buffer, 0, TestBlocks.bytes(0, DOUBLES)));
    assertTrue(add(buffer, 3));
    buffer.close();
    assertEquals(TestBlocks.key(3), written.get(3));
    assertFalse(add(buffer, 4), "closed");
    assertTrue(budget.tryReserve(budget.bytes()));
  }
}
