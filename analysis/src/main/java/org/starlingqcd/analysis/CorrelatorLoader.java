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
  private final Map<String, Parts> byName = new LinkedHashMap<>();

  private CorrelatorLoader(Selection selection) {
    this.selection = selection;
  }

  /**
   * Reads result files; time and memory are proportional to the selected part.
   *
   * @return one for each name, in the order of the files
   * @throws InputException when a file is not a valid result, files do not belong together, or
   *     nothing is selected
   */
  public static List<CorrelatorData> load(List<Path> files, Selection selection) {
    CorrelatorLoader loader = new CorrelatorLoader(selection);
    files.forEach(loader::add);
    return loader.byName.values().stream().map(Parts::data).toList();
  }

  private void add(Path path) {
    try (ResultReader reader = ResultReader.open(path)) {
      for (Parts other : byName.values()) {
        if (!other.header.ensemble().equals(reader.header().ensemble())) {
          throw new InputException(
              String.format(
                  Locale.ROOT,
                  "%s is of ensemble '%s', %s of ensemble '%s'; analyse one ensemble at a time",
                  other.path,
                  Printable.of(other.header.ensemble()),
                  path,
                  Printable.of(reader.header().ensemble())));
        }
      }
      byName
          .computeIfAbsent(reader.header().name(), name -> new Parts(selection, reader))
          .add(reader);
    }
  }

  /** The files of one name. */
  private static final class Parts {
    private final Selection selection;
    private final ResultHeader header;
    private final Path path;
    private final int[] operators;
    private final TreeMap<Integer, Sums> configurations = new TreeMap<>();
    private final Map<Unit, Path> origins = new LinkedHashMap<>();
    private final TreeSet<Integer> found = new TreeSet<>();
    private OptionalInt extent;

    /** One configuration and source. */
    private record Unit(int configuration, int source) {}

    Parts(Selection selection, ResultReader first) {
      this.selection = selection;
      this.header = first.header();
      this.path = first.path();
      this.operators = selectedOperators(selection, first);
      this.extent = first.header().temporalExtent();
    }

    private static int[] selectedOperators(Selection selection, ResultReader first) {
      List<String> all = first.header().operators();
      List<String> chosen = selection.operators().isEmpty() ? all : selection.operators();
      int[] indices = new int[chosen.size()];
      for (int k = 0; k < indices.length; k++) {
        indices[k] = all.indexOf(chosen.get(k));
        if (indices[k] < 0) {
          throw new InputException(
              first.path() + ": has no operator '" + chosen.get(k) + "', only " + all);
        }
        if (chosen.subList(0, k).contains(chosen.get(k))) {
          throw new InputException("operator '" + chosen.get(k) + "' is given twice");
        }
      }
      return indices;
    }

    void add(ResultReader reader) {
      checkBelongs(reader);
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

    private void checkBelongs(ResultReader reader) {
      String difference = reader.header().difference(header);
      if (difference != null) {
        throw new InputException(
            reader.path() + " does not belong to " + path + ": it has results " + difference);
      }
    }

    private void add(ResultReader reader, ResultReader.Configuration configuration) {
      for (Map.Entry<Integer, double[]> entry : configuration.correlators().entrySet()) {
        int source = entry.getKey();
        if (selection.sources().contains(source)) {
          @Nullable Path before =
              origins.putIfAbsent(new Unit(configuration.number(), source), reader.path());
          if (before != null) {
            throw new InputException(
                String.format(
                    Locale.ROOT,
                    "configuration %d, source %d is in %s and in %s; it would count twice",
                    configuration.number(),
                    source,
                    before,
                    reader.path()));
          }
          double[] selected = selected(entry.getValue());
          checkFinite(reader.path(), configuration.number(), source, selected);
          Sums sums =
              configurations.computeIfAbsent(
                  configuration.number(), number -> new Sums(selected.length));
          sums.add(source, selected);
          configuration
              .onePoint()
              .forEach((time, row) -> sums.onePoint.put(time, selectedRow(row)));
        }
      }
    }

    /** [separation][i][j] of the selected operators. */
    private double[] selected(double[] correlator) {
      int all = header.operators().size();
      int n = operators.length;
      double[] result = new double[2 * header.separations().size() * n * n];
      for (int k = 0; k < result.length / 2; k++) {
        int t = k / (n * n);
        int index = 2 * ((t * all + operators[k / n % n]) * all + operators[k % n]);
        result[2 * k] = correlator[index];
        result[2 * k + 1] = correlator[index + 1];
      }
      return result;
    }

    private double[] selectedRow(double[] row) {
      double[] result = new double[2 * operators.length];
      for (int k = 0; k < operators.length; k++) {
        result[2 * k] = row[2 * operators[k]];
        result[2 * k + 1] = row[2 * operators[k] + 1];
      }
      return result;
    }

    private void checkFinite(Path file, int configuration, int source, double[] values) {
      int n = operators.length;
      for (int k = 0; k < values.length; k++) {
        if (!Double.isFinite(values[k])) {
          throw new InputException(
              String.format(
                  Locale.ROOT,
                  "%s: configuration %d, source %d, separation %d, sink '%s', source '%s': found %s;"
                      + " --configurations and --operators leave it out",
                  file,
                  configuration,
                  source,
                  header.separations().get(k / 2 / (n * n)),
                  header.operators().get(operators[k / 2 / n % n]),
                  header.operators().get(operators[k / 2 % n]),
                  values[k]));
        }
      }
    }

    CorrelatorData data() {
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
      configurations.forEach((number, sums) -> list.add(sums.configuration(number)));
      List<Integer> signs = header.signs();
      return new CorrelatorData(
          header.name(),
          header.ensemble(),
          Arrays.stream(operators).mapToObj(header.operators()::get).toList(),
          Arrays.stream(operators).mapToObj(signs::get).toList(),
          header.separations(),
          temporalExtent(list),
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

    private OptionalInt temporalExtent(List<CorrelatorData.Configuration> list) {
      OptionalInt asked = selection.temporalExtent();
      if (asked.isPresent() && extent.isPresent() && asked.getAsInt() != extent.getAsInt()) {
        throw new InputException(
            path + ": has the temporal extent " + extent.getAsInt() + ", not " + asked.getAsInt());
      }
      return asked.isPresent()
          ? asked
          : extent.isPresent() ? extent : OnePointTimes.temporalExtent(list, header.separations());
    }
  }

  /** The sums of one configuration so far. */
  private static final class Sums {
    private final TreeSet<Integer> sources = new TreeSet<>();
    private final double[] sum;
    private final SortedMap<Integer, double[]> onePoint = new TreeMap<>();

    Sums(int length) {
      this.sum = new double[length];
    }

    void add(int source, double[] correlator) {
      sources.add(source);
      for (int k = 0; k < sum.length; k++) {
        sum[k] += correlator[k];
      }
    }

    CorrelatorData.Configuration configuration(int number) {
      double[] rows = onePoint.values().stream().flatMapToDouble(Arrays::stream).toArray();
      return new CorrelatorData.Configuration(
          number, List.copyOf(sources), sum, List.copyOf(onePoint.keySet()), rows);
    }
  }

  /** Derives the temporal extent from the time slices of one-point functions. */
  private static final class OnePointTimes {
    private OnePointTimes() {}

    /*
     * One-point functions exist at the times that occur as a source or, modulo T, as a sink. If a sink wraps
     * around, only one T gives these times: a smaller T moves a sink elsewhere, a larger one adds a time.
     */

    /** The temporal extent, if the times allow only one. */
    static OptionalInt temporalExtent(
        List<CorrelatorData.Configuration> configurations, List<Integer> separations) {
      OptionalInt found = OptionalInt.empty();
      for (CorrelatorData.Configuration configuration : configurations) {
        TreeSet<Integer> times = new TreeSet<>(configuration.onePointTimes());
        if (times.isEmpty()) {
          return OptionalInt.empty();
        }
        int latest = 0;
        for (int source : configuration.sourceTimes()) {
          for (int separation : separations) {
            latest = Math.max(latest, source + separation);
          }
        }
        for (int extent = 1 + times.last(); extent <= latest; extent++) {
          if (times(configuration.sourceTimes(), separations, extent).equals(times)) {
            if (found.isPresent() && found.getAsInt() != extent) {
              return OptionalInt.empty();
            }
            found = OptionalInt.of(extent);
          }
        }
      }
      return found;
    }

    private static Set<Integer> times(
        List<Integer> sources, List<Integer> separations, int extent) {
      Set<Integer> times = new TreeSet<>(sources);
      for (int source : sources) {
        for (int separation : separations) {
          times.add((source + separation) % extent);
        }
      }
      return times;
    }
  }
}
