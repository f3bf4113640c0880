package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Byte-range locks on one file of a cache. A lock excludes the other processes and the other
 * threads of this one. The operating system drops the locks of a process when it ends, in whatever
 * way.
 *
 * <p>It also drops them when the process closes <em>any</em> channel of that file, so a JVM opens
 * the file of a directory once, whatever number of caches it opens there.
 */
final class FolderLock implements AutoCloseable {
  /** Held while files of the directory are made or removed. */
  static final long SETUP = 0;

  /** Held by the one thread that moves or drops blocks. */
  static final long MAINTENANCE = 1;

  /** Held by the process of slot k at {@code FIRST_SLOT + k}. */
  static final long FIRST_SLOT = 16;

  /** Shared by the processes that use blocks of segment k in place, at {@code SEGMENTS + k}. */
  private static final long SEGMENTS = 1L << 20;

  private static final long PAUSE_NANOS = 1_000_000;
  private static final Map<Path, FolderLock> OPENED = new HashMap<>();

  private final Path file;
  private final FileChannel channel;
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

  private FolderLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Opens the lock file; the caller closes it once. */
  static FolderLock open(Path file) throws IOException {
    synchronized (OPENED) {
      FolderLock known = OPENED.get(file);
      if (known == null) {
        Restricted.checkFolder(file.toAbsolutePath().resolveSibling(""));
        known =
            new FolderLock(
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

  /** Locks a byte until the lock is closed; null when another process or thread has it. */
  @Nullable FileLock tryLock(long at) throws IOException {
    return tryLock(at, false);
  }

  private @Nullable FileLock tryLock(long at, boolean shared) throws IOException {
    try {
      return channel.tryLock(at, 1, shared);
    } catch (OverlappingFileLockException heldHere) {
      return null;
    }
  }

  /** Whether another process or thread has the lock of a byte. */
  boolean isTaken(long at) throws IOException {
    try (FileLock free = tryLock(at)) {
      return free == null;
    }
  }

  /** Waits for the lock of a byte. */
  FileLock lock(long at) throws IOException {
    FileLock lock = tryLock(at);
    while (lock == null) {
      LockSupport.parkNanos(PAUSE_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        throw new FileLockInterruptionException();
      }
      lock = tryLock(at);
    }
    return lock;
  }

  /** Whether somebody uses blocks of a segment in place. */
  boolean isInUse(long segment) throws IOException {
    return isTaken(SEGMENTS + segment);
  }

  /** Locks a segment that nobody uses in place; null when somebody does. */
  @Nullable FileLock tryLockSegment(long segment) throws IOException {
    return tryLock(SEGMENTS + segment);
  }

  /** Keeps a segment as long as it is from being cut; false when somebody is about to do that. */
  boolean share(long segment) throws IOException {
    synchronized (sharedSegments) {
      Shared known = sharedSegments.get(segment);
      if (known == null) {
        FileLock lock = tryLock(SEGMENTS + segment, true);
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
