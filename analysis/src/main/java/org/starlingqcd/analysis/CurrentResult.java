package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.CurrentAxes;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;

/** Reads results of three-point functions. */
public final class CurrentResult {
  /** Value of the root attribute {@code format}. */
  public static final String FORMAT = "three-point";

  private CurrentResult() {}

  /** Begins with the first file of a name. */
  private static ResultUnits begin(
      Selection selection, ResultReader first, List<String> insertions) {
    Path path = first.path();
    CurrentAxes axes = first.header().currents();
    if (axes == null) {
      throw new InputException(
          path + ": is no result of three-point functions (format = \"three-point\")");
    }
    for (String name : insertions) {
      if (!axes.insertions().contains(name)) {
        throw new InputException(
            path + ": has no insertion '" + name + "', only " + axes.insertions());
      }
    }
    List<String> rows = first.header().operators();
    LinkedHashSet<String> both = new LinkedHashSet<>(rows);
    both.addAll(axes.sources());
    String known =
        "only %s at the sink and %s at the source"
            .formatted(Selection.listed(rows), Selection.listed(axes.sources()));
    List<String> operators = selection.chosen(path, List.copyOf(both), known);
    return new ResultUnits(
        selection,
        first,
        side(path, "sink", operators, rows),
        side(path, "source", operators, axes.sources()),
        part ->
            !part.contains("/") || insertions.isEmpty() || insertions.contains(part.split("/")[1]),
        true);
  }

  private static int[] side(Path path, String what, List<String> chosen, List<String> operators) {
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
    return ResultUnits.collect(files, first -> begin(selection, first, insertions)).stream()
        .map(units -> data(units, insertions))
        .toList();
  }

  private static CurrentData data(ResultUnits units, List<String> chosen) {
    units.requireUnits();
    ResultHeader header = units.header;
    CurrentAxes axes = Objects.requireNonNull(header.currents());
    List<String> insertions = chosen.isEmpty() ? axes.insertions() : chosen;
    OptionalInt extent = units.extent;
    List<CurrentData.Configuration> list = new ArrayList<>();
    for (Map.Entry<Integer, ResultUnits.Units> entry : units.configurations.entrySet()) {
      int number = entry.getKey();
      ResultUnits.Units one = entry.getValue();
      int[] times = one.onePoint.keySet().stream().mapToInt(t -> t).toArray();
      if (!Arrays.equals(times, IntStream.range(0, times.length).toArray())
          || (extent.isPresent() && times.length > 0 && extent.getAsInt() != times.length)) {
        throw InputException.of(
            "%s: configuration %d has loops at the times %s, expected 0 to T - 1",
            units.path, number, Arrays.toString(times));
      }
      extent = times.length > 0 ? OptionalInt.of(times.length) : extent;
      list.add(
          new CurrentData.Configuration(
              number,
              List.copyOf(one.sources.keySet()),
              one.first.values().stream().flatMapToDouble(Arrays::stream).toArray(),
              insertions.stream()
                  .map(
                      name -> insertion(name, one, loop(units, number, axes.loops().indexOf(name))))
                  .toList()));
    }
    return new CurrentData(
        header.name(),
        header.ensemble(),
        header.definition(),
        ResultUnits.names(units.sinks, header.operators()),
        ResultUnits.names(units.columns, axes.sources()),
        insertions,
        header.separations(),
        axes.separations(),
        units.selection.extent(units.path, extent),
        list);
  }

  /** J₁(t) of a loop by its place, which is negative of an insertion without loops. */
  private static double[] loop(ResultUnits units, int number, int place) {
    ResultUnits.Units one = Objects.requireNonNull(units.configurations.get(number));
    double[] values =
        one.onePoint.values().stream()
            .filter(row -> place >= 0)
            .flatMapToDouble(row -> Arrays.stream(row, 2 * place, 2 * place + 2))
            .toArray();
    for (double value : values) {
      if (!Selection.isUsable(value)) {
        throw InputException.of(
            "%s: 'cfg_%04d/current': found %s, expected a number below 1e150, whose square is one too;"
                + " --configurations or --insertions leaves it out",
            units.path, number, value);
      }
    }
    return values;
  }

  private static CurrentData.Insertion insertion(
      String name, ResultUnits.Units one, double[] current) {
    double[] none = {};
    return new CurrentData.Insertion(
        one.sums.getOrDefault("insertion/" + name + "/connected", none),
        one.sums.getOrDefault("insertion/" + name + "/disconnected", none),
        current);
  }
}
