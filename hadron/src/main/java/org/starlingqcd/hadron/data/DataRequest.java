package org.starlingqcd.hadron.data;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The data that a user asks for.
 *
 * @param paths files, folders and globs, each as {@code LABEL=PATH} where the data name no label
 * @param labels label in the data to the label of definitions
 * @param mapping a file that explains arrays, or null
 */
public record DataRequest(List<String> paths, Map<String, String> labels, @Nullable Path mapping) {
  /** Copies list and map. */
  public DataRequest {
    paths = List.copyOf(paths);
    labels = Map.copyOf(labels);
  }

  /** A label before a path. */
  private static final Pattern LABELLED = Pattern.compile("([A-Za-z0-9_.+-]+)=(.+)");

  /**
   * A path with the label before it.
   *
   * @param label the label, or ""
   * @param path the path
   */
  public record Labelled(String label, String path) {}

  /** Takes apart {@code light=peram/}. A path that exists as it is typed has no label. */
  public static Labelled labelled(String typed) {
    Matcher matcher = LABELLED.matcher(typed);
    return matcher.matches() && !exists(typed)
        ? new Labelled(matcher.group(1), matcher.group(2))
        : new Labelled("", typed);
  }

  /** Whether a path as typed exists; a glob does not. */
  static boolean exists(String typed) {
    try {
      return Files.exists(Path.of(typed));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Paths and nothing else. */
  public static DataRequest of(List<String> paths) {
    return new DataRequest(paths, Map.of(), null);
  }
}
