package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.hadron.text.Printable;

/**
 * Collects the selected units of result files. Files of one name are parts of one result, such as
 * shards; all files must belong to one ensemble.
 */
abstract class ResultUnits {
  final Selection selection;
  final ResultHeader header;
  final Path path;

  /** The sources by configuration, with their files. */
  final SortedMap<Integer, SortedMap<Integer, Path>> sources = new TreeMap<>();

  final TreeSet<Integer> found = new TreeSet<>();
  OptionalInt extent = OptionalInt.empty();

  /** The masses of quarks in the files before the present one. */
  private final Set<String> masses = new TreeSet<>();

  /** Begins with the first file of a name. */
  ResultUnits(Selection selection, ResultReader first) {
    this.selection = selection;
    header = first.header();
    path = first.path();
  }

  /**
   * Reads files; time and memory are proportional to the selected part.
   *
   * @param begin makes what collects the files of one name, from the first of them
   * @return one for each name, in the order of the files
   */
  static <U extends ResultUnits> Collection<U> collect(
      List<Path> files, Selection selection, BiFunction<Selection, ResultReader, U> begin) {
    Map<String, U> byName = new LinkedHashMap<>();
    for (Path file : files) {
      try (ResultReader reader = ResultReader.open(file)) {
        String ensemble = reader.header().ensemble();
        for (ResultUnits other : byName.values()) {
          if (!other.header.ensemble().equals(ensemble)) {
            throw InputException.of(
                "%s is of ensemble '%s', %s of ensemble '%s'; analyse one ensemble at a time",
                other.path, Printable.of(other.header.ensemble()), file, Printable.of(ensemble));
          }
        }
        ResultUnits units =
            byName.computeIfAbsent(reader.header().name(), name -> begin.apply(selection, reader));
        units.add(reader);
      }
    }
    return byName.values();
  }

  private void add(ResultReader reader) {
    String difference = reader.header().difference(header);
    boolean sameAxes = Objects.equals(reader.header().currents(), header.currents());
    if (difference != null || !sameAxes) {
      throw InputException.of(
          "%s does not belong to %s: it has results %s",
          reader.path(), path, difference == null ? "with loops of other insertions" : difference);
    }
    if (extent.isEmpty()) {
      extent = reader.header().temporalExtent();
    }
    Set<String> its = new TreeSet<>();
    for (int number : reader.finished().keySet()) {
      found.add(number);
      if (selection.configurations().contains(number)) {
        ResultReader.Configuration configuration = reader.read(number);
        its.addAll(configuration.masses());
        configuration
            .correlators()
            .forEach(
                (source, unit) -> {
                  if (selection.sources().contains(source)) {
                    add(reader.path(), number, source);
                    add(reader.path(), source, unit, configuration);
                  }
                });
      }
    }
    String changed = ResultReader.Configuration.changed(masses, its);
    if (changed != null) {
      throw new InputException(
          reader.path() + " does not belong to " + path + ": its data have another " + changed);
    }
    masses.addAll(its);
  }

  private void add(Path file, int number, int source) {
    Path before = sources.computeIfAbsent(number, n -> new TreeMap<>()).put(source, file);
    if (before != null) {
      throw InputException.of(
          "configuration %d, source %d is in %s and in %s; it would count twice",
          number, source, before, file);
    }
  }

  /** Adds a unit of a configuration. */
  abstract void add(Path file, int source, double[] unit, ResultReader.Configuration configuration);

  /** Refuses to go on without a unit. */
  void requireUnits(String whatIsThere) {
    if (sources.isEmpty()) {
      throw InputException.of(
          "%s%s",
          path,
          found.isEmpty() ? ": holds no configuration; has the run finished one?" : whatIsThere);
    }
  }
}
