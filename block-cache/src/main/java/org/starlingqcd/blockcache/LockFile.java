package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Byte-range locks on one file of a cache. The operating system drops them when a process ends, in
 * whatever way.
 *
 * <p>It also drops them when the process closes <em>any</em> channel of that file, so a JVM opens
 * the file of a directory once, whatever number of caches it opens there.
 */
final class LockFile implements AutoCloseable {
  /** Held while files of the directory are made or removed. */
  static final long SETUP = 0;

  /** Held by the one process that moves or drops blocks. */
  static final long MAINTENANCE = 1;

  /** Held by the process of slot k at {@code FIRST_SLOT + k}. */
  static final long FIRST_SLOT = 16;

  /** Held by every process that uses blocks of segment k in place, at {@code SEGMENTS + k}. */
  private static final long SEGMENTS = 1L << 20;

  private static final Map<Path, LockFile> OPENED = new HashMap<>();

  private final Path file;
  private final FileChannel channel;
  private final ReentrantLock setup = new ReentrantLock();
  private final ReentrantLock maintenance = new ReentrantLock();
  private int users;

  /** The lock of each segment that this process uses in place, and how often it does. */
  private final Map<Long, Shared> sharedSegments = new HashMap<>();

  private static final class Shared {
    final FileLock lock;
    int users;

    Shared(FileLock lock) {
      this.lock = lock;
    }
  }

  private LockFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Opens the lock file; the caller closes it once. */
  static LockFile open(Path file) throws IOException {
    synchronized (OPENED) {
      LockFile known = OPENED.get(file);
      if (known == null) {
        Restricted.checkFolder(file.toAbsolutePath().resolveSibling(""));
        known =
            new LockFile(
                file,
                Restricted.open(
                    file,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE));
        OPENED.put(file, known);
      }
      known.users++;
      return known;
    }
  }

  /** Tries to lock a byte; null when another process, or this one, has it. */
  @Nullable FileLock tryLock(long place) throws IOException {
    try {
      return channel.tryLock(place, 1, false);
    } catch (OverlappingFileLockException heldHere) {
      return null;
    }
  }

  /** Keeps a segment as long as it is from being cut; false when somebody is about to do that. */
  boolean share(long segment) throws IOException {
    synchronized (sharedSegments) {
      Shared known = sharedSegments.get(segment);
      if (known == null) {
        FileLock lock = trySegment(segment, true);
        if (lock == null) {
          return false;
        }
        known = new Shared(lock);
        sharedSegments.put(segment, known);
      }
      known.users++;
      return true;
    }
  }

  /** Ends one {@link #share}. */
  void unshare(long segment) {
    synchronized (sharedSegments) {
      Shared known = sharedSegments.get(segment);
      if (known != null && --known.users == 0) {
        sharedSegments.remove(segment);
        try {
          known.lock.release();
        } catch (IOException closed) {
          // The channel is closed, and its locks are gone.
        }
      }
    }
  }

  /** Locks a segment that nobody uses in place; null when somebody does. */
  @Nullable FileLock trySegment(long segment) throws IOException {
    return trySegment(segment, false);
  }

  private @Nullable FileLock trySegment(long segment, boolean shared) throws IOException {
    try {
      return channel.tryLock(SEGMENTS + segment, 1, shared);
    } catch (OverlappingFileLockException heldHere) {
      return null;
    }
  }

  /** A lock of this process that excludes its other threads too. */
  interface Held extends AutoCloseable {
    @Override
    void close() throws IOException;
  }

  /** Waits for the lock under which the files of the directory are made. */
  Held lockSetup() throws IOException {
    return lock(setup, SETUP);
  }

  /** Waits for the lock under which blocks are moved and dropped. */
  Held lockMaintenance() throws IOException {
    return lock(maintenance, MAINTENANCE);
  }

  private Held lock(ReentrantLock here, long place) throws IOException {
    here.lock();
    try {
      FileLock lock = channel.lock(place, 1, false);
      return () -> {
        try {
          lock.release();
        } finally {
          here.unlock();
        }
      };
    } catch (IOException | RuntimeException e) {
      here.unlock();
      throw e;
    }
  }

  /** The lock under which blocks are moved and dropped, if nobody has it. */
  @Nullable Held tryLockMaintenance() throws IOException {
    if (maintenance.isHeldByCurrentThread() || !maintenance.tryLock()) {
      return null;
    }
    FileLock lock = null;
    try {
      lock = tryLock(MAINTENANCE);
    } finally {
      if (lock == null) {
        maintenance.unlock();
      }
    }
    if (lock == null) {
      return null;
    }
    FileLock taken = lock;
    return () -> {
      try {
        taken.release();
      } finally {
        maintenance.unlock();
      }
    };
  }

  @Override
  public void close() throws IOException {
    synchronized (OPENED) {
      if (--users == 0) {
        OPENED.remove(file);
        channel.close();
      }
    }
  }
}
