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
 * What lets one process at a time open or close a result in a folder: a lock on a file there. The
 * file stays, unless whoever made it has no use for it.
 */
final class Gate {
  private final Path file;
  private final FileChannel channel;
  private boolean removed;

  private Gate(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** What may fail with an {@link IOException}. */
  interface Action {
    void run(Gate gate) throws IOException;
  }

  /** Runs something alone, as soon as no other process does so; makes the file and its folder. */
  static void pass(Path file, Action action) throws IOException {
    boolean passed = false;
    while (!passed) {
      passed = tryToPass(file, action);
    }
  }

  /** Locks what lies there; false when that has been removed meanwhile or was not there. */
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

  /** Waits for the lock, which ends with the channel; false when the file is not the gate now. */
  private static boolean lock(FileChannel channel, Path file, Object seen) throws IOException {
    try {
      return LockWait.take(channel, file, 0).isValid()
          && seen.equals(identity(file))
          && channel.size() == Files.size(file);
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      // What another machine has removed cannot be locked any more.
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
      // Another process was faster, or has removed the folder.
    }
  }

  /** What tells a file from another one of the same path; null when there is none. */
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
   * Removes the file; the last thing to do alone, since whoever comes makes another one. Whoever
   * waits for its lock finds another file in its place, or one of another length when the system
   * gives both the same number and date, and does so too.
   */
  void remove() throws IOException {
    removed = true;
    Files.delete(file);
    channel.truncate(0);
    channel.write(ByteBuffer.allocate(1), 0);
  }
}
