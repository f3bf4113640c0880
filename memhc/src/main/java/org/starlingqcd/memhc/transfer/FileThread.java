package org.starlingqcd.memhc.transfer;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The thread that reads inputs and reads and writes the spill file. It does its work in the order
 * given, so later readings find what was written. It never calls the device, which belongs to the
 * thread that uses MemHC.
 */
final class FileThread implements AutoCloseable {
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread made = new Thread(work, "memhc-files");
            made.setDaemon(true);
            return made;
          });

  /** Appends work; {@link #join} throws its failure. */
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

  /** Waits for all work; does not throw its failures. */
  void drain() {
    join(submit(() -> {}));
  }

  @Override
  public void close() {
    drain();
    thread.shutdown();
  }
}
