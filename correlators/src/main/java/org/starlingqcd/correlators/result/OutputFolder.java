package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The output folder with its parent folders and its gate, as far as opening a result created them.
 * They are removed again if the result gets no unit.
 *
 * @param folder the output folder
 * @param first the uppermost folder that did not exist before; null when all did
 * @param gateIsNew whether the gate did not exist before
 */
record OutputFolder(Path folder, @Nullable Path first, boolean gateIsNew) {
  /** Notes which folders exist, before any is created. */
  static OutputFolder before(ResultLocation location) {
    @Nullable Path first = null;
    Path folder = location.folder();
    for (Path path = folder; path != null && !Files.exists(path); path = path.getParent()) {
      first = path;
    }
    return new OutputFolder(folder, first, !Files.exists(location.gate()));
  }

  /** Removes what was created, unless another result needs it. */
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
      // Another file was written there meanwhile.
    }
  }

  /** Whether another result of the folder is being computed. */
  private boolean isInUse() throws IOException {
    try (DirectoryStream<Path> journals = Files.newDirectoryStream(folder, "*.journal")) {
      return journals.iterator().hasNext();
    }
  }
}
