package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.ResultFile.Contents;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Joins the parts of a result that several runs or shards wrote into one file. An existing file is
 * one of the parts.
 *
 * <p>Parts belong together when they agree in definition, ensemble, separations and operators. A
 * unit that is in two parts must be equal in both. One configuration at a time is in memory.
 */
public final class ResultMerge {
  private final Path target;
  private final Map<Path, Contents> parts = new LinkedHashMap<>();

  /** The masses of quarks of all configurations. */
  private final Set<String> masses = new TreeSet<>();

  private ResultFile.Requested requested = ResultFile.Requested.of(List.of(), List.of());

  private final boolean allowChangedData;

  private ResultMerge(Path target, boolean allowChangedData) {
    this.target = target;
    this.allowChangedData = allowChangedData;
  }

  /**
   * The outcome of a merge.
   *
   * @param units units in the merged file
   * @param missing configuration to the requested sources that are in no part
   */
  public record Report(
      Path file, String name, int parts, int units, Map<Integer, List<Integer>> missing) {
    /** Number of units that are missing. */
    public int missingUnits() {
      return missing.values().stream().mapToInt(List::size).sum();
    }
  }

  /** The name of the definition of a result file. */
  public static String name(Path part) {
    return contents(part).header().name();
  }

  /**
   * Joins parts.
   *
   * @param partial whether the file is written even if units are missing
   * @param allowChangedData whether units of a configuration may be of data that differ
   * @throws InputException when a part is not a result, does not belong to the others, contradicts
   *     another, or the target cannot be written
   */
  public static Report merge(
      List<Path> parts, Path target, boolean partial, boolean allowChangedData) {
    ResultLocation location = ResultLocation.at(target);
    location.prepareFolder();
    ResultMerge merge = new ResultMerge(location.file(), allowChangedData);
    for (Path part : parts) {
      // Recovering takes the gate of the part's folder, which may be that of the target.
      if (!ResultLocation.at(part).file().equals(location.file())) {
        recover(part);
      }
    }
    List<Report> report = new ArrayList<>(1);
    try {
      FolderLock.pass(
          location.gate(),
          gate -> {
            location.makeJournals();
            try (UnitLocks claims = UnitLocks.open(location.claims())) {
              if (!claims.isAlone()) {
                throw new InputException(
                    location.file()
                        + ": another process is writing to this result; merge after it has ended");
              }
              claims.merging(() -> report.add(merge.run(parts, location, partial)));
            } finally {
              location.removeJournalsIfEmpty();
            }
          });
    } catch (IOException e) {
      throw location.cannotWrite(e);
    }
    return report.get(0);
  }

  private Report run(List<Path> files, ResultLocation location, boolean partial)
      throws IOException {
    List<Path> all = new ArrayList<>();
    if (Files.exists(target)) {
      all.add(target);
    }
    for (Path file : files) {
      Path absolute = file.toAbsolutePath().normalize();
      if (!all.contains(absolute)) {
        all.add(absolute);
      }
    }
    for (Path file : all) {
      Contents contents = contents(file);
      for (Map.Entry<Path, Contents> other : parts.entrySet()) {
        String difference = contents.header().difference(other.getValue().header());
        if (difference != null) {
          throw new InputException(
              file + " does not belong to " + other.getKey() + ": it has results " + difference);
        }
      }
      parts.put(file, contents);
      requested = requested.union(contents.requested());
    }
    Map<Integer, Set<Integer>> finished = new TreeMap<>();
    for (Contents part : parts.values()) {
      part.finished()
          .forEach(
              (number, sources) ->
                  finished.computeIfAbsent(number, key -> new TreeSet<>()).addAll(sources));
    }
    Map<Integer, List<Integer>> missing = missing(finished);
    int units = finished.values().stream().mapToInt(Set::size).sum();
    // One that says of which data it is.
    ResultHeader header =
        Collections.max(parts.values(), Comparator.comparing(part -> part.header().eigenvectors()))
            .header();
    Report report = new Report(target, header.name(), parts.size(), units, missing);
    if (missing.isEmpty() || partial) {
      write(location, header, finished.keySet());
    }
    return report;
  }

  private Map<Integer, List<Integer>> missing(Map<Integer, Set<Integer>> finished) {
    Map<Integer, List<Integer>> missing = new TreeMap<>();
    for (int configuration : requested.configurations()) {
      Set<Integer> sources = new TreeSet<>(requested.sources());
      sources.removeAll(finished.getOrDefault(configuration, Set.of()));
      if (!sources.isEmpty()) {
        missing.put(configuration, List.copyOf(sources));
      }
    }
    return missing;
  }

  /** Merges the journals that an interrupted run left beside a part. */
  private static void recover(Path file) {
    ResultLocation location = ResultLocation.at(file);
    if (Files.isDirectory(location.journals()) && Files.exists(file)) {
      ResultHeader header = contents(file).header();
      ResultRequest nothing = new ResultRequest(List.of(), List.of(), false, Duration.ofDays(1));
      ResultStore.open(file, header, nothing).close();
    }
  }

  private void write(ResultLocation location, ResultHeader header, Iterable<Integer> configurations)
      throws IOException {
    LinkedHashSet<String> runs = new LinkedHashSet<>();
    parts.values().forEach(part -> runs.addAll(part.runs()));
    List<String> plannedWith =
        parts.values().stream()
            .map(Contents::plannedWith)
            .filter(texts -> !texts.isEmpty())
            .findFirst()
            .orElse(List.of());
    location.replace(
        target,
        file -> {
          ResultFile.writeRoot(
              file, ResultLocation.newId(), header, List.copyOf(runs), plannedWith, requested);
          for (int number : configurations) {
            ResultFile.write(file, number, join(number, header), header);
          }
        });
  }

  private ResultFile.Configuration join(int number, ResultHeader header) {
    ResultFile.Configuration joined = new ResultFile.Configuration();
    Map<Integer, Path> origin = new TreeMap<>();
    parts.forEach(
        (path, contents) -> {
          if (contents.finished().containsKey(number)) {
            try (Hdf5File file = Hdf5File.open(path)) {
              ResultFile.Configuration part = ResultFile.read(file, number, header);
              part.correlators.forEach(
                  (source, values) -> {
                    double[] known = joined.correlators.get(source);
                    if (known != null && !Arrays.equals(known, values)) {
                      throw InputException.of(
                          "%s and %s contradict each other: configuration %s, source %s",
                          origin.get(source), path, number, source);
                    }
                    origin.putIfAbsent(source, path);
                  });
              Set<String> before = new TreeSet<>(masses);
              before.addAll(joined.data);
              String changed = ResultFile.changed(before, part.data);
              if (changed != null && !allowChangedData) {
                Path other = origin.values().iterator().next();
                throw InputException.of(
                    "%s: configuration %s is of other data than %s: %s; --allow-changed-data joins them",
                    path, number, other.equals(path) ? "others" : "in " + other, changed);
              }
              masses.addAll(ResultFile.masses(part.data));
              joined.addAll(part);
            }
          }
        });
    return joined;
  }

  /** What a part whose configurations are whole has. */
  private static Contents contents(Path path) {
    return ResultFile.reading(
        () -> {
          try (Hdf5File file = Hdf5File.open(path)) {
            return ResultFile.checkedContents(file, Map.of());
          }
        });
  }
}
