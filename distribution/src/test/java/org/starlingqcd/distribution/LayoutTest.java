package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every package says what lives in it. */
final class LayoutTest {
  @Test
  void packages_sayWhatLivesThere() {
    List<String> silent =
        sources().stream()
            .map(Path::getParent)
            .distinct()
            .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
            .map(Path::toString)
            .toList();
    assertEquals(List.of(), silent, "packages without package-info.java");
  }

  /** The program's own sources, without tests. */
  private static List<Path> sources() {
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      List<Path> found =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> file.toString().contains("src/main/java"))
              .toList();
      assertTrue(found.size() > 100, "sources are beside this module: " + found.size());
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
