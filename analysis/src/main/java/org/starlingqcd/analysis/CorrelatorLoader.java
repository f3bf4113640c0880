package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.OperatorDefinition;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.NumberSelection;

/** Reads results of two-point functions. */
public final class CorrelatorLoader extends ResultUnits {
  private final int[] operators;
  private final SortedMap<Integer, Sums> configurations = new TreeMap<>();

  private CorrelatorLoader(Selection selection, ResultReader first) {
    super(selection, first);
    if (header.currents() != null) {
      throw new InputException(
          path + ": holds three-point functions, expected two-point functions");
    }
    this.operators = selection.indices(path, header.operators());
  }

  /** One configuration so far. */
  private static final class Sums {
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
    return collect(files, selection, CorrelatorLoader::new).stream()
        .map(CorrelatorLoader::data)
        .toList();
  }

  @Override
  void add(Path file, int source, double[] unit, ResultReader.Configuration configuration) {
    int number = configuration.number();
    Sums sums = configurations.computeIfAbsent(number, added -> new Sums());
    String where = file + ": configuration " + number + ", source " + source;
    sums.sum =
        CurrentData.added(
            sums.sum,
            Selection.matrix(where, unit, operators, header.operators(), header.separations()));
    configuration
        .onePoint()
        .forEach(
            (time, row) ->
                sums.onePoint.put(time, Selection.rows(row, operators, header.operators().size())));
  }

  private CorrelatorData data() {
    for (NumberSelection.Range range : selection.configurations().ranges()) {
      if (found.stream().noneMatch(n -> n >= range.first() && n <= range.last())) {
        throw InputException.of(
            "%s: of the configurations %s none of %d to %d is there, only %s",
            header.name(), selection.configurations(), range.first(), range.last(), found);
      }
    }
    requireUnits(": no configuration has one of the sources " + selection.sources());
    List<CorrelatorData.Configuration> list = new ArrayList<>();
    configurations.forEach(
        (number, sums) ->
            list.add(
                new CorrelatorData.Configuration(
                    number,
                    List.copyOf(sources.getOrDefault(number, new TreeMap<>()).keySet()),
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
