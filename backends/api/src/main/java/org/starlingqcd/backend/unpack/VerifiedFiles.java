package org.starlingqcd.backend.unpack;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Remembers which files of a private folder were compared with their originals, in a file beside
 * the folder. A file counts as unchanged while its number, size, and the times of its last change
 * and of the last change of its attributes are those of then. No program can set the last of these,
 * so a file that was written, cut or replaced since is compared again.
 */
final class VerifiedFiles {
  private final Path folder;
  private final Path list;
  private final String now;

  /** Looks at the files of a folder. */
  VerifiedFiles(Path folder) throws IOException {
    this.folder = folder;
    this.list = folder.resolveSibling(folder.getFileName() + ".verified");
    this.now = describe(folder);
  }

  /** All that is no folder, in ascending order. */
  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    }
  }

  private static String describe(Path folder) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path file : files(folder)) {
      Map<String, Object> found =
          Files.readAttributes(
              file, "unix:ino,size,lastModifiedTime,ctime", LinkOption.NOFOLLOW_LINKS);
      text.append(folder.relativize(file));
      for (String name : List.of("ino", "size", "lastModifiedTime", "ctime")) {
        text.append(' ').append(found.get(name));
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** Whether the folder holds the files that were compared, and nothing else. */
  boolean areUnchanged() throws IOException {
    byte[] wanted = now.getBytes(StandardCharsets.UTF_8);
    return Files.isRegularFile(list, LinkOption.NOFOLLOW_LINKS)
        && Files.size(list) == wanted.length
        && now.equals(Files.readString(list));
  }

  /**
   * Remembers the files as they were seen at first, unless one has changed since. They are on the
   * disk then: what a machine that stops loses must not count as compared.
   */
  void remember() throws IOException {
    for (Path file : files(folder)) {
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
          channel.force(true);
        }
      }
    }
    if (!now.equals(describe(folder))) {
      return;
    }
    Path part = Files.createTempFile(folder.getParent(), "verified", ".part");
    try {
      Files.writeString(part, now);
      Files.move(part, list, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
