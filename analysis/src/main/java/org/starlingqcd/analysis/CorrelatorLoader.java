package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.OperatorDefinition;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.text.Printable;

/**
 * Reads result files. Files of one name are parts of one correlation matrix; all files must belong
 * to one ensemble.
 */
public final class CorrelatorLoader {
  private final Selection selection;
  private final ResultHeader header;
  private final Path path;
  private final int[] operators;
  private final SortedMap<Integer, Sums> configurations = new TreeMap<>();
  private final Set<Integer> found = new TreeSet<>();
  private OptionalInt extent = OptionalInt.empty();

  /** Collects the files of one name, of which this is the first. */
  private CorrelatorLoader(Selection selection, ResultReader first) {
    this.selection = selection;
    this.header = first.header();
    this.path = first.path();
    this.operators = selection.indices(path, header.operators());
  }

  /** One configuration so far. */
  private static final class Sums {
    private final SortedMap<Integer, Path> sources = new TreeMap<>();
    private final SortedMap<Integer, double[]> onePoint = new TreeMap<>();
    private double[] sum = {};
  }

  /**
   * Reads result files; time and memory are proportional to the selected part.
   *
   * @return one for each name, in the order of the files
   * @throws InputException when a file is not a valid result, files do not belong together, or
   *     nothing is selected
   */
  public static List<CorrelatorData> load(List<Path> files, Selection selection) {
    Map<String, CorrelatorLoader> byName = new LinkedHashMap<>();
    for (Path file : files) {
      try (ResultReader reader = ResultReader.open(file)) {
        String ensemble = reader.header().ensemble();
        for (CorrelatorLoader other : byName.values()) {
          if (!other.header.ensemble().equals(ensemble)) {
            throw new InputException(
                String.format(
                    Locale.ROOT,
                    "%s is of ensemble '%s', %s of ensemble '%s'; analyse one ensemble at a time",
                    other.path,
                    Printable.of(other.header.ensemble()),
                    file,
                    Printable.of(ensemble)));
          }
        }
        byName
            .computeIfAbsent(
                reader.header().name(), name -> new CorrelatorLoader(selection, reader))
            .add(reader);
      }
    }
    return byName.values().stream().map(CorrelatorLoader::data).toList();
  }

  private void add(ResultReader reader) {
    String difference = reader.header().difference(header);
    if (difference != null) {
      throw new InputException(
          reader.path() + " does not belong to " + path + ": it has results " + difference);
    }
    if (extent.isEmpty()) {
      extent = reader.header().temporalExtent();
    }
    for (int number : reader.finished().keySet()) {
      found.add(number);
      if (selection.configurations().contains(number)) {
        add(reader, reader.read(number));
      }
    }
  }

  private void add(ResultReader reader, ResultReader.Configuration configuration) {
    int number = configuration.number();
    configuration
        .correlators()
        .forEach(
            (source, correlator) -> {
              if (selection.sources().contains(source)) {
                Sums sums = configurations.computeIfAbsent(number, added -> new Sums());
                @Nullable Path before = sums.sources.put(source, reader.path());
                if (before != null) {
                  throw new InputException(
                      String.format(
                          Locale.ROOT,
                          "configuration %d, source %d is in %s and in %s; it would count twice",
                          number,
                          source,
                          before,
                          reader.path()));
                }
                String where = reader.path() + ": configuration " + number + ", source " + source;
                double[] selected =
                    Selection.matrix(
                        where, correlator, operators, header.operators(), header.separations());
                if (sums.sum.length == 0) {
                  sums.sum = new double[selected.length];
                }
                for (int k = 0; k < selected.length; k++) {
                  sums.sum[k] += selected[k];
                }
                configuration
                    .onePoint()
                    .forEach(
                        (time, row) ->
                            sums.onePoint.put(
                                time, Selection.rows(row, operators, header.operators().size())));
              }
            });
  }

  private CorrelatorData data() {
    for (NumberSelection.Range range : selection.configurations().ranges()) {
      if (found.stream().noneMatch(n -> n >= range.first() && n <= range.last())) {
        throw new InputException(
            String.format(
                Locale.ROOT,
                "%s: of the configurations %s none of %d to %d is there, only %s",
                header.name(),
                selection.configurations(),
                range.first(),
                range.last(),
                found));
      }
    }
    if (configurations.isEmpty()) {
      throw new InputException(
          path
              + (found.isEmpty()
                  ? ": holds no configuration; has the run finished one?"
                  : ": no configuration has one of the sources " + selection.sources()));
    }
    List<CorrelatorData.Configuration> list = new ArrayList<>();
    configurations.forEach(
        (number, sums) ->
            list.add(
                new CorrelatorData.Configuration(
                    number,
                    List.copyOf(sums.sources.keySet()),
                    sums.sum,
                    List.copyOf(sums.onePoint.keySet()),
                    sums.onePoint.values().stream().flatMapToDouble(Arrays::stream).toArray())));
    OptionalInt known = selection.extent(path, extent);
    return new CorrelatorData(
        header.name(),
        header.ensemble(),
        Arrays.stream(operators).mapToObj(header.operators()::get).toList(),
        Arrays.stream(operators).mapToObj(header.signs()::get).toList(),
        header.separations(),
        known.isPresent() ? known : extentOfOnePointTimes(list, header.separations()),
        isMesonic(header.definition()),
        list);
  }

  /** A definition that this version does not understand may have baryons. */
  private static boolean isMesonic(String definition) {
    try {
      return DefinitionLoader.parse("definition", definition).operators().stream()
          .noneMatch(OperatorDefinition::hasBaryons);
    } catch (DefinitionException e) {
      return false;
    }
  }

  /*
   * One-point functions exist at the times that occur as a source or, modulo T, as a sink. If a sink wraps
   * around, only one T gives these times: a smaller T moves a sink elsewhere, a larger one adds a time.
   */

  /** The temporal extent, if the times of one-point functions allow only one. */
  private static OptionalInt extentOfOnePointTimes(
      List<CorrelatorData.Configuration> configurations, List<Integer> separations) {
    Set<Integer> possible = new TreeSet<>();
    int last = separations.get(separations.size() - 1);
    for (CorrelatorData.Configuration configuration : configurations) {
      TreeSet<Integer> times = new TreeSet<>(configuration.onePointTimes());
      if (times.isEmpty()) {
        return OptionalInt.empty();
      }
      TreeSet<Integer> sources = new TreeSet<>(configuration.sourceTimes());
      for (int extent = 1 + times.last(); extent <= sources.last() + last; extent++) {
        TreeSet<Integer> needed = new TreeSet<>(sources);
        for (int source : sources) {
          for (int separation : separations) {
            needed.add((source + separation) % extent);
          }
        }
        if (needed.equals(times)) {
          possible.add(extent);
        }
      }
    }
    return possible.size() == 1 ? OptionalInt.of(possible.iterator().next()) : OptionalInt.empty();
  }
}
