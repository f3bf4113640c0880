package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sources stay small enough to find one's way: files of a package, lines of a class. */
final class LayoutTest {
  private static final int MOST_FILES = 25;
  private static final int MOST_LINES = 400;

  /** What the javadoc of a longer class says of its length. */
  private static final Pattern REASON =
      Pattern.compile("(?i)more than 400 lines\\W+(\\*\\s+)?because");

  @Test
  void packages_holdFewFiles() {
    Map<String, Long> files =
        sources().stream()
            .collect(
                Collectors.groupingBy(
                    file -> file.getParent().toString(), TreeMap::new, Collectors.counting()));
    files.values().removeIf(count -> count <= MOST_FILES);
    assertEquals(Map.of(), files, "packages of more than " + MOST_FILES + " files");
  }

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

  @Test
  void longClasses_sayWhy() {
    List<String> unexplained =
        sources().stream()
            .filter(file -> lines(file).size() > MOST_LINES)
            .filter(file -> !REASON.matcher(String.join("\n", lines(file))).find())
            .map(file -> file.getFileName() + " has " + lines(file).size() + " lines")
            .toList();
    assertEquals(
        List.of(), unexplained, "\"more than 400 lines because\" in the javadoc, or split");
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
