package org.starlingqcd.hadron.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.starlingqcd.hadron.hdf5.FileVersion;

/**
 * Which files blocks come from. A file that is changed, replaced or copied is another one.
 *
 * @param versions of each; one that is not there is known by its name
 */
public record SourceIdentity(List<Path> files, List<Object> versions) {
  /** The files as they are now. */
  public static SourceIdentity of(List<Path> files) {
    return new SourceIdentity(files, files.stream().map(SourceIdentity::version).toList());
  }

  private static Object version(Path file) {
    try {
      return FileVersion.of(file);
    } catch (IOException e) {
      return "named " + file;
    }
  }

  /** The files in words, as a part of what a block's key is made of. */
  public String text() {
    return versions.toString();
  }

  /**
   * Whether a block that was read just now is that of the files as they were: none has changed, and
   * none was changed so lately that another change could carry the same time.
   */
  public boolean isUnchanged() {
    return versions.stream().noneMatch(v -> v instanceof FileVersion it && !it.isSettledHere())
        && of(files).versions().equals(versions);
  }
}
