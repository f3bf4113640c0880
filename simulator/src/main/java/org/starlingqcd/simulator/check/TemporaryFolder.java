package org.starlingqcd.simulator.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.starlingqcd.correlators.InputException;

/** A new folder that is deleted with all files when it is closed. */
public final class TemporaryFolder implements AutoCloseable {
  private final Path path;

  /**
   * Makes the folder.
   *
   * @throws InputException when the folder for temporary files cannot be written
   */
  public TemporaryFolder() {
    try {
      path = Files.createTempDirectory("starling-check");
    } catch (IOException e) {
      throw new InputException("cannot make a temporary folder (java.io.tmpdir): " + e, e);
    }
  }

  /** The folder. */
  public Path path() {
    return path;
  }

  /** A file or folder in it. */
  public Path resolve(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
