package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
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
final class FolderLock {
  private final Path file;
  private final FileChannel channel;
  private boolean removed;

  private FolderLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** An action that may fail with an {@link IOException}. */
  interface Action {
    void run(FolderLock gate) throws IOException;
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
      FolderLock gate = new FolderLock(file, channel);
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

  /**
   * The output folder with its parent folders and its gate, as far as opening a result created
   * them. They are removed again if the result gets no unit.
   *
   * @param first the uppermost folder that did not exist before; null when all did
   */
  record OutputFolder(Path folder, @Nullable Path first, boolean gateIsNew) {
    /** Notes which folders exist, before any is created. */
    static OutputFolder before(ResultLocation location) {
      @Nullable Path first = null;
      Path folder = location.folder();
      for (Path path = folder; path != null && !Files.exists(path); path = path.getParent()) {
        first = path;
      }
      return new OutputFolder(folder, first, !Files.exists(location.gate()));
    }

    /** Removes what was created, unless another result needs it. */
    void remove(FolderLock passed) throws IOException {
      if (!gateIsNew || isInUse()) {
        return;
      }
      passed.remove();
      Path last = first;
      if (last == null) {
        return;
      }
      try {
        for (Path path = folder; path != null && path.startsWith(last); path = path.getParent()) {
          Files.deleteIfExists(path);
        }
      } catch (DirectoryNotEmptyException e) {
        // Another file was written there meanwhile.
      }
    }

    /** Whether another result of the folder is being computed. */
    private boolean isInUse() throws IOException {
      try (DirectoryStream<Path> journals = Files.newDirectoryStream(folder, "*.journal")) {
        return journals.iterator().hasNext();
      }
    }
  }
}
