package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after a cache: makes room when it fills up, and gives memory back when memory is short. One
 * thread of all processes does so at a time. Thread-safe.
 */
@SuppressWarnings("try") // locks that are held are not used otherwise
final class Maintenance implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);
  private static final long WATCH_MILLIS = 1000;

  private final CacheFolder folder;
  private final SharedFile shared;
  private final UseHistory uses;
  private final Compactor compactor;
  private final CacheHealth health;
  private final MemoryPressure pressure;
  private final AtomicBoolean asked = new AtomicBoolean();

  /** What is asked of it once it is closed is discarded. */
  private final ScheduledThreadPoolExecutor watch =
      new ScheduledThreadPoolExecutor(
          1,
          work -> {
            Thread made = new Thread(work, "block-cache");
            made.setDaemon(true);
            return made;
          },
          new ThreadPoolExecutor.DiscardPolicy());

  private volatile boolean watching;

  Maintenance(
      CacheFolder folder,
      SharedFile shared,
      UseHistory uses,
      Compactor compactor,
      CacheHealth health) {
    this.folder = folder;
    this.shared = shared;
    this.uses = uses;
    this.compactor = compactor;
    this.health = health;
    watch.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    pressure = new MemoryPressure(Path.of("/"), folder.path(), folder.isInRam());
  }

  /** What is done under the lock for maintenance. */
  interface Work<T> {
    T run() throws IOException;
  }

  /** Waits until nobody else maintains the cache. */
  <T> T run(Work<T> work) {
    try (FileLock held = folder.locks().lock(FolderLock.MAINTENANCE)) {
      return work.run();
    } catch (IOException e) {
      throw new UnusableCacheException(folder.path(), e);
    }
  }

  /** Works unless somebody else maintains the cache; a failure ends the use of the cache. */
  private void tryRun(Work<Long> work) {
    try (FileLock held = folder.locks().tryLock(FolderLock.MAINTENANCE)) {
      if (held != null) {
        work.run();
      }
    } catch (IOException e) {
      health.failed(e);
    }
  }

  /** Books room for a record; false when there is none, even after something has left. */
  boolean reserve(long length) {
    long capacity = shared.get(SharedFile.CAPACITY);
    if (book(length, capacity)) {
      if (isNearlyFull()) {
        ask();
      }
      return true;
    }
    if (length > Compactor.FULL_SHARE * capacity) {
      return false;
    }
    tryRun(() -> compactor.makeRoom(length));
    return book(length, capacity);
  }

  private boolean book(long length, long capacity) {
    boolean fits = shared.getAndAdd(SharedFile.USED, length) + length <= capacity;
    if (!fits) {
      release(length);
    }
    return fits;
  }

  /** Ends a booking of a record that was not written. */
  void release(long length) {
    shared.getAndAdd(SharedFile.USED, -length);
  }

  private boolean isNearlyFull() {
    return shared.get(SharedFile.USED) > Compactor.FULL_SHARE * shared.get(SharedFile.CAPACITY);
  }

  /** Lets a thread look after the cache until it is closed. */
  void start() {
    watching = true;
    Future<?> unused =
        watch.scheduleWithFixedDelay(
            () -> lookAfter(this::relieve), WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Asks the thread to merge uses, and to compact a full cache, soon. */
  void ask() {
    if (watching && !asked.getAndSet(true)) {
      watch.execute(
          () -> {
            asked.set(false);
            lookAfter(() -> tryRun(this::maintain));
          });
    }
  }

  private void lookAfter(Runnable work) {
    if (!health.isUsable() || !health.isStillThere()) {
      watch.shutdown();
      return;
    }
    try {
      work.run();
    } catch (RuntimeException e) {
      LOG.debug("{}: while looking after the block cache", folder.path(), e);
    }
  }

  private long maintain() throws IOException {
    if (isNearlyFull()) {
      return compactor.makeRoom(0);
    }
    uses.drain();
    return 0;
  }

  private void relieve() {
    MemoryPressure.Reading reading = pressure.read(shared.get(SharedFile.USED));
    if (reading.missing() > 0) {
      tryRun(
          () -> {
            long freed = compactor.evacuate(reading.missing());
            health.say(
                CacheHealth.Trouble.SHORT_OF_MEMORY,
                reading.reason()
                    + "; the block cache gives back "
                    + freed
                    + " bytes, and goes on to do so");
            return freed;
          });
    }
  }

  /** Ends the thread. */
  @Override
  public void close() throws InterruptedException {
    watch.shutdown();
    watch.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
  }
}
