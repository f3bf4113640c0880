package org.starlingqcd.correlators.cli.option;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.data.DataRequest;
import picocli.CommandLine.Option;

/** What a user says about data of other programs. */
public final class DataOptionGroup {
  @Option(
      names = "--labels",
      paramLabel = "OLD=NEW,...",
      description =
          "Rename the labels of perambulators, such as U-0.2416=light,U-0.2050=strange. Where files"
              + " name none, write --data light=PATH.")
  private @Nullable String labels;

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description =
          "A YAML file that says how arrays are laid out, or what files do not say about themselves.")
  private @Nullable Path mapping;

  /** A request for data with these options. */
  public DataRequest request(List<String> paths) {
    Map<String, String> renamed = new LinkedHashMap<>();
    if (labels != null) {
      for (String entry : labels.split(",", -1)) {
        int equals = entry.lastIndexOf('=');
        if (equals < 1 || equals == entry.length() - 1) {
          throw new InputException(
              "--labels " + labels + ": expected OLD=NEW, such as U-0.2416=light: '" + entry + "'");
        }
        String old = entry.substring(0, equals).strip();
        if (renamed.put(old, entry.substring(equals + 1).strip()) != null) {
          throw new InputException("--labels " + labels + ": names " + old + " twice");
        }
      }
    }
    return new DataRequest(paths, renamed, mapping);
  }
}
