package org.starlingqcd.correlators.inspection;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationFiles.Found;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * The contents of data and result files: distillation data by ensemble, result files one by one.
 *
 * @param data one for each ensemble, in the order found
 * @param sources data of other programs, one for each source, in the order found
 * @param results one for each file, in the order found
 * @param refused messages about files that are neither or cannot be read
 */
public record Inspection(
    List<DataInspection> data,
    List<SourceInspection> sources,
    List<ResultInspection> results,
    List<String> refused) {

  /** Where the values stand in the text of an inspection. */
  static final int COLUMN = 23;

  /** Copies the lists. */
  public Inspection {
    data = List.copyOf(data);
    sources = List.copyOf(sources);
    results = List.copyOf(results);
    refused = List.copyOf(refused);
  }

  /**
   * Inspects files, folders and globs. In folders, files of other formats are ignored.
   *
   * @param verify whether all numbers are checked
   * @throws InputException when a folder or a glob has no file
   */
  public static Inspection of(DataRequest request, boolean verify) {
    List<String> refused = new ArrayList<>();
    List<ResultInspection> results = new ArrayList<>();
    Set<String> others = others(request, verify, results, refused);
    List<Found> foreign = new ArrayList<>();
    Map<String, List<Found>> ensembles = new LinkedHashMap<>();
    try {
      for (Found found :
          DistillationFiles.sources(
              request,
              fault -> {
                String message = String.valueOf(fault.getMessage());
                if (others.stream().noneMatch(file -> message.startsWith(file + ": "))) {
                  refused.add(message);
                }
              })) {
        if (found.source().format().equals(DataFormat.own())) {
          String ensemble = String.valueOf(found.header().ensemble());
          ensembles.computeIfAbsent(ensemble, name -> new ArrayList<>()).add(found);
        } else {
          foreign.add(found);
        }
      }
    } catch (DistillationException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
    List<DataInspection> data = new ArrayList<>();
    for (List<Found> found : ensembles.values()) {
      try {
        data.add(DataInspection.of(DistillationFiles.group(found), verify));
      } catch (DistillationException e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    List<SourceInspection> sources = new ArrayList<>();
    for (Found found : foreign) {
      try {
        sources.add(SourceInspection.of(found));
      } catch (DistillationException e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    if (verify && !foreign.isEmpty()) {
      try {
        for (DistillationFiles.Configuration configuration : DistillationFiles.group(foreign)) {
          try (DistillationData opened = configuration.open()) {
            refused.addAll(new DataVerification(opened).faults());
          }
        }
      } catch (DistillationException e) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
    return new Inspection(data, sources, results, refused);
  }

  /**
   * Inspects the files that no format of data recognizes: results, and files that are refused.
   *
   * @return these files
   */
  private static Set<String> others(
      DataRequest request, boolean verify, List<ResultInspection> results, List<String> refused) {
    Set<String> others = new LinkedHashSet<>();
    for (String typed : request.paths()) {
      for (Map.Entry<Path, Boolean> candidate :
          find(DataRequest.labelled(typed).path(), request.mapping() != null).entrySet()) {
        Path file = candidate.getKey();
        if (DataFormat.of(file) != null || !others.add(file.toString())) {
          continue;
        }
        try (Hdf5File opened = Hdf5File.open(file)) {
          Hdf5Attributes root = opened.attributes("/");
          String format = root.has("format") ? root.string("format") : "";
          if (format.equals(DistillationHeader.FORMAT)) {
            others.remove(file.toString()); // another version; the format says so
          } else if (format.equals(ResultReader.FORMAT)) {
            results.add(ResultInspection.of(file, verify));
          } else if (candidate.getValue() && request.mapping() == null) {
            refused.add(
                file
                    + ": is neither distillation data nor a result: attribute 'format' is "
                    + (format.isEmpty() ? "missing" : "'" + format + "'"));
          }
        } catch (Hdf5Exception | InputException e) {
          if (request.mapping() == null) {
            refused.add(String.valueOf(e.getMessage()));
          }
        }
      }
    }
    return others;
  }

  private static Map<Path, Boolean> find(String path, boolean mapped) {
    try {
      return DistillationFiles.find(List.of(path));
    } catch (DistillationException e) {
      if (mapped) {
        return Map.of(); // a mapping file knows the names of files in a folder
      }
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
