package org.starlingqcd.hadron.hdf5;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Tells files from pipes, sockets and devices. A pipe lets its reader wait for ever, and a device
 * may never end, so files are looked at before they are opened.
 */
public final class PlainFile {
  private static final int TYPE = 0170000;
  private static final int PIPE = 0010000;
  private static final int CHARACTER_DEVICE = 0020000;
  private static final int BLOCK_DEVICE = 0060000;
  private static final int SOCKET = 0140000;

  private PlainFile() {}

  /**
   * What a pipe, socket or device at a path is; null for anything else, and where nothing is.
   *
   * @param options {@link LinkOption#NOFOLLOW_LINKS} to look at a link itself
   */
  public static @Nullable String special(Path path, LinkOption... options) {
    try {
      Object mode = Files.getAttribute(path, "unix:mode", options);
      return switch ((Integer) mode & TYPE) {
        case PIPE -> "a named pipe";
        case SOCKET -> "a socket";
        case CHARACTER_DEVICE, BLOCK_DEVICE -> "a device";
        default -> null;
      };
    } catch (IOException e) {
      return null;
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      // No POSIX file system, so none of these.
      return null;
    }
  }

  /** The operating system's reason, for a message that names the file. */
  public static String reason(Exception e) {
    if (e instanceof FileSystemException file) {
      String found = e instanceof NoSuchFileException ? "no such file or folder: " : "";
      found = e instanceof FileAlreadyExistsException ? "there is a file: " : found;
      found = e instanceof NotDirectoryException ? "is not a folder: " : found;
      return e instanceof AccessDeniedException
          ? "no permission"
          : file.getReason() != null ? file.getReason() : found + file.getFile();
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  /**
   * Creates a file for writing in the place of what is there; a link is replaced, not followed.
   *
   * @throws IOException when it cannot be created, also because another process was faster
   */
  public static FileChannel create(Path path) throws IOException {
    Files.deleteIfExists(path);
    return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /**
   * Gives a file that is complete the name of another one, which it replaces, in one step.
   *
   * @throws IOException when that fails; the other is then as it was
   */
  public static void replace(Path complete, Path file) throws IOException {
    Files.move(complete, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * The bytes of a file that a user names.
   *
   * @param most how many it may have
   * @throws FileSystemException when it is a pipe, socket or device, or larger; its reason follows
   *     "FILE: "
   * @throws IOException when it cannot be read
   */
  public static byte[] read(Path path, int most) throws IOException {
    check(path);
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        String limit = most < 1 << 20 ? most + " bytes" : (most >> 20) + " MiB";
        throw new FileSystemException(path.toString(), null, "is larger than " + limit);
      }
      return bytes;
    }
  }

  /**
   * Refuses a pipe, a socket or a device.
   *
   * @throws FileSystemException when there is one at the path
   */
  public static void check(Path path, LinkOption... options) throws FileSystemException {
    @Nullable String kind = special(path, options);
    if (kind != null) {
      throw new FileSystemException(path.toString(), null, "is " + kind + ", expected a file");
    }
  }
}
