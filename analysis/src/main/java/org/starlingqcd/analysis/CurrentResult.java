package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.CurrentAxes;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;

/** Reads results of three-point functions. */
public final class CurrentResult extends ResultUnits {
  /** Value of the root attribute {@code format}. */
  public static final String FORMAT = "three-point";

  private final CurrentAxes axes;
  private final List<String> insertions;
  private final int[] sinks;
  private final int[] columns;
  private final SortedMap<Integer, Sums> configurations = new TreeMap<>();

  /** One configuration so far. */
  private static final class Sums {
    /** By source. */
    final SortedMap<Integer, double[]> twoPoint = new TreeMap<>();

    /** By data set. */
    final Map<String, double[]> parts = new HashMap<>();
  }

  private CurrentResult(Selection selection, ResultReader first, List<String> chosen) {
    super(selection, first);
    if (header.currents() == null) {
      throw new InputException(
          path + ": is no result of three-point functions (format = \"three-point\")");
    }
    axes = header.currents();
    insertions = chosen.isEmpty() ? axes.insertions() : chosen;
    for (String name : insertions) {
      if (!axes.insertions().contains(name)) {
        throw new InputException(
            path + ": has no insertion '" + name + "', only " + axes.insertions());
      }
    }
    LinkedHashSet<String> both = new LinkedHashSet<>(header.operators());
    both.addAll(axes.sources());
    String known =
        "only %s at the sink and %s at the source"
            .formatted(Selection.listed(header.operators()), Selection.listed(axes.sources()));
    List<String> operators = selection.chosen(path, List.copyOf(both), known);
    sinks = side("sink", operators, header.operators());
    columns = side("source", operators, axes.sources());
  }

  private int[] side(String what, List<String> chosen, List<String> operators) {
    int[] side = chosen.stream().filter(operators::contains).mapToInt(operators::indexOf).toArray();
    if (side.length == 0) {
      throw new InputException(
          path + ": --operators selects none of the " + what + "'s operators " + operators);
    }
    return side;
  }

  /** Whether a file is a result of three-point functions. */
  public static boolean isOne(Path path) {
    if (PlainFile.special(path) != null) {
      return false;
    }
    try (Hdf5File file = Hdf5File.open(path)) {
      Hdf5Attributes root = file.attributes("/");
      return root.has("format") && root.string("format").equals(FORMAT);
    } catch (Hdf5Exception e) {
      // Whatever it is, its own reader says what is wrong with it.
      return false;
    }
  }

  /**
   * Reads result files.
   *
   * @param selection the operators are those of both sides
   * @param insertions names of insertions, in this order; empty for all
   * @return one for each name, in the order of the files
   * @throws InputException when a file is not a valid result, files do not belong together, or
   *     nothing is selected
   */
  public static List<CurrentData> load(
      List<Path> files, Selection selection, List<String> insertions) {
    return collect(files, selection, (s, first) -> new CurrentResult(s, first, insertions)).stream()
        .map(CurrentResult::data)
        .toList();
  }

  @Override
  void add(Path file, int source, double[] unit, ResultReader.Configuration configuration) {
    Sums sums = configurations.computeIfAbsent(configuration.number(), added -> new Sums());
    int at = 0;
    for (ResultHeader.Part part : header.parts()) {
      String name = part.name();
      if (name.equals("two_point")) {
        sums.twoPoint.put(source, selected(unit, at, part, file, configuration.number()));
      } else if (insertions.contains(name.split("/")[1])) {
        sums.parts.merge(
            name, selected(unit, at, part, file, configuration.number()), CurrentData::added);
      }
      at += (int) part.doubles();
    }
    int[] times = configuration.onePoint().keySet().stream().mapToInt(t -> t).toArray();
    if (!Arrays.equals(times, IntStream.range(0, times.length).toArray())
        || (extent.isPresent() && times.length > 0 && extent.getAsInt() != times.length)) {
      throw InputException.of(
          "%s: configuration %d has loops at the times %s, expected 0 to T - 1",
          file, configuration.number(), Arrays.toString(times));
    }
    extent = times.length > 0 ? OptionalInt.of(times.length) : extent;
    for (int k = 0; k < axes.loops().size(); k++) {
      int loop = 2 * k;
      double[] values =
          configuration.onePoint().values().stream()
              .flatMapToDouble(row -> Arrays.stream(row, loop, loop + 2))
              .toArray();
      finite(file, configuration.number(), "current/" + axes.loops().get(k), values);
      sums.parts.put(axes.loops().get(k), values);
    }
  }

  /** The chosen operators of a data set […][sink operator][source operator]. */
  private double[] selected(
      double[] unit, int at, ResultHeader.Part part, Path file, int configuration) {
    int rows = header.operators().size();
    int all = axes.sources().size();
    double[] chosen =
        IntStream.range(0, (int) part.doubles() / (2 * rows * all))
            .flatMap(
                place ->
                    Arrays.stream(sinks)
                        .flatMap(
                            i -> Arrays.stream(columns).map(j -> (place * rows + i) * all + j)))
            .flatMap(element -> IntStream.of(at + 2 * element, at + 2 * element + 1))
            .mapToDouble(k -> unit[k])
            .toArray();
    finite(file, configuration, part.name(), chosen);
    return chosen;
  }

  private static void finite(Path file, int configuration, String part, double[] values) {
    for (double value : values) {
      if (!Selection.isUsable(value)) {
        throw InputException.of(
            "%s: 'cfg_%04d/%s': found %s, expected a number below 1e150, whose square is one too;"
                + " --configurations, --operators or --insertions leaves it out",
            file, configuration, part, value);
      }
    }
  }

  private CurrentData data() {
    requireUnits(
        ": of the configurations %s none with one of the sources %s is there, only the configurations %s"
            .formatted(
                selection.configurations(), selection.sources(), NumberSelection.text(found)));
    List<CurrentData.Configuration> list = new ArrayList<>();
    configurations.forEach(
        (number, sums) ->
            list.add(
                new CurrentData.Configuration(
                    number,
                    List.copyOf(sums.twoPoint.keySet()),
                    sums.twoPoint.values().stream().flatMapToDouble(Arrays::stream).toArray(),
                    insertions.stream().map(name -> insertion(name, sums)).toList())));
    return new CurrentData(
        header.name(),
        header.ensemble(),
        header.definition(),
        Arrays.stream(sinks).mapToObj(header.operators()::get).toList(),
        Arrays.stream(columns).mapToObj(axes.sources()::get).toList(),
        insertions,
        header.separations(),
        axes.separations(),
        selection.extent(path, extent),
        list);
  }

  private static CurrentData.Insertion insertion(String name, Sums sums) {
    double[] none = {};
    return new CurrentData.Insertion(
        sums.parts.getOrDefault("insertion/" + name + "/connected", none),
        sums.parts.getOrDefault("insertion/" + name + "/disconnected", none),
        sums.parts.getOrDefault(name, none));
  }
}
