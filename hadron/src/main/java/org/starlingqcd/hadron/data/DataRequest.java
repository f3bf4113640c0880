package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

  /** Paths and nothing else. */
  public static DataRequest of(List<String> paths) {
    return new DataRequest(paths, Map.of(), null);
  }
}
