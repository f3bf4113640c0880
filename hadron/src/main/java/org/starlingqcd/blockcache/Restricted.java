package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/** Files and folders that only their user may read. */
final class Restricted {
  private static final FileAttribute<?> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final String OWNER = "unix:uid";
  private static final Integer ROOT = 0;

  private Restricted() {}

  /** Opens a file; one that is made now is the user's alone where the file system knows users. */
  static FileChannel open(Path file, OpenOption... options) throws IOException {
    return knowsUsers(file)
        ? FileChannel.open(file, Set.of(options), FILE)
        : FileChannel.open(file, options);
  }

  /** Makes a folder and those above it, if they are not there. */
  static void createFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder.toAbsolutePath().getParent());
      Files.createDirectories(
          folder, knowsUsers(folder) ? new FileAttribute<?>[] {FOLDER} : new FileAttribute<?>[0]);
    }
  }

  /**
   * Refuses a folder in which another user could have put files: the default one lies in a folder
   * that everybody may write to.
   *
   * @throws UnusableCacheException when it, or a link in its place, belongs to another user than
   *     this one and root, or a group or everybody may write to it
   */
  static void checkFolder(Path folder) throws IOException {
    if (isOfAnotherUser(folder)) {
      throw unusable(folder, "belongs to another user");
    }
    if (!knowsUsers(folder)) {
      return;
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
    if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw unusable(folder, "is a folder to which everybody may write");
    }
    if (permissions.contains(PosixFilePermission.GROUP_WRITE)) {
      throw unusable(folder, "is a folder to which a group may write");
    }
  }

  /** Whether a file, or a link in its place, belongs to another user than this one and root. */
  static boolean isOfAnotherUser(Path file) throws IOException {
    Path self = Path.of("/proc/self");
    if (!knowsUsers(file) || !Files.exists(self)) {
      return false;
    }
    Object me = Files.getAttribute(self, OWNER);
    Object link = Files.getAttribute(file, OWNER, LinkOption.NOFOLLOW_LINKS);
    Object owner = Files.getAttribute(file, OWNER);
    return !List.of(me, ROOT).containsAll(List.of(link, owner));
  }

  private static UnusableCacheException unusable(Path folder, String why) {
    return new UnusableCacheException(
        "%s %s, so that its blocks cannot be trusted; name a folder of your own"
                .formatted(folder, why)
            + " (--block-cache-directory)");
  }

  private static boolean knowsUsers(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
