package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.definition.DefinitionException;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.OperatorDefinition;
import org.starlingqcd.correlators.result.CurrentAxes;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * Three-point functions C_ij(t_f, t, t_i) of several insertions on every configuration.
 *
 * @param name the definition's name
 * @param ensemble the ensemble's name
 * @param definition text of the definition (YAML)
 * @param sinkOperators names of the operators i
 * @param sourceOperators names of the operators j
 * @param insertions names of the insertions
 * @param separations dt = t_f - t_i, ascending
 * @param insertionSeparations t - t_i modulo T, ascending
 * @param temporalExtent T, if known
 * @param configurations the data of each, by ascending number
 */
public record CurrentData(
    String name,
    String ensemble,
    String definition,
    List<String> sinkOperators,
    List<String> sourceOperators,
    List<String> insertions,
    List<Integer> separations,
    List<Integer> insertionSeparations,
    OptionalInt temporalExtent,
    List<Configuration> configurations) {
  /** Value of the root attribute {@code format}. */
  public static final String FORMAT = "three-point";

  /**
   * One configuration.
   *
   * @param number the configuration's number
   * @param sourceTimes its sources t_i, ascending
   * @param twoPoint ⟨O_i(t_f) O_j(t_i)†⟩, interleaved complex [source][dt][i][j]
   * @param insertions one for each insertion
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  public record Configuration(
      int number, List<Integer> sourceTimes, double[] twoPoint, List<Insertion> insertions) {
    /** The two-point functions summed over sources. */
    private double[] twoPointSum() {
      double[] sum = new double[twoPoint.length / sourceTimes.size()];
      for (int k = 0; k < twoPoint.length; k++) {
        sum[k % sum.length] += twoPoint[k];
      }
      return sum;
    }

    /** Every so many complex numbers of a sum over sources, averaged over them. */
    private double[] averages(double[] sum, int first, int stride) {
      return IntStream.iterate(first, k -> k < sum.length / 2, k -> k + stride)
          .flatMap(k -> IntStream.of(2 * k, 2 * k + 1))
          .mapToDouble(k -> sum[k] / sourceTimes.size())
          .toArray();
    }
  }

  /**
   * The numbers of one insertion.
   *
   * @param connected summed over sources, interleaved complex [dt][t - t_i][i][j]
   * @param disconnected the same; empty where there are no loops
   * @param current J₁(t), interleaved complex [t]; empty where the current has no loops
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  public record Insertion(double[] connected, double[] disconnected, double[] current) {
    /** A part by its place: the connected one, then the disconnected one. */
    public double[] part(int number) {
      return number == 0 ? connected : disconnected;
    }

    private double[] averageCurrent() {
      double[] sum = new double[2];
      for (int k = 0; k < current.length; k++) {
        sum[k % 2] += current[k];
      }
      return new double[] {2 * sum[0] / current.length, 2 * sum[1] / current.length};
    }
  }

  /** Begins with the first file of a name. */
  private static ResultUnits begin(
      SelectionSettings selection, ResultReader first, List<String> insertions) {
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
            .formatted(SelectionSettings.listed(rows), SelectionSettings.listed(axes.sources()));
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
      List<Path> files, SelectionSettings selection, List<String> insertions) {
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
    List<Configuration> list = new ArrayList<>();
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
          new Configuration(
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
        ResultUnits.chosen(units.sinks, header.operators()),
        ResultUnits.chosen(units.columns, axes.sources()),
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
      if (!SelectionSettings.isUsable(value)) {
        throw InputException.of(
            "%s: 'cfg_%04d/current': found %s, expected a number below 1e150, whose square is one too;"
                + " --configurations or --insertions leaves it out",
            units.path, number, value);
      }
    }
    return values;
  }

  private static Insertion insertion(String name, ResultUnits.Units one, double[] current) {
    double[] none = {};
    return new Insertion(
        one.sums.getOrDefault("insertion/" + name + "/connected", none),
        one.sums.getOrDefault("insertion/" + name + "/disconnected", none),
        current);
  }

  /** Whether the operators of the sink are those of the source. */
  boolean hasEqualSides() {
    CurrentDefinition parsed = parsed();
    return sinkOperators.equals(sourceOperators)
        && (parsed == null || parsed.sink().equals(parsed.source()));
  }

  /** The definition; null where another program wrote it. */
  private @Nullable CurrentDefinition parsed() {
    try {
      return DefinitionLoader.parseAny("definition", definition) instanceof CurrentDefinition found
          ? found
          : null;
    } catch (DefinitionException e) {
      return null;
    }
  }

  /** The two-point functions of equal sides. */
  CorrelatorData twoPoint() {
    List<CorrelatorData.Configuration> list = new ArrayList<>();
    for (Configuration one : configurations) {
      list.add(
          new CorrelatorData.Configuration(
              one.number, one.sourceTimes, one.twoPointSum(), List.of(), new double[0]));
    }
    CurrentDefinition parsed = parsed();
    return new CorrelatorData(
        name,
        ensemble,
        sinkOperators,
        Collections.nCopies(sinkOperators.size(), 0),
        separations,
        temporalExtent,
        parsed != null
            && parsed.sink().operators().stream().noneMatch(OperatorDefinition::hasBaryons),
        list);
  }

  /**
   * Every element as a correlator of its own, averaged over sources, for formats that know no
   * insertions. The names are {@code NAME.INSERTION.connected.SINK.SOURCE.dtDT} by t - t_i, {@code
   * …disconnected…} likewise, {@code NAME.two_point.SINK.SOURCE} by dt, and {@code
   * NAME.INSERTION.current}, J₁ averaged over time slices, at 0.
   */
  public List<CorrelatorData> elements() {
    List<CorrelatorData> all = new ArrayList<>();
    int columns = sourceOperators.size();
    int matrix = sinkOperators.size() * columns;
    int times = insertionSeparations.size();
    for (int at = 0; at < matrix; at++) {
      int element = at;
      String pair = sinkOperators.get(at / columns) + "." + sourceOperators.get(at % columns);
      all.add(
          element(
              "two_point." + pair, separations, c -> c.averages(c.twoPointSum(), element, matrix)));
      for (int m = 0; m < insertions.size(); m++) {
        int insertion = m;
        for (int d = 0; d < separations.size() * (hasLoops(m) ? 2 : 1); d++) {
          int part = d / separations.size();
          int dt = d % separations.size();
          String name = insertions.get(m) + (part == 0 ? ".connected." : ".disconnected.") + pair;
          int first = dt * times * matrix + at;
          all.add(
              element(
                  name + ".dt" + separations.get(dt),
                  insertionSeparations,
                  c -> c.averages(c.insertions.get(insertion).part(part), first, matrix)));
        }
      }
    }
    for (int m = 0; m < insertions.size(); m++) {
      int insertion = m;
      if (hasCurrent(m)) {
        String name = insertions.get(m) + ".current";
        all.add(element(name, List.of(0), c -> c.insertions.get(insertion).averageCurrent()));
      }
    }
    return all;
  }

  /** Numbers along an axis, of which each configuration may give more than are taken. */
  private CorrelatorData element(
      String name, List<Integer> axis, Function<Configuration, double[]> numbers) {
    List<double[]> values = configurations.stream().map(numbers).toList();
    return CorrelatorData.ofAverages(
        this.name + "." + name,
        ensemble,
        List.of(name),
        List.of(0),
        axis,
        OptionalInt.empty(),
        numbers(),
        (c, part, place, i, j) -> values.get(c)[2 * place + part],
        null);
  }

  /** Whether an insertion has a disconnected part. */
  boolean hasLoops(int insertion) {
    return configurations.get(0).insertions.get(insertion).disconnected.length > 0;
  }

  /** Whether J₁ of an insertion is there. */
  boolean hasCurrent(int insertion) {
    return configurations.get(0).insertions.get(insertion).current.length > 0;
  }

  /** The numbers of the configurations. */
  List<Integer> numbers() {
    return configurations.stream().map(Configuration::number).toList();
  }

  /** The number of pairs of configuration and source. */
  int units() {
    return configurations.stream().mapToInt(c -> c.sourceTimes.size()).sum();
  }
}
