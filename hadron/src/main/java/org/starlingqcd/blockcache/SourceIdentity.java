package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/**
 * Which files blocks come from: device, inode, size and time of the last change in nanoseconds of
 * each. A file that is changed, replaced or copied is another one.
 */
public final class SourceIdentity {
  /** A clock that is coarser than this makes two changes look like one. */
  private static final long CLOCK_NANOS = 50_000_000;

  /** File systems that keep whole seconds only. */
  private static final long COARSE_NANOS = 2_000_000_000;

  private final List<Path> files;
  private final List<String> known;

  private SourceIdentity(List<Path> files) {
    this.files = List.copyOf(files);
    this.known = this.files.stream().map(SourceIdentity::text).toList();
  }

  /** The files as they are now. One that is not there is known by its name. */
  public static SourceIdentity of(List<Path> files) {
    return new SourceIdentity(files);
  }

  private static String text(Path file) {
    try {
      Map<String, Object> unix =
          file.getFileSystem().supportedFileAttributeViews().contains("unix")
              ? Files.readAttributes(file, "unix:dev,ino")
              : Map.of("dev", "", "ino", file.toRealPath());
      BasicFileAttributes basic = Files.readAttributes(file, BasicFileAttributes.class);
      Instant changed = basic.lastModifiedTime().toInstant();
      return "%s:%s:%s:%s.%s"
          .formatted(
              unix.get("dev"),
              unix.get("ino"),
              basic.size(),
              changed.getEpochSecond(),
              changed.getNano());
    } catch (IOException e) {
      return "named " + file;
    }
  }

  /** The files in words, as a part of what a block's key is made of. */
  public String text() {
    return String.join(" ", known);
  }

  /**
   * Whether a block that was read just now is that of the files as they were: none has changed, and
   * none was changed so lately that another change could carry the same time.
   */
  public boolean isUnchanged() {
    long now = System.currentTimeMillis();
    for (Path file : files) {
      try {
        Instant changed = Files.getLastModifiedTime(file).toInstant();
        long clock =
            changed.truncatedTo(ChronoUnit.SECONDS).equals(changed) ? COARSE_NANOS : CLOCK_NANOS;
        long age = 1_000_000 * (now - changed.toEpochMilli());
        if (age >= 0 && age < clock) {
          return false;
        }
      } catch (IOException gone) {
        // Its text says so.
      }
    }
    return files.stream().map(SourceIdentity::text).toList().equals(known);
  }
}
