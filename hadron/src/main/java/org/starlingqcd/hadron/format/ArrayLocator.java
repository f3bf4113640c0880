package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;

/**
 * Finds the files and the datasets that fit a template. Folders are listed, files are not opened.
 */
final class ArrayLocator {
  /**
   * What fits a template.
   *
   * @param name a file or a dataset
   * @param values what the placeholders stand for
   */
  record Match<T>(T name, Map<String, String> values) {}

  private ArrayLocator() {}

  /** Files below a folder. */
  static List<Match<Path>> files(Path folder, NameTemplate template, Map<String, String> known) {
    List<Match<Path>> found = new ArrayList<>();
    Path start = template.isAbsolute() ? Path.of("/") : folder;
    descend(start, template, 0, known, found);
    return found;
  }

  private static void descend(
      Path folder,
      NameTemplate template,
      int segment,
      Map<String, String> known,
      List<Match<Path>> found) {
    if (segment == template.depth()) {
      if (Files.isRegularFile(folder)) {
        found.add(new Match<>(folder, known));
      }
      return;
    }
    Optional<String> literal = template.literal(segment);
    if (literal.isPresent()) {
      descend(folder.resolve(literal.get()), template, segment + 1, known, found);
      return;
    }
    for (Path child : children(folder)) {
      template
          .match(segment, child.getFileName().toString(), known)
          .ifPresent(values -> descend(child, template, segment + 1, values, found));
    }
  }

  private static List<Path> children(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(folder)) {
      return children.sorted().toList();
    } catch (IOException e) {
      throw new DistillationException(folder + ": cannot be listed: " + e.getMessage(), e);
    }
  }

  /** What a template says about a file whose last names fit it. */
  static Optional<Match<Path>> file(Path file, NameTemplate template) {
    Path whole = file.toAbsolutePath().normalize();
    int first = whole.getNameCount() - template.depth();
    Optional<Map<String, String>> values = first < 0 ? Optional.empty() : Optional.of(Map.of());
    for (int k = 0; k < template.depth() && values.isPresent(); k++) {
      values = template.match(k, whole.getName(first + k).toString(), values.get());
    }
    return values.map(known -> new Match<>(file, known));
  }

  /** Datasets of a file. */
  static List<Match<String>> datasets(
      Hdf5File file, NameTemplate template, Map<String, String> known) {
    List<Match<String>> found = new ArrayList<>();
    descend(file, "", template, 0, known, found);
    return found;
  }

  private static void descend(
      Hdf5File file,
      String group,
      NameTemplate template,
      int segment,
      Map<String, String> known,
      List<Match<String>> found) {
    if (segment == template.depth()) {
      if (file.kind(group) == ObjectKind.DATASET) {
        found.add(new Match<>(group, known));
      }
      return;
    }
    String before = group.isEmpty() ? "" : group + "/";
    Optional<String> literal = template.literal(segment);
    if (literal.isPresent()) {
      descend(file, before + literal.get(), template, segment + 1, known, found);
      return;
    }
    if (file.kind(group) != ObjectKind.GROUP) {
      return;
    }
    for (String child : file.children(group.isEmpty() ? "/" : group)) {
      template
          .match(segment, child, known)
          .ifPresent(values -> descend(file, before + child, template, segment + 1, values, found));
    }
  }
}
