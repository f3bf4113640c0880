package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.FileVersion;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * What the result files that were read last say of themselves. A run looks at each of its results
 * several times before it computes; a file is read and checked again only when it has changed.
 */
final class ReadResults {
  /** Results of one run; contents take some 200 bytes for each configuration. */
  private static final int MOST = 64;

  private record Read(FileVersion version, ResultFile.Contents contents) {}

  private static final Map<Path, Read> READ =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, Read> eldest) {
          return size() > MOST;
        }
      };

  private ReadResults() {}

  /**
   * The contents of a file whose configurations are whole.
   *
   * @throws InputException when it cannot be read or contradicts itself
   */
  static ResultFile.Contents checked(Path path) {
    ResultFile.Contents known = known(path);
    if (known != null) {
      return known;
    }
    try (Hdf5File file = Hdf5File.open(path)) {
      FileVersion version = FileVersion.of(path);
      ResultFile.Contents contents = ResultFile.checkedContents(file);
      synchronized (READ) {
        READ.put(path, new Read(version, contents));
      }
      return contents;
    } catch (Hdf5Exception | IOException e) {
      throw unusable(e);
    }
  }

  /** The contents of a file, whose configurations are not looked at. */
  static ResultFile.Contents unchecked(Path path) {
    ResultFile.Contents known = known(path);
    try {
      return known != null ? known : ResultFile.contents(path);
    } catch (Hdf5Exception e) {
      throw unusable(e);
    }
  }

  private static ResultFile.@Nullable Contents known(Path path) {
    synchronized (READ) {
      Read read = READ.get(path);
      try {
        return read != null && read.version().equals(FileVersion.of(path)) ? read.contents() : null;
      } catch (IOException e) {
        // Opening the file tells what is wrong.
        return null;
      }
    }
  }

  private static InputException unusable(Exception e) {
    return new InputException(e.getMessage() + "; move the file away, or give another --out", e);
  }
}
