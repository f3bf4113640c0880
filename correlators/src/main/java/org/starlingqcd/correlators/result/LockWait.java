package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.hadron.text.Printable;

/**
 * Waits for a lock, reports which process has it, and gives up when the program ends.
 *
 * <p>A process that holds a lock for long writes its number and machine into the file for the
 * processes that wait. A file with other contents is not changed.
 */
final class LockWait {
  private static final Logger LOG = LoggerFactory.getLogger(LockWait.class);
  private static final String SIGNATURE = "starling: ";
  private static final int LONGEST = 200;
  private static final long LONGEST_PAUSE_MILLIS = 50;
  private static final long SILENT_NANOS = 1_000_000_000L;
  private static final long GRACE_NANOS = 300_000_000L;

  private LockWait() {}

  /**
   * Locks a byte of a file for this process alone.
   *
   * @throws CancellationException when the program is ending and another process has the lock
   */
  static FileLock take(FileChannel channel, Path file, long position) throws IOException {
    long start = System.nanoTime();
    long stopping = 0;
    String told = "";
    for (long pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
      @Nullable FileLock lock = tryLock(channel, position);
      if (lock != null) {
        return lock;
      }
      long now = System.nanoTime();
      if (isProgramEnding()) {
        stopping = stopping == 0 ? now : stopping;
        if (now - stopping > GRACE_NANOS) {
          throw new CancellationException(
              file + ": stopped while it was locked by " + holder(channel));
        }
      } else if (now - start > SILENT_NANOS) {
        String holder = holder(channel);
        if (!holder.equals(told)) {
          LOG.warn("{}: is locked by {}; waiting for it (Ctrl-C gives up)", file, holder);
          told = holder;
        }
      }
      pause(pause);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel, long position) throws IOException {
    try {
      return channel.tryLock(position, 1, false);
    } catch (OverlappingFileLockException e) {
      // Another thread of this process has it.
      return null;
    }
  }

  private static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for a lock", interrupted);
    }
  }

  /** Whether the JVM is shutting down. */
  private static boolean isProgramEnding() {
    Thread hook = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Writes which process has the lock, for those that wait. Failures do not matter. */
  static void sign(FileChannel channel) {
    try {
      if (channel.size() == 0 || isSigned(channel)) {
        String text = SIGNATURE + "process " + ProcessHandle.current().pid() + host() + "\n";
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
      }
    } catch (IOException e) {
      LOG.debug("a lock is not signed", e);
    }
  }

  /** Removes the text of {@link #sign}. */
  static void unsign(FileChannel channel) {
    try {
      if (isSigned(channel)) {
        channel.truncate(0);
      }
    } catch (IOException e) {
      LOG.debug("a lock stays signed", e);
    }
  }

  private static boolean isSigned(FileChannel channel) throws IOException {
    return text(channel).startsWith(SIGNATURE);
  }

  private static String holder(FileChannel channel) throws IOException {
    String text = text(channel);
    return text.startsWith(SIGNATURE)
        ? Printable.of(text.substring(SIGNATURE.length()).strip())
        : "another process";
  }

  private static String text(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LONGEST);
    channel.read(bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  /** The machine's name, without asking the network. */
  private static String host() {
    try {
      return " on " + Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      String name = System.getenv("HOSTNAME");
      return name == null ? "" : " on " + name;
    }
  }
}
