package org.starlingqcd.memhc.transfer;

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.common.util.concurrent.Uninterruptibles;
import java.util.Objects;
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
          new ThreadFactoryBuilder().setNameFormat("memhc-files").setDaemon(true).build());

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
    try {
      Uninterruptibles.getUninterruptibly(work);
    } catch (ExecutionException failed) {
      Throwable cause = Objects.requireNonNull(failed.getCause());
      Throwables.throwIfUnchecked(cause);
      throw new IllegalStateException("reading or writing failed", cause);
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
