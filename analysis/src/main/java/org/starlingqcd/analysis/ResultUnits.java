package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.text.Printable;

/**
 * The selected part of results of one name, which are parts of one result, such as shards. Time and
 * memory are proportional to it.
 */
final class ResultUnits {
  final SelectionSettings selection;
  final ResultHeader header;
  final Path path;

  /** Places of the chosen operators at the sink and at the source. */
  final int[] sinks;

  final int[] columns;

  /** The units of the selected configurations. */
  final SortedMap<Integer, Units> configurations = new TreeMap<>();

  OptionalInt extent = OptionalInt.empty();
  private final Predicate<String> chosen;
  private final boolean bySource;
  private final TreeSet<Integer> found = new TreeSet<>();

  /** The masses of quarks in the files before the present one. */
  private final Set<String> masses = new TreeSet<>();

  /** One configuration so far. */
  static final class Units {
    /** The sources, with their files. */
    final SortedMap<Integer, Path> sources = new TreeMap<>();

    /** By data set summed over sources, interleaved complex […][i][j] of the chosen operators. */
    final Map<String, double[]> sums = new HashMap<>();

    /** The same of the first data set by source, if it is wanted. */
    final SortedMap<Integer, double[]> first = new TreeMap<>();

    /** By time, as in {@link ResultReader.Configuration}. */
    final SortedMap<Integer, double[]> onePoint = new TreeMap<>();

    /** What they were computed from. */
    final Set<String> data = new TreeSet<>();
  }

  /**
   * Begins with the first file of a name.
   *
   * @param sinks places of the chosen operators at the sink
   * @param columns at the source
   * @param chosen names of the data sets to read
   * @param bySource whether the numbers of the first data set are kept for each source, and not
   *     summed
   */
  ResultUnits(
      SelectionSettings selection,
      ResultReader first,
      int[] sinks,
      int[] columns,
      Predicate<String> chosen,
      boolean bySource) {
    this.selection = selection;
    this.sinks = sinks;
    this.columns = columns;
    this.chosen = chosen;
    this.bySource = bySource;
    header = first.header();
    path = first.path();
  }

  /** Begins with the first file of two-point functions. */
  static ResultUnits ofTwoPoint(
      SelectionSettings selection, ResultReader first, Predicate<String> chosen, boolean bySource) {
    if (first.header().currents() != null) {
      throw new InputException(
          first.path() + ": holds three-point functions, expected two-point functions");
    }
    int[] operators = selection.indices(first.path(), first.header().operators());
    return new ResultUnits(selection, first, operators, operators, chosen, bySource);
  }

  /**
   * Reads files of one ensemble.
   *
   * @param begin makes what collects the files of one name, from the first of them
   * @return one for each name, in the order of the files
   */
  static Collection<ResultUnits> collect(
      List<Path> files, Function<ResultReader, ResultUnits> begin) {
    Map<String, ResultUnits> byName = new LinkedHashMap<>();
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
        byName.computeIfAbsent(reader.header().name(), name -> begin.apply(reader)).add(reader);
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
      if (selection.configurations.contains(number)) {
        ResultReader.Configuration one = reader.read(number);
        its.addAll(one.masses());
        one.correlators()
            .forEach(
                (source, unit) -> {
                  if (selection.sources.contains(source)) {
                    add(reader.path(), one, source, unit);
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

  private void add(Path file, ResultReader.Configuration one, int source, double[] unit) {
    Units units = configurations.computeIfAbsent(one.number(), number -> new Units());
    Path before = units.sources.put(source, file);
    if (before != null) {
      throw InputException.of(
          "configuration %d, source %d is in %s and in %s; it would count twice",
          one.number(), source, before, file);
    }
    for (ResultHeader.Part part : header.parts()) {
      if (chosen.test(part.name())) {
        String where =
            "%s: 'cfg_%04d/%s', source %d".formatted(file, one.number(), part.name(), source);
        double[] numbers = selected(where, unit, part);
        if (bySource && part.name().equals(header.parts().get(0).name())) {
          units.first.put(source, numbers);
        } else {
          units.sums.merge(part.name(), numbers, ResultUnits::added);
        }
      }
    }
    units.onePoint.putAll(one.onePoint());
    units.data.addAll(one.data());
  }

  /** The chosen operators of a data set […][sink operator][source operator]. */
  private double[] selected(String where, double[] unit, ResultHeader.Part part) {
    List<String> rows = header.operators();
    List<String> all = header.currents() == null ? rows : header.currents().sources();
    int from = header.offset(part.name());
    int length = (int) part.doubles();
    int count = header.separations().size();
    int matrices = length / (2 * rows.size() * all.size());
    IntUnaryOperator place =
        matrix -> part.before() > 0 ? matrix % count : matrix * count / matrices;
    return SelectionSettings.matrices(
        where,
        Arrays.copyOfRange(unit, from, from + length),
        sinks,
        columns,
        rows,
        all,
        matrix -> header.separations().get(place.applyAsInt(matrix)));
  }

  /** The chosen operators of one-point functions at a time, without those of windows of noises. */
  double[] onePoint(double[] row) {
    int all = header.operators().size();
    return SelectionSettings.rows(Arrays.copyOf(row, 2 * all), sinks, all);
  }

  /** Adds {@code values} to {@code sum}. */
  static double[] added(double[] sum, double[] values) {
    Arrays.setAll(sum, k -> sum[k] + values[k]);
    return sum;
  }

  /** What belongs to chosen operators. */
  static <T> List<T> chosen(int[] places, List<T> all) {
    return Arrays.stream(places).mapToObj(all::get).toList();
  }

  /** Refuses to go on without a unit. */
  void requireUnits() {
    if (found.isEmpty()) {
      throw new InputException(path + ": holds no configuration; has the run finished one?");
    }
    for (NumberSelection.Range range : selection.configurations.ranges()) {
      if (found.stream().noneMatch(n -> n >= range.first() && n <= range.last())) {
        throw InputException.of(
            "%s: of the configurations %s none of %d to %d is there, only %s",
            path,
            selection.configurations,
            range.first(),
            range.last(),
            NumberSelection.text(found));
      }
    }
    if (configurations.isEmpty()) {
      throw InputException.of(
          "%s: no configuration has one of the sources %s", path, selection.sources);
    }
  }
}
