package org.starlingqcd.memhc.transfer;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The thread that reads input data and reads and writes the spill file, one piece of work after the
 * other in the order in which they were given, so that what is written is there for a later
 * reading. It never calls the device, which belongs to the thread that uses MemHC.
 */
final class FileThread implements AutoCloseable {
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread made = new Thread(work, "memhc-files");
            made.setDaemon(true);
            return made;
          });

  /** Puts work at the end; its failure is thrown by {@link #join}. */
  Future<?> submit(Runnable work) {
    return thread.submit(work);
  }

  /**
   * Waits for work. An interruption does not end the wait, because the memory in use must not be
   * given to others.
   *
   * @throws RuntimeException the failure of the work
   */
  static void join(Future<?> work) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          work.get();
          return;
        } catch (InterruptedException again) {
          interrupted = true;
        }
      }
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      if (cause instanceof Error error) {
        throw error;
      }
      throw cause instanceof RuntimeException known
          ? known
          : new IllegalStateException("reading or writing failed", cause);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for everything that was put; failures stay with whoever asks for the work. */
  void drain() {
    join(submit(() -> {}));
  }

  @Override
  public void close() {
    drain();
    thread.shutdown();
  }
}
