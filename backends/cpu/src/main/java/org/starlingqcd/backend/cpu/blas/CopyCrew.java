package org.starlingqcd.backend.cpu.blas;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Copies in chunks that several threads take from one list: the thread that needs a copy, threads
 * that do nothing else, and idle threads of a team ({@link #helpOnce}). This is the global copy
 * list of Alvarez et al. (ICS 2018, doi:10.1145/3205289.3205312).
 */
public final class CopyCrew implements AutoCloseable {
  private final ConcurrentLinkedQueue<Job> list = new ConcurrentLinkedQueue<>();
  private final Thread[] helpers;
  private final Runnable wakeIdle;
  private volatile boolean closed;

  /**
   * A crew.
   *
   * @param helpers threads that only copy
   * @param wakeIdle lets idle threads look for work
   */
  public CopyCrew(int helpers, Runnable wakeIdle) {
    this.wakeIdle = wakeIdle;
    this.helpers = new Thread[helpers];
    for (int k = 0; k < helpers; k++) {
      this.helpers[k] = new Thread(this::help, "starling-copy-" + k);
      this.helpers[k].setDaemon(true);
      this.helpers[k].start();
    }
  }

  /**
   * Makes a copy and returns when all its chunks are done. Throws the first failure of a chunk.
   *
   * @param work copies one chunk, given its number from 0
   */
  public void copy(int chunks, IntConsumer work) {
    Job copy = new Job(chunks, (chunk, worker) -> work.accept(chunk));
    if (chunks > 1) {
      list.add(copy);
      for (Thread helper : helpers) {
        LockSupport.unpark(helper);
      }
      wakeIdle.run();
    }
    copy.takeAll(0);
    copy.await(0);
    list.remove(copy);
    copy.throwFailure();
  }

  /** Copies one chunk of a copy that another thread asked for; false if there is none. */
  public boolean helpOnce() {
    for (Job copy : list) {
      if (copy.takeOne(0)) {
        return true;
      }
    }
    return false;
  }

  private void help() {
    while (!closed) {
      if (!helpOnce()) {
        LockSupport.park(this);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    for (Thread helper : helpers) {
      LockSupport.unpark(helper);
    }
  }
}
