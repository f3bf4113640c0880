package org.starlingqcd.hadron.hdf5;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/**
 * What tells whether a file is the same as before.
 *
 * @param key the inode and its device
 * @param modified time of the last change
 * @param size bytes
 */
public record FileVersion(String key, FileTime modified, long size) {
  /** More than the resolution of times of any file system, and than clocks of servers differ. */
  private static final Duration SETTLED = Duration.ofSeconds(10);

  /** The version of a file as it is now. */
  public static FileVersion of(Path path) throws IOException {
    return of(Files.readAttributes(path, BasicFileAttributes.class));
  }

  /** The version of a file of which this was found. */
  public static FileVersion of(BasicFileAttributes now) {
    return new FileVersion(String.valueOf(now.fileKey()), now.lastModifiedTime(), now.size());
  }

  /** Whether it changed so long ago that another change could not have the same time. */
  public boolean isSettled() {
    return modified.toInstant().isBefore(Instant.now().minus(SETTLED));
  }
}
