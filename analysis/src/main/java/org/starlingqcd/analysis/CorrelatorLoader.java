package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.math3.stat.StatUtils;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.OperatorDefinition;
import org.starlingqcd.correlators.result.ResultHeader;

/** Reads results of two-point functions. */
public final class CorrelatorLoader {
  private CorrelatorLoader() {}

  /**
   * Reads result files.
   *
   * @return one for each name, in the order of the files
   * @throws InputException when a file is not a valid result, files do not belong together, or
   *     nothing is selected
   */
  public static List<CorrelatorData> load(List<Path> files, Selection selection) {
    return ResultUnits.collect(
            files, first -> ResultUnits.ofTwoPoint(selection, first, part -> true, false))
        .stream()
        .map(CorrelatorLoader::data)
        .toList();
  }

  private static CorrelatorData data(ResultUnits units) {
    units.requireUnits();
    ResultHeader header = units.header;
    List<CorrelatorData.Configuration> list = new ArrayList<>();
    units.configurations.forEach(
        (number, one) ->
            list.add(
                new CorrelatorData.Configuration(
                    number,
                    List.copyOf(one.sources.keySet()),
                    one.sums.getOrDefault("correlator", new double[0]),
                    List.copyOf(one.onePoint.keySet()),
                    one.onePoint.values().stream()
                        .flatMapToDouble(row -> Arrays.stream(units.onePoint(row)))
                        .toArray(),
                    noise(units, one))));
    OptionalInt known = units.selection.extent(units.path, units.extent);
    return new CorrelatorData(
        header.name(),
        header.ensemble(),
        ResultUnits.names(units.sinks, header.operators()),
        Arrays.stream(units.sinks).mapToObj(header.signs()::get).toList(),
        header.separations(),
        known.isPresent() ? known : extentOfOnePointTimes(list, header.separations()),
        isMesonic(header.definition()),
        list);
  }

  /*
   * A correlator is the mean over K windows of noises, and its variance from noise that of the windows over K if
   * they are independent. They share noises, so it is larger than that.
   */

  /** As in {@link CorrelatorData.Configuration}. */
  private static double[] noise(ResultUnits units, ResultUnits.Units one) {
    double[] windows = one.sums.getOrDefault("by_subset", new double[0]);
    int n = units.sinks.length;
    int length = 2 * units.header.separations().size() * n * n;
    int count = windows.length / length;
    if (count < 2) {
      return new double[0];
    }
    double[] noise = new double[length / (2 * n)];
    for (int k = 0; k < noise.length; k++) {
      int at = 2 * (k / n * n * n + k % n * (n + 1));
      double[] values = new double[count];
      Arrays.setAll(values, window -> windows[window * length + at] / one.sources.size());
      noise[k] = StatUtils.variance(values) / count;
    }
    return noise;
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
