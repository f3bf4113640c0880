package org.starlingqcd.correlators.inspection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.hadron.data.DataFormat;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationFiles.Candidate;
import org.starlingqcd.hadron.data.DistillationFiles.Found;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * The contents of data and result files: distillation data by ensemble, data of other programs by
 * source, result files one by one.
 */
public final class Inspection {
  private final DataRequest request;
  private final boolean verify;
  private final Set<Path> unfinished = new LinkedHashSet<>();
  private final List<Report> data = new ArrayList<>();
  private final List<Report> results = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();

  private Inspection(DataRequest request, boolean verify) {
    this.request = request;
    this.verify = verify;
  }

  /**
   * Inspects files, folders and globs. In folders, files of other formats are ignored.
   *
   * @param verify whether all numbers are checked
   * @throws InputException if a folder or a glob has no file
   */
  public static Inspection of(DataRequest request, boolean verify) {
    Inspection inspection = new Inspection(request, verify);
    inspection.inspect();
    return inspection;
  }

  private void inspect() {
    Set<String> others = inspectOthers();
    List<Found> foreign = new ArrayList<>();
    Map<String, List<Found>> ensembles = new LinkedHashMap<>();
    for (Found found : sources(others)) {
      if (found.source().files().stream().anyMatch(Inspection::isUnfinished)) {
        unfinished.addAll(found.source().files());
      } else if (found.source().format().equals(DataFormat.own().name())) {
        String ensemble = String.valueOf(found.header().ensemble());
        ensembles.computeIfAbsent(ensemble, name -> new ArrayList<>()).add(found);
      } else {
        foreign.add(found);
      }
    }
    ensembles
        .values()
        .forEach(found -> add(() -> DataInspection.of(DistillationFiles.group(found), verify)));
    foreign.forEach(found -> add(() -> SourceInspection.of(found)));
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
  }

  private void add(Supplier<Report> report) {
    try {
      data.add(report.get());
    } catch (DistillationException e) {
      refused.add(String.valueOf(e.getMessage()));
    }
  }

  private List<Found> sources(Set<String> others) {
    try {
      return DistillationFiles.sources(
          request,
          fault -> {
            String message = String.valueOf(fault.getMessage());
            if (others.stream().noneMatch(file -> message.startsWith(file + ": "))) {
              refused.add(message);
            }
          });
    } catch (DistillationException e) {
      if (!unfinished.isEmpty()) {
        return List.of();
      }
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Inspects the files that no format of data recognizes: results, unfinished files, and files that
   * are refused.
   *
   * @return these files
   */
  private Set<String> inspectOthers() {
    Set<String> others = new LinkedHashSet<>();
    for (String typed : request.paths()) {
      for (Map.Entry<Path, Candidate> candidate :
          find(DataRequest.labelled(typed).path()).entrySet()) {
        Path file = candidate.getKey();
        if (isUnfinished(file)) {
          unfinished.add(file);
          others.add(file.toString());
        } else if (DataFormat.of(file) == null && others.add(file.toString())) {
          inspectOther(file, candidate.getValue().named(), others);
        }
      }
    }
    return others;
  }

  private void inspectOther(Path file, boolean named, Set<String> others) {
    try (Hdf5File opened = Hdf5File.open(file)) {
      Hdf5Attributes root = opened.attributes("/");
      String format = root.has("format") ? root.string("format") : "";
      if (format.equals(DistillationHeader.FORMAT)) {
        others.remove(file.toString()); // another version; the format says so
      } else if (ResultReader.reads(format)) {
        results.add(ResultInspection.of(file, verify));
      } else if (named && request.mapping() == null) {
        refused.add(
            "%s: is neither distillation data nor a result: attribute 'format' is %s"
                .formatted(file, format.isEmpty() ? "missing" : "'" + format + "'"));
      }
    } catch (Hdf5Exception | InputException e) {
      if (request.mapping() == null) {
        refused.add(String.valueOf(e.getMessage()));
      }
    }
  }

  /** The files that a path stands for, unfinished ones among them. */
  private Map<Path, Candidate> find(String path) {
    Map<Path, Candidate> found = new LinkedHashMap<>();
    if (Files.isDirectory(Path.of(path))) {
      try (Stream<Path> files = Files.list(Path.of(path))) {
        files
            .filter(Inspection::isUnfinished)
            .sorted()
            .forEach(file -> found.put(file, new Candidate(false, null)));
      } catch (IOException e) {
        throw new InputException(path + ": cannot be listed: " + PlainFile.reason(e), e);
      }
    }
    try {
      found.putAll(DistillationFiles.find(List.of(path)));
    } catch (DistillationException e) {
      // A mapping file knows the names of files in a folder.
      if (found.isEmpty() && request.mapping() == null) {
        throw new InputException(String.valueOf(e.getMessage()), e);
      }
    }
    return found;
  }

  private static boolean isUnfinished(Path file) {
    return file.toString().endsWith(".part");
  }

  /** Data by ensemble, data of other programs by source, and results, in the order found. */
  public List<Report> reports() {
    return Stream.of(data, results).flatMap(List::stream).toList();
  }

  /** Files that a program has not written to their end. */
  public List<String> unfinished() {
    return Report.names(unfinished);
  }

  /** Messages about files that are neither data nor results or cannot be read. */
  public List<String> refused() {
    return refused;
  }

  /** The number of faults in all files that could be read. */
  public int faults() {
    return reports().stream().mapToInt(Report::faults).sum();
  }
}
