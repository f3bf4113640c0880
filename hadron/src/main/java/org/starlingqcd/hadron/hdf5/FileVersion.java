package org.starlingqcd.hadron.hdf5;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What tells whether a file is the same as before.
 *
 * @param key the inode and its device; the path where a file system has none
 * @param modified time of the last change
 * @param size bytes
 */
public record FileVersion(String key, FileTime modified, long size) {
  /** More than the resolution of times of any file system, and than clocks of servers differ. */
  private static final Duration SETTLED = Duration.ofSeconds(10);

  /** A clock that is coarser than this makes two changes look like one. */
  private static final Duration CLOCK = Duration.ofMillis(50);

  /** File systems that keep whole seconds only. */
  private static final Duration COARSE_CLOCK = Duration.ofSeconds(2);

  /** The version of a file as it is now. */
  public static FileVersion of(Path path) throws IOException {
    FileVersion found = of(Files.readAttributes(path, BasicFileAttributes.class));
    return found.key.equals("null")
        ? new FileVersion(path.toRealPath().toString(), found.modified, found.size)
        : found;
  }

  /** The version of a file of which this was found. */
  public static FileVersion of(BasicFileAttributes now) {
    return new FileVersion(String.valueOf(now.fileKey()), now.lastModifiedTime(), now.size());
  }

  /** Whether it changed so long ago that another change could not have the same time. */
  public boolean isSettled() {
    return modified.toInstant().isBefore(Instant.now().minus(SETTLED));
  }

  /** The same for changes that this machine makes, by the resolution of its clock. */
  public boolean isSettledHere() {
    Instant changed = modified.toInstant();
    boolean coarse = changed.truncatedTo(ChronoUnit.SECONDS).equals(changed);
    Duration age = Duration.between(changed, Instant.now());
    return age.isNegative() || age.compareTo(coarse ? COARSE_CLOCK : CLOCK) >= 0;
  }
}
