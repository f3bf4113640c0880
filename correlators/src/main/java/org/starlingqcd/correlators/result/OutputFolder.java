package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What opening a result makes around it: the output folder with those above it, and its gate. All
 * of it goes again when no result came of it.
 *
 * @param folder the output folder
 * @param first the uppermost folder that was not there before; null when the folder was
 * @param gateIsNew whether there was no gate
 */
record OutputFolder(Path folder, @Nullable Path first, boolean gateIsNew) {
  /** Looks at what is there, before anything is made. */
  static OutputFolder before(ResultLocation location) {
    @Nullable Path first = null;
    Path folder = location.folder();
    for (Path path = folder; path != null && !Files.exists(path); path = path.getParent()) {
      first = path;
    }
    return new OutputFolder(folder, first, !Files.exists(location.gate()));
  }

  /** Removes what was made and serves no other result. */
  void remove(Gate passed) throws IOException {
    if (!gateIsNew || isInUse()) {
      return;
    }
    passed.remove();
    Path last = first;
    if (last == null) {
      return;
    }
    try {
      for (Path path = folder; path != null && path.startsWith(last); path = path.getParent()) {
        Files.deleteIfExists(path);
      }
    } catch (DirectoryNotEmptyException e) {
      // Something else came to lie there meanwhile.
    }
  }

  /** Whether another result of the folder is being computed. */
  private boolean isInUse() throws IOException {
    try (DirectoryStream<Path> journals = Files.newDirectoryStream(folder, "*.journal")) {
      return journals.iterator().hasNext();
    }
  }
}
