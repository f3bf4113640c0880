package org.starlingqcd.backend.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ThreadClockTest {
  @Test
  void nanos_countsTheWorkOfNewThreadsAlone() throws InterruptedException {
    Set<Thread> before = ThreadClock.running();
    CountDownLatch begin = new CountDownLatch(1);
    CountDownLatch worked = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    long[] used = new long[1];
    Thread worker =
        new Thread(
            () -> {
              await(begin);
              long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
              while (used[0] < 3_000_000) {
                used[0] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
              }
              worked.countDown();
              await(end);
            });
    worker.start();
    ThreadClock clock = new ThreadClock(before, 1);
    ThreadClock ofTwo = new ThreadClock(before, 2);
    long idle = clock.nanos();
    begin.countDown();
    worked.await();
    long busy = clock.nanos() - idle;
    assertTrue(busy >= used[0], busy + " of " + used[0]);
    assertEquals(clock.nanos() / 2.0, (double) ofTwo.nanos(), 1e6);
    end.countDown();
    worker.join();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }
}
