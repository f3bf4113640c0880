package org.starlingqcd.backend.cpu;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.DeviceEvent;

/** A mark in a stream. It carries the failure of the stream, if any, at the time it was reached. */
final class CpuEvent implements DeviceEvent {
  final CpuStream stream;
  private final CountDownLatch reached = new CountDownLatch(1);
  private volatile @Nullable Throwable failure;
  private volatile long reachedNanos;

  CpuEvent(CpuStream stream) {
    this.stream = stream;
  }

  void reach(@Nullable Throwable failureSoFar) {
    failure = failureSoFar;
    reachedNanos = System.nanoTime();
    reached.countDown();
  }

  boolean isReached() {
    return reached.getCount() == 0;
  }

  /** When it was reached, by {@link System#nanoTime}; undefined before. */
  long reachedNanos() {
    return reachedNanos;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  /** Waits even if the thread is interrupted, since memory in use must not be freed. */
  void await() {
    Uninterruptibles.awaitUninterruptibly(reached);
  }
}
