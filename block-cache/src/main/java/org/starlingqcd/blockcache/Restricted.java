package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that only their user may read. */
final class Restricted {
  private static final FileAttribute<?> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private Restricted() {}

  /** Opens a file; one that is made now is the user's alone where the file system knows users. */
  static FileChannel open(Path file, OpenOption... options) throws IOException {
    return knowsUsers(file)
        ? FileChannel.open(file, Set.of(options), FILE)
        : FileChannel.open(file, options);
  }

  /** Makes a folder and those above it, if they are not there. */
  static void createFolder(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    if (knowsUsers(folder)) {
      Files.createDirectories(folder, FOLDER);
    } else {
      Files.createDirectories(folder);
    }
  }

  private static boolean knowsUsers(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
