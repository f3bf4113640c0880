package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What lets one process at a time open or close a result in a folder: a lock on an empty file
 * there. The file stays, but for whoever made it and has no use for it.
 */
final class Gate {
  private final Path file;
  private final FileChannel channel;

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
      action.run(new Gate(file, channel));
      return true;
    }
  }

  private static @Nullable FileChannel open(Path file) throws IOException {
    try {
      return FileChannel.open(file, StandardOpenOption.WRITE);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Waits for the lock, which ends with the channel; false when the file is not the gate now. */
  private static boolean lock(FileChannel channel, Path file, Object seen) throws IOException {
    try {
      return Claims.blocking(channel, 0).isValid() && channel.size() == 0;
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
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return List.of(String.valueOf(attributes.fileKey()), attributes.creationTime());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /**
   * Removes the file; the last thing to do alone, since whoever comes makes another one. Whoever
   * waits for its lock finds it not empty, and does so too.
   */
  void remove() throws IOException {
    Files.delete(file);
    channel.write(ByteBuffer.allocate(1), 0);
  }
}
