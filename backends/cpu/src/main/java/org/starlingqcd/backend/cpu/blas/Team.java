package org.starlingqcd.backend.cpu.blas;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Precision;

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
     * @param own the tools of the thread
     */
    void run(int part, Workspace own);
  }

  /** Iterations of a waiting loop before a thread goes to sleep, about ten microseconds. */
  private static final int SPINS = 400;

  private final Workspace[] workspaces;
  private final Workspace.Growing shared = new Workspace.Growing();
  private final Thread[] helpers;
  private final ReentrantLock oneAtATime = new ReentrantLock();
  private volatile @Nullable Job current;
  private volatile BooleanSupplier idleWork = () -> false;
  private volatile boolean closed;

  /**
   * Creates a team of {@code size} threads, including the calling one.
   *
   * @param vectorLoops whether {@link VectorLoops} are called
   * @param precision of elements
   */
  public Team(int size, boolean vectorLoops, Precision precision) {
    workspaces = new Workspace[size];
    for (int k = 0; k < size; k++) {
      workspaces[k] = new Workspace(vectorLoops, precision);
    }
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
    return workspaces.length;
  }

  /**
   * Address of at least {@code doubles} numbers off the heap that all threads use; overwritten by
   * the next call. The caller synchronizes on the team as long as it uses them.
   */
  public long shared(long doubles) {
    return shared.atLeast(doubles);
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
          work.run(part, workspaces[0]);
        }
        return;
      }
      Job job = new Job(parts, (part, worker) -> work.run(part, workspaces[worker]));
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

  /** Ends the threads and frees their tools; no work is left. */
  @Override
  public void close() {
    closed = true;
    wake();
    shared.close();
    for (Workspace workspace : workspaces) {
      workspace.close();
    }
  }
}
