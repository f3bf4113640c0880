package org.starlingqcd.correlators;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder for results that nobody keeps; it goes when it is closed.
 *
 * @param path where it is
 */
public record TemporaryFolder(Path path) implements AutoCloseable {
  /** Makes a folder whose name begins with a prefix. */
  public static TemporaryFolder of(String prefix) {
    try {
      return new TemporaryFolder(Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary folder: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> found = Files.walk(path)) {
      List<Path> files = found.sorted(Comparator.reverseOrder()).toList();
      for (Path file : files) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
