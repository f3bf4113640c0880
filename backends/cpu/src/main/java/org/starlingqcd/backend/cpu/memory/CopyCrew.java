package org.starlingqcd.backend.cpu.memory;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies in chunks that several threads take from one list: the thread that needs a copy, threads
 * that do nothing else, and idle threads of a team ({@link #helpOnce}). This is the global copy
 * list of Alvarez et al. (ICS 2018, doi:10.1145/3205289.3205312).
 */
public final class CopyCrew implements AutoCloseable {
  /** A copy on its way: chunks are handed out one by one. */
  private static final class CopyDescriptor {
    final int chunks;
    final IntConsumer work;
    final Thread asking;
    final AtomicInteger next = new AtomicInteger();
    final AtomicInteger open;
    final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    CopyDescriptor(int chunks, IntConsumer work, Thread asking) {
      this.chunks = chunks;
      this.work = work;
      this.asking = asking;
      this.open = new AtomicInteger(chunks);
    }

    /** Copies the next chunk; false if all are taken. */
    boolean copyOne() {
      // Looks first, so that polling does not make the counter overflow.
      int chunk = next.get() < chunks ? next.getAndIncrement() : chunks;
      if (chunk >= chunks) {
        return false;
      }
      try {
        work.accept(chunk);
      } catch (RuntimeException | Error thrown) {
        failure.compareAndSet(null, thrown);
      }
      if (open.decrementAndGet() == 0) {
        LockSupport.unpark(asking);
      }
      return true;
    }
  }

  private final ConcurrentLinkedQueue<CopyDescriptor> list = new ConcurrentLinkedQueue<>();
  private final Thread[] helpers;
  private final Runnable wakeIdle;
  private final AtomicLong helped = new AtomicLong();
  private final AtomicLong own = new AtomicLong();
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
    CopyDescriptor copy = new CopyDescriptor(chunks, work, Thread.currentThread());
    if (chunks > 1) {
      list.add(copy);
      for (Thread helper : helpers) {
        LockSupport.unpark(helper);
      }
      wakeIdle.run();
    }
    while (copy.copyOne()) {
      own.incrementAndGet();
    }
    while (copy.open.get() > 0) {
      LockSupport.park(copy);
    }
    list.remove(copy);
    Throwable failed = copy.failure.get();
    if (failed instanceof RuntimeException exception) {
      throw exception;
    }
    if (failed instanceof Error error) {
      throw error;
    }
  }

  /** Copies one chunk of a copy that another thread asked for; false if there is none. */
  public boolean helpOnce() {
    for (CopyDescriptor copy : list) {
      if (copy.copyOne()) {
        helped.incrementAndGet();
        return true;
      }
    }
    return false;
  }

  /** Chunks copied by threads that did not ask for them. */
  public long helpedChunks() {
    return helped.get();
  }

  /** Chunks copied by the threads that asked for them. */
  public long ownChunks() {
    return own.get();
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
