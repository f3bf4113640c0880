package org.starlingqcd.hadron.hdf5;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.starlingqcd.hadron.hdf5.check.DamageException;
import org.starlingqcd.hadron.hdf5.check.MetadataCheck;

/** The files whose metadata have been found sound, so that a run checks each once. */
final class CheckedFiles {
  private static final int MOST = 1 << 16;

  private static final Map<Path, FileVersion> SOUND =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Path, FileVersion> eldest) {
              return size() > MOST;
            }
          });

  private CheckedFiles() {}

  /**
   * Checks a file unless it was found sound before and has not changed since.
   *
   * @throws Hdf5Exception when its metadata are damaged
   */
  static void check(Path path) {
    try {
      FileVersion version = FileVersion.of(path);
      if (version.equals(SOUND.get(path))) {
        return;
      }
      MetadataCheck.check(path);
      SOUND.put(path, version);
    } catch (DamageException e) {
      throw new Hdf5Exception(path + ": is " + e.getMessage() + "; copy or write it again");
    } catch (IOException e) {
      throw new Hdf5Exception(path + ": cannot be read: " + e.getMessage());
    }
  }
}
