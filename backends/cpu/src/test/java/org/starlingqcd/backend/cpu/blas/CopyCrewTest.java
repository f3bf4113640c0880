package org.starlingqcd.backend.cpu.blas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

final class CopyCrewTest {
  private static final int CHUNKS = 100;

  @Test
  void everyChunk_isCopiedOnce() {
    for (int helpers = 0; helpers < 4; helpers++) {
      try (CopyCrew crew = new CopyCrew(helpers, () -> {})) {
        for (int round = 0; round < 50; round++) {
          AtomicIntegerArray copied = new AtomicIntegerArray(CHUNKS);
          crew.copy(CHUNKS, copied::incrementAndGet);
          for (int chunk = 0; chunk < CHUNKS; chunk++) {
            assertEquals(1, copied.get(chunk), "helpers=" + helpers + " chunk=" + chunk);
          }
        }
      }
    }
  }

  /** The paper's helpers make 70 to 99 % of the copies. */
  @Test
  void whileTheAskingThreadIsHeld_helpersCopyTheRest() {
    try (CopyCrew crew = new CopyCrew(1, () -> {})) {
      Thread asking = Thread.currentThread();
      CountDownLatch rest = new CountDownLatch(CHUNKS - 1);
      crew.copy(
          CHUNKS,
          chunk -> {
            if (Thread.currentThread() == asking) {
              await(rest);
            } else {
              rest.countDown();
            }
          });
      assertTrue(CHUNKS - rest.getCount() >= 0.7 * CHUNKS, rest.getCount() + " chunks left");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void idleThreads_areWokenAndHelp() {
    AtomicInteger woken = new AtomicInteger();
    try (CopyCrew crew = new CopyCrew(0, woken::incrementAndGet)) {
      AtomicInteger copied = new AtomicInteger();
      crew.copy(
          CHUNKS,
          chunk -> {
            // Any thread may take chunks of a copy under way.
            if (copied.incrementAndGet() == 1) {
              assertTrue(crew.helpOnce());
            }
          });
      assertEquals(CHUNKS, copied.get());
      assertEquals(1, woken.get());
      assertTrue(!crew.helpOnce());
    }
  }

  @Test
  void failureOfAChunk_reachesTheAskingThread() {
    try (CopyCrew crew = new CopyCrew(2, () -> {})) {
      IllegalStateException thrown =
          assertThrows(
              IllegalStateException.class,
              () ->
                  crew.copy(
                      CHUNKS,
                      chunk -> {
                        if (chunk == 7) {
                          throw new IllegalStateException("chunk 7");
                        }
                      }));
      assertEquals("chunk 7", thrown.getMessage());
    }
  }
}
