package org.starlingqcd.correlators;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.starlingqcd.hadron.hdf5.PlainFile;

/** Writes files that are whole or not there, also where the disk is full. */
public final class AtomicFile {
  private AtomicFile() {}

  /**
   * Writes a text, in the place of a file that is there. A pipe or a device takes the text as it
   * is.
   *
   * @throws IOException when it cannot be written; the file is then as it was
   */
  public static void write(Path file, String text) throws IOException {
    if (PlainFile.special(file) != null) {
      Files.writeString(file, text);
      return;
    }
    Path target = Files.isSymbolicLink(file) && Files.exists(file) ? file.toRealPath() : file;
    Path folder = target.toAbsolutePath().resolveSibling("");
    Path partial = Files.createTempFile(folder, "." + target.getFileName(), ".tmp");
    try {
      // Unlike a temporary file, the result has the permissions that the user gives new files.
      Files.delete(partial);
      Files.writeString(partial, text);
      Files.move(
          partial, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(partial);
    }
  }
}
