package org.starlingqcd.backend.cpu;

import com.google.common.util.concurrent.Uninterruptibles;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.DeviceStream;

/**
 * A queue of work that its own thread runs in order. After a failure the stream skips its work, but
 * still reaches its marks, until a synchronization has thrown the failure.
 */
final class CpuStream implements DeviceStream {
  private final CpuDevice owner;
  private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
  private final Thread worker;
  private long puts;

  /** Set and read by its own thread. */
  private boolean stopped;

  private volatile long finished;
  private volatile @Nullable Throwable failure;

  CpuStream(CpuDevice owner, String name) {
    this.owner = owner;
    worker = new Thread(this::work, name);
    worker.setDaemon(true);
    worker.start();
  }

  CpuDevice owner() {
    return owner;
  }

  /**
   * Nanoseconds that its thread has run, which other programs change less than the time that
   * passes; the time that passes where the JVM does not know more.
   */
  long nanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long used = threads.isThreadCpuTimeSupported() ? threads.getThreadCpuTime(worker.getId()) : -1;
    return used < 0 ? System.nanoTime() : used;
  }

  /** Puts work into the stream and returns its number, from 1. */
  long put(Runnable work) {
    long number = ++puts;
    queue.add(
        () -> {
          try {
            if (failure == null) {
              work.run();
            }
          } finally {
            finished = number;
          }
        });
    return number;
  }

  /**
   * Waits until a piece of work has run; if it has not run yet, waits for all later work too.
   * Number 0 stands for no work.
   */
  void finish(long number) {
    if (finished < number) {
      record().await();
    }
  }

  CpuEvent record() {
    CpuEvent event = new CpuEvent(this);
    queue.add(() -> event.reach(failure));
    return event;
  }

  /**
   * Makes later work wait for an event. A failure before the event becomes a failure of this
   * stream.
   */
  void waitFor(CpuEvent event) {
    queue.add(
        () -> {
          event.await();
          if (failure == null) {
            failure = event.failure();
          }
        });
  }

  /** Waits for the event and throws the failure before it, if any. */
  void synchronize(CpuEvent event) {
    event.await();
    Throwable failed = event.failure();
    if (failed == null) {
      return;
    }
    if (failure == failed) {
      failure = null;
    }
    if (failed instanceof OutOfMemoryError outOfMemory) {
      throw outOfMemory;
    }
    throw failed instanceof BackendException known
        ? known
        : new BackendException("work on the CPU failed: " + failed, failed);
  }

  /** Runs the queued work, then ends the thread. */
  void stop() {
    queue.add(() -> stopped = true);
    Uninterruptibles.joinUninterruptibly(worker);
  }

  private void work() {
    while (!stopped) {
      try {
        Uninterruptibles.takeUninterruptibly(queue).run();
      } catch (RuntimeException | Error thrown) {
        failure = thrown;
      }
    }
  }
}
