package org.starlingqcd.correlators.inspection;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * The contents of data and result files: distillation data by ensemble, result files one by one.
 *
 * @param data one for each ensemble, in the order found
 * @param results one for each file, in the order found
 * @param refused messages about files that are neither or cannot be read
 */
public record Inspection(
    List<DataInspection> data, List<ResultInspection> results, List<String> refused) {

  /** Where the values stand in the text of an inspection. */
  static final int COLUMN = 23;

  /** Copies the lists. */
  public Inspection {
    data = List.copyOf(data);
    results = List.copyOf(results);
    refused = List.copyOf(refused);
  }

  /**
   * Inspects files, folders and globs. In folders, files of other formats are ignored.
   *
   * @param verify whether all numbers are checked
   * @throws InputException when a folder or a glob has no file
   */
  public static Inspection of(List<String> paths, boolean verify) {
    List<String> refused = new ArrayList<>();
    Map<String, List<String>> ensembles = new LinkedHashMap<>();
    List<ResultInspection> results = new ArrayList<>();
    for (Map.Entry<Path, Boolean> candidate : find(paths).entrySet()) {
      Path file = candidate.getKey();
      try (Hdf5File opened = Hdf5File.open(file)) {
        Hdf5Attributes root = opened.attributes("/");
        String format = root.has("format") ? root.string("format") : "";
        if (format.equals(DistillationHeader.FORMAT)) {
          ensembles
              .computeIfAbsent(root.string("ensemble"), ensemble -> new ArrayList<>())
              .add(file.toString());
        } else if (format.equals(ResultReader.FORMAT)) {
          results.add(ResultInspection.of(file, verify));
        } else if (candidate.getValue()) {
          refused.add(
              file
                  + ": is neither distillation data nor a result: attribute 'format' is "
                  + (format.isEmpty() ? "missing" : "'" + format + "'"));
        }
      } catch (Hdf5Exception | InputException e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    List<DataInspection> data = new ArrayList<>();
    for (List<String> files : ensembles.values()) {
      try {
        List<DistillationFiles.Configuration> configurations =
            DistillationFiles.discover(
                DataRequest.of(files), fault -> refused.add(String.valueOf(fault.getMessage())));
        if (!configurations.isEmpty()) {
          data.add(DataInspection.of(configurations, verify));
        }
      } catch (DistillationException e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    return new Inspection(data, results, refused);
  }

  private static Map<Path, Boolean> find(List<String> paths) {
    try {
      return DistillationFiles.find(paths);
    } catch (DistillationException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Adds what a verification found. */
  static void addFaults(List<String> faults, Listing text) {
    if (faults.isEmpty()) {
      text.line("  verified", "sound");
    }
    faults.forEach(fault -> text.line("  fault", fault));
  }

  /** The number of faults in all files that could be read. */
  public int faults() {
    return data.stream().mapToInt(found -> found.faults().size()).sum()
        + results.stream().mapToInt(found -> found.faults().size()).sum();
  }
}
