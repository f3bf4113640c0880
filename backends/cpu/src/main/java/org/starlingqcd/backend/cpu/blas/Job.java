package org.starlingqcd.backend.cpu.blas;

import com.google.common.base.Throwables;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A piece of work in progress, whose parts threads take one by one. */
final class Job {
  /** What is done in parts, by a thread of a number. */
  interface Work {
    void run(int part, int worker);
  }

  private final int parts;
  private final Work work;
  private final Thread asking = Thread.currentThread();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger open;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Work that the calling thread asks for. */
  Job(int parts, Work work) {
    this.parts = parts;
    this.work = work;
    this.open = new AtomicInteger(parts);
  }

  /** Runs the next part, unless one has failed; false if all are taken. */
  boolean takeOne(int worker) {
    // Looks first, so that polling does not make the counter overflow.
    int part = next.get() < parts ? next.getAndIncrement() : parts;
    if (part >= parts) {
      return false;
    }
    try {
      if (failure.get() == null) {
        work.run(part, worker);
      }
    } catch (RuntimeException | Error thrown) {
      failure.compareAndSet(null, thrown);
    }
    if (open.decrementAndGet() == 0) {
      LockSupport.unpark(asking);
    }
    return true;
  }

  /** Runs parts as long as there are any, and returns whether there was one. */
  boolean takeAll(int worker) {
    boolean any = false;
    while (takeOne(worker)) {
      any = true;
    }
    return any;
  }

  /** Waits for all parts: in a loop of some turns, then asleep. */
  void await(int spins) {
    for (int spin = 0; open.get() > 0; spin++) {
      if (spin < spins) {
        Thread.onSpinWait();
      } else {
        LockSupport.park(this);
      }
    }
  }

  /** Throws the first failure of a part. */
  void throwFailure() {
    Throwable thrown = failure.get();
    if (thrown != null) {
      Throwables.throwIfUnchecked(thrown);
    }
  }
}
