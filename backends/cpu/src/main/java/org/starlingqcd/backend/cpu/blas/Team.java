package org.starlingqcd.backend.cpu.blas;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run the independent parts of a piece of work together with the calling thread. Parts
 * are handed out one by one, so a thread that other processes slow down does not hold up the
 * others. Nothing is allocated for a part.
 */
public final class Team implements AutoCloseable {
  /** A piece of work made of independent parts. */
  public interface Work {
    /**
     * Runs one part.
     *
     * @param worker number of the thread in the team, from 0, for its workspace
     */
    void run(int part, int worker);
  }

  /** Iterations of a waiting loop before a thread goes to sleep, about ten microseconds. */
  private static final int SPINS = 400;

  private final Thread[] helpers;
  private final ReentrantLock oneAtATime = new ReentrantLock();
  private volatile @Nullable Job current;
  private volatile BooleanSupplier idleWork = () -> false;
  private volatile boolean closed;

  /** Creates a team of {@code size} threads, including the calling one. */
  public Team(int size) {
    helpers = new Thread[size - 1];
    for (int k = 0; k < helpers.length; k++) {
      int worker = k + 1;
      helpers[k] = new Thread(() -> help(worker), "starling-cpu-" + worker);
      helpers[k].setDaemon(true);
      helpers[k].start();
    }
  }

  /** Threads in the team. */
  public int size() {
    return helpers.length + 1;
  }

  /**
   * Gives threads without a part something else to do.
   *
   * @param work does a small piece of work, if there is any, and returns whether there was
   */
  public void whenIdle(BooleanSupplier work) {
    idleWork = work;
  }

  /** Lets threads that sleep look for work. */
  public void wake() {
    for (Thread helper : helpers) {
      LockSupport.unpark(helper);
    }
  }

  /** Runs all parts and returns when they are done. Throws the first failure of a part. */
  public void run(int parts, Work work) {
    oneAtATime.lock();
    try {
      if (helpers.length == 0 || parts < 2) {
        for (int part = 0; part < parts; part++) {
          work.run(part, 0);
        }
        return;
      }
      Job job = new Job(parts, work);
      current = job;
      for (int k = 0; k < Math.min(helpers.length, parts - 1); k++) {
        LockSupport.unpark(helpers[k]);
      }
      job.takeAll(0);
      job.await(SPINS);
      current = null;
      job.throwFailure();
    } finally {
      oneAtATime.unlock();
    }
  }

  private void help(int worker) {
    int spin = 0;
    while (!closed) {
      Job job = current;
      if ((job != null && job.takeAll(worker)) || idleWork.getAsBoolean()) {
        spin = 0;
      } else if (++spin < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.park(this);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    wake();
  }
}
