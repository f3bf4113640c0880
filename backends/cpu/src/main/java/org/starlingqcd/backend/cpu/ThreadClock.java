package org.starlingqcd.backend.cpu;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The processor time of some threads, which other programs on the machine change less than the time
 * that passes; where the JVM does not know it, the time that passes.
 */
final class ThreadClock {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final long[] numbers;
  private final int team;

  /**
   * A clock of the threads that run now and are not among {@code others}.
   *
   * @param team number of threads that work at the same time
   */
  ThreadClock(Set<Thread> others, int team) {
    this.team = team;
    numbers =
        running().stream()
            .filter(thread -> !others.contains(thread))
            .mapToLong(Thread::getId)
            .toArray();
  }

  /** The threads that run now. */
  static Set<Thread> running() {
    // Some may start meanwhile.
    Thread[] threads = new Thread[2 * Thread.activeCount() + 16];
    int count = Thread.enumerate(threads);
    return new HashSet<>(Arrays.asList(threads).subList(0, count));
  }

  /** Nanoseconds that the threads have run, divided by the number that works at the same time. */
  long nanos() {
    if (numbers.length == 0
        || !THREADS.isThreadCpuTimeSupported()
        || !THREADS.isThreadCpuTimeEnabled()) {
      return System.nanoTime();
    }
    return Arrays.stream(numbers).map(THREADS::getThreadCpuTime).sum() / team;
  }
}
