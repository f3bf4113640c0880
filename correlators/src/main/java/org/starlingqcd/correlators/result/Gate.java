package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lock on a file in the output folder: one process at a time opens or closes a result there. The
 * file stays unless the process that created it leaves no result.
 */
final class Gate {
  private final Path file;
  private final FileChannel channel;
  private boolean removed;

  private Gate(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** An action that may fail with an {@link IOException}. */
  interface Action {
    void run(Gate gate) throws IOException;
  }

  /** Waits for the lock and runs an action under it; creates the file and its folder if needed. */
  static void pass(Path file, Action action) throws IOException {
    boolean passed = false;
    while (!passed) {
      passed = tryToPass(file, action);
    }
  }

  /** Tries to lock the file; false if it did not exist or was removed meanwhile. */
  private static boolean tryToPass(Path file, Action action) throws IOException {
    @Nullable Object seen = identity(file);
    if (seen == null) {
      create(file);
      return false;
    }
    try (FileChannel channel = open(file)) {
      if (channel == null || !lock(channel, file, seen)) {
        return false;
      }
      Gate gate = new Gate(file, channel);
      LockWait.sign(channel);
      try {
        action.run(gate);
      } finally {
        if (!gate.removed) {
          LockWait.unsign(channel);
        }
      }
      return true;
    }
  }

  private static @Nullable FileChannel open(Path file) throws IOException {
    try {
      return FileChannel.open(
          file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Waits for the lock, which ends with the channel; false if the file is no longer the gate. */
  private static boolean lock(FileChannel channel, Path file, Object seen) throws IOException {
    try {
      return LockWait.take(channel, file, 0).isValid()
          && seen.equals(identity(file))
          && channel.size() == Files.size(file);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      // A file that another machine has removed cannot be locked.
      if (seen.equals(identity(file))) {
        throw e;
      }
      return false;
    }
  }

  private static void create(Path file) throws IOException {
    @Nullable Path folder = file.getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      // Another process has created the file, or removed the folder.
    }
  }

  /** Distinguishes a file from a later one at the same path; null if there is none. */
  private static @Nullable Object identity(Path file) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!attributes.isRegularFile()) {
        throw new IOException(
            file + " is a link or a special file, expected a plain file for locks; remove it");
      }
      return List.of(String.valueOf(attributes.fileKey()), attributes.creationTime());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /**
   * Removes the file. This must be the last action under the lock, since the next process creates
   * another file. A process that waits for the lock then finds another file at the path, or one of
   * another length if the system gives both the same number and date, and tries again.
   */
  void remove() throws IOException {
    removed = true;
    Files.delete(file);
    channel.truncate(0);
    channel.write(ByteBuffer.allocate(1), 0);
  }
}
