package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.result.ResultFile;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.PlainFile;
import org.starlingqcd.hadron.text.Printable;

/**
 * Reads results of three-point functions. Files of one name are parts of one result, such as
 * shards; all files must belong to one ensemble.
 */
public final class CurrentResult {
  /** Value of the root attribute {@code format}. */
  public static final String FORMAT = "three-point";

  private static final long FORMAT_VERSION = 1;

  private final Path path;
  private final Selection selection;
  private final Header header;
  private final int[] insertions;
  private final int[] sinks;
  private final int[] sources;
  private final SortedMap<Integer, Sums> configurations = new TreeMap<>();
  private final TreeSet<Integer> found = new TreeSet<>();
  private List<Integer> separations = List.of();
  private List<Integer> insertionSeparations = List.of();
  private OptionalInt extent = OptionalInt.empty();

  /** What all files of one name have in common. */
  private record Header(
      String name,
      String ensemble,
      String definition,
      List<String> sinkOperators,
      List<String> sourceOperators,
      List<String> insertions) {
    boolean isSame(Header other) {
      return sinkOperators.equals(other.sinkOperators)
          && sourceOperators.equals(other.sourceOperators)
          && insertions.equals(other.insertions)
          && DefinitionLoader.isSame(definition, other.definition);
    }

    static Header of(Hdf5File file) {
      Hdf5Attributes root = file.attributes("/");
      if (!root.has("format") || !root.string("format").equals(FORMAT)) {
        throw new InputException(
            file.path() + ": is no result of three-point functions (format = \"three-point\")");
      }
      long version = root.integer("format_version");
      if (version != FORMAT_VERSION) {
        throw new InputException(
            file.path() + ": format_version " + version + ", this program knows " + FORMAT_VERSION);
      }
      return new Header(
          root.string("name"),
          root.string("ensemble"),
          root.string("definition"),
          root.strings("sink_operators"),
          root.strings("source_operators"),
          root.strings("insertions"));
    }
  }

  /** One configuration so far. */
  private static final class Sums {
    final SortedMap<Integer, Path> sources = new TreeMap<>();
    final SortedMap<Integer, double[]> twoPoint = new TreeMap<>();
    final double[][] connected;
    final double[][] disconnected;
    final double[][] current;

    Sums(int insertions) {
      connected = new double[insertions][0];
      disconnected = new double[insertions][0];
      current = new double[insertions][0];
    }
  }

  private CurrentResult(
      Path path, Header header, Selection selection, List<String> chosenInsertions) {
    this.path = path;
    this.selection = selection;
    this.header = header;
    List<String> names = chosenInsertions.isEmpty() ? header.insertions : chosenInsertions;
    this.insertions = names.stream().mapToInt(header.insertions::indexOf).toArray();
    for (int k = 0; k < insertions.length; k++) {
      if (insertions[k] < 0) {
        throw new InputException(
            path + ": has no insertion '" + names.get(k) + "', only " + header.insertions);
      }
    }
    for (String name : selection.operators()) {
      if (!header.sinkOperators.contains(name) && !header.sourceOperators.contains(name)) {
        throw new InputException(
            String.format(
                Locale.ROOT,
                "%s: has no operator '%s', only %s at the sink and %s at the source",
                path,
                name,
                header.sinkOperators,
                header.sourceOperators));
      }
    }
    this.sinks = side("sink", header.sinkOperators);
    this.sources = side("source", header.sourceOperators);
  }

  private int[] side(String what, List<String> operators) {
    List<String> chosen = selection.operators().stream().filter(operators::contains).toList();
    if (chosen.isEmpty() && !selection.operators().isEmpty()) {
      throw new InputException(
          path + ": --operators selects none of the " + what + "'s operators " + operators);
    }
    return new Selection(selection.configurations(), selection.sources(), chosen, extent)
        .indices(path, operators);
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
    Map<String, CurrentResult> byName = new LinkedHashMap<>();
    for (Path path : files) {
      try (Hdf5File file = Hdf5File.open(path)) {
        Header header = Header.of(file);
        CurrentResult result =
            byName.computeIfAbsent(
                header.name, name -> new CurrentResult(path, header, selection, insertions));
        CurrentResult first = byName.values().iterator().next();
        if (!header.ensemble.equals(first.header.ensemble)) {
          throw new InputException(
              String.format(
                  Locale.ROOT,
                  "%s is of ensemble '%s', %s of ensemble '%s'; analyse one ensemble at a time",
                  first.path,
                  Printable.of(first.header.ensemble),
                  path,
                  Printable.of(header.ensemble)));
        }
        if (!header.isSame(result.header)) {
          throw new InputException(
              String.format(
                  Locale.ROOT,
                  "%s does not belong to %s: it has results of another definition of the name '%s'",
                  path,
                  result.path,
                  Printable.of(header.name)));
        }
        result.add(file);
      } catch (Hdf5Exception e) {
        throw new InputException(String.valueOf(e.getMessage()), e);
      }
    }
    return byName.values().stream().map(CurrentResult::data).toList();
  }

  private void add(Hdf5File file) {
    Hdf5Attributes root = file.attributes("/");
    if (extent.isEmpty() && root.has("temporal_extent")) {
      extent = OptionalInt.of(root.ints("temporal_extent")[0]);
    }
    for (String group : file.children("/")) {
      if (ResultFile.isGroup(group)) {
        int number = ResultFile.number(file, group);
        found.add(number);
        if (selection.configurations().contains(number)) {
          add(file, group, number);
        }
      }
    }
  }

  private void add(Hdf5File file, String group, int number) {
    separations = agreed(file, group, "separations", separations);
    insertionSeparations = agreed(file, group, "insertion_separations", insertionSeparations);
    int[] times = file.attributes(group).ints("source_times");
    Sums sums = configurations.computeIfAbsent(number, added -> new Sums(insertions.length));
    List<Integer> chosen = new ArrayList<>();
    for (int k = 0; k < times.length; k++) {
      if (selection.sources().contains(times[k])) {
        chosen.add(k);
        Path before = sums.sources.put(times[k], file.path());
        if (before != null) {
          throw new InputException(
              String.format(
                  Locale.ROOT,
                  "configuration %d, source %d is in %s and in %s; it would count twice",
                  number,
                  times[k],
                  before,
                  file.path()));
        }
      }
    }
    if (chosen.isEmpty()) {
      return;
    }
    double[][] two = read(file, group + "/two_point", times.length, chosen, separations.size());
    for (int k = 0; k < two.length; k++) {
      sums.twoPoint.put(times[chosen.get(k)], two[k]);
    }
    int[] places = {separations.size(), insertionSeparations.size()};
    for (int m = 0; m < insertions.length; m++) {
      String name = header.insertions.get(insertions[m]);
      String place = group + "/insertion/" + name;
      for (double[] one : read(file, place + "/connected", times.length, chosen, places)) {
        sums.connected[m] = CurrentData.added(sums.connected[m], one);
      }
      if (file.exists(place + "/disconnected")) {
        for (double[] one : read(file, place + "/disconnected", times.length, chosen, places)) {
          sums.disconnected[m] = CurrentData.added(sums.disconnected[m], one);
        }
      }
      if (file.exists(group + "/current/" + name)) {
        sums.current[m] = current(file, group + "/current/" + name);
      }
    }
  }

  /** The separations of a configuration, which must be those of the others. */
  private static List<Integer> agreed(
      Hdf5File file, String group, String attribute, List<Integer> others) {
    List<Integer> here = Arrays.stream(file.attributes(group).ints(attribute)).boxed().toList();
    boolean ascending =
        IntStream.range(1, here.size()).allMatch(k -> here.get(k - 1) < here.get(k));
    if (here.isEmpty() || here.get(0) < 0 || !ascending) {
      throw new InputException(
          String.format(
              Locale.ROOT,
              "%s: '%s' attribute '%s': expected ascending numbers from 0, found %s",
              file.path(),
              group,
              attribute,
              here));
    }
    if (!others.isEmpty() && !others.equals(here)) {
      throw new InputException(
          String.format(
              Locale.ROOT,
              "%s: '%s' has the %s %s, expected %s as for the other configurations",
              file.path(),
              group,
              attribute.replace('_', ' '),
              here,
              others));
    }
    return here;
  }

  /**
   * The chosen part of a dataset [source]…[sink operator][source operator].
   *
   * @param times how many sources the file has
   * @param between extents of the separations
   * @return for each chosen source, interleaved complex […][i][j]
   */
  private double[][] read(
      Hdf5File file, String object, int times, List<Integer> chosen, int... between) {
    int rows = header.sinkOperators.size();
    int columns = header.sourceOperators.size();
    IntStream.Builder extents = IntStream.builder().add(times);
    Arrays.stream(between).forEach(extents::add);
    extents.add(rows).add(columns);
    ResultFile.checkExtents(file, object, extents.build().asLongStream().toArray());
    int places = Arrays.stream(between).reduce(1, (x, y) -> x * y);
    double[] all;
    try (Hdf5Dataset dataset = file.dataset(object)) {
      all = dataset.readAll();
    }
    double[][] parts = new double[chosen.size()][2 * places * sinks.length * sources.length];
    for (int k = 0; k < parts.length; k++) {
      int to = 0;
      for (int place = 0; place < places; place++) {
        for (int sink : sinks) {
          for (int source : sources) {
            int from = 2 * (((chosen.get(k) * places + place) * rows + sink) * columns + source);
            parts[k][to++] = finite(file, object, all[from]);
            parts[k][to++] = finite(file, object, all[from + 1]);
          }
        }
      }
    }
    return parts;
  }

  private double[] current(Hdf5File file, String object) {
    try (Hdf5Dataset dataset = file.dataset(object)) {
      int[] times = dataset.attributes().ints("times");
      ResultFile.checkExtents(file, object, times.length);
      if (!Arrays.equals(times, IntStream.range(0, times.length).toArray())
          || (extent.isPresent() && extent.getAsInt() != times.length)) {
        throw new InputException(
            String.format(
                Locale.ROOT,
                "%s: '%s' attribute 'times': expected 0 to T - 1%s, found %s",
                file.path(),
                object,
                extent.isPresent() ? " = " + (extent.getAsInt() - 1) : "",
                Arrays.toString(times)));
      }
      extent = OptionalInt.of(times.length);
      double[] values = dataset.readAll();
      for (double value : values) {
        finite(file, object, value);
      }
      return values;
    }
  }

  private static double finite(Hdf5File file, String object, double value) {
    if (!Double.isFinite(value)) {
      throw new InputException(
          String.format(
              Locale.ROOT,
              "%s: '%s': found %s; --configurations, --operators or --insertions leaves it out",
              file.path(),
              object,
              value));
    }
    return value;
  }

  private CurrentData data() {
    configurations.values().removeIf(sums -> sums.sources.isEmpty());
    if (configurations.isEmpty()) {
      throw new InputException(
          path
              + (found.isEmpty()
                  ? ": holds no configuration; has the run finished one?"
                  : String.format(
                      Locale.ROOT,
                      ": of the configurations %s none with one of the sources %s is there, only"
                          + " the configurations %s",
                      selection.configurations(),
                      selection.sources(),
                      NumberSelection.text(found))));
    }
    Sums first = configurations.values().iterator().next();
    List<CurrentData.Configuration> list = new ArrayList<>();
    configurations.forEach(
        (number, sums) -> {
          List<CurrentData.Insertion> parts = new ArrayList<>();
          for (int m = 0; m < insertions.length; m++) {
            if (sums.disconnected[m].length != first.disconnected[m].length
                || sums.current[m].length != first.current[m].length) {
              throw new InputException(
                  String.format(
                      Locale.ROOT,
                      "%s: insertion '%s' has loops on some configurations only: configurations %d"
                          + " and %d differ",
                      path,
                      header.insertions.get(insertions[m]),
                      configurations.firstKey(),
                      number));
            }
            parts.add(
                new CurrentData.Insertion(
                    sums.connected[m], sums.disconnected[m], sums.current[m]));
          }
          list.add(
              new CurrentData.Configuration(
                  number,
                  List.copyOf(sums.sources.keySet()),
                  sums.twoPoint.values().stream().flatMapToDouble(Arrays::stream).toArray(),
                  parts));
        });
    return new CurrentData(
        header.name,
        header.ensemble,
        header.definition,
        Arrays.stream(sinks).mapToObj(header.sinkOperators::get).toList(),
        Arrays.stream(sources).mapToObj(header.sourceOperators::get).toList(),
        Arrays.stream(insertions).mapToObj(header.insertions::get).toList(),
        separations,
        insertionSeparations,
        selection.extent(path, extent),
        list);
  }
}
