package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which process computes which unit of a result, and which one may rewrite the result file: locks
 * on byte ranges of a file. The operating system releases them when their process dies in any way,
 * so nothing has to be cleaned up and no clock is needed.
 *
 * <p>Locks belong to a process: of two stores of one process on one result, each sees the locks of
 * the other as taken.
 */
final class UnitLocks implements AutoCloseable {
  /** Room for the sources of one configuration; the last place claims the configuration itself. */
  private static final long STRIDE = 1L << 20;

  private static final long PRESENT = Long.MAX_VALUE - 8;
  private static final long MERGE = Long.MAX_VALUE - 4;

  private final Path file;
  private final FileChannel channel;
  private final Map<Long, FileLock> held = new HashMap<>();

  private UnitLocks(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Opens or creates the file, and announces this process. */
  static UnitLocks open(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(
          file + " is a link or a special file, expected a plain file for locks; remove it");
    }
    FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    UnitLocks claims = new UnitLocks(file, channel);
    try {
      if (!claims.hold(PRESENT, true)) {
        throw new IOException("another process is removing the journal: " + file);
      }
      return claims;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Claims a unit; false when another process has it. */
  boolean claim(int configuration, int source) throws IOException {
    return hold(place(configuration, source), false);
  }

  void release(int configuration, int source) throws IOException {
    drop(place(configuration, source));
  }

  /** Announces work on a configuration, so that others begin elsewhere; false when another has. */
  boolean prefer(int configuration) throws IOException {
    return hold(configuration * STRIDE + STRIDE - 1, false);
  }

  /** An action that may fail with an {@link IOException}. */
  interface Action {
    void run() throws IOException;
  }

  /**
   * Waits for the right to rewrite the result file and to create and delete journals, and makes use
   * of it.
   */
  void merging(Action action) throws IOException {
    FileLock lock = LockWait.take(channel, file, MERGE);
    LockWait.sign(channel);
    try {
      action.run();
    } finally {
      LockWait.unsign(channel);
      lock.release();
    }
  }

  /** Whether no other process has the result open. */
  boolean isAlone() throws IOException {
    drop(PRESENT);
    boolean alone = hold(PRESENT, false);
    if (alone) {
      drop(PRESENT);
    }
    hold(PRESENT, true);
    return alone;
  }

  @Override
  public void close() throws IOException {
    held.clear();
    channel.close();
  }

  private static long place(int configuration, int source) {
    if (configuration < 0 || source < 0 || source >= STRIDE - 1) {
      throw new IllegalArgumentException(
          "must be >= 0 && < " + (STRIDE - 1) + ": source=" + source + " of " + configuration);
    }
    return configuration * STRIDE + source;
  }

  private boolean hold(long position, boolean shared) throws IOException {
    if (held.containsKey(position)) {
      return true;
    }
    @Nullable FileLock lock;
    try {
      lock = channel.tryLock(position, 1, shared);
    } catch (OverlappingFileLockException e) {
      return shared;
    }
    if (lock != null) {
      held.put(position, lock);
    }
    return lock != null;
  }

  private void drop(long position) throws IOException {
    @Nullable FileLock lock = held.remove(position);
    if (lock != null) {
      lock.release();
    }
  }
}
