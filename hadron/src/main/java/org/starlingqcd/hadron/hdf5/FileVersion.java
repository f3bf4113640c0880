package org.starlingqcd.hadron.hdf5;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * What tells whether a file is the same as before.
 *
 * @param key the inode and its device
 * @param modified time of the last change
 * @param size bytes
 */
public record FileVersion(String key, FileTime modified, long size) {
  /** The version of a file as it is now. */
  public static FileVersion of(Path path) throws IOException {
    BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
    return new FileVersion(String.valueOf(now.fileKey()), now.lastModifiedTime(), now.size());
  }
}
