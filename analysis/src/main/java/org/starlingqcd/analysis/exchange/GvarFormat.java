package org.starlingqcd.analysis.exchange;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.Table;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;
import org.starlingqcd.hadron.text.Printable;

/**
 * Data of gvar and corrfitter: HDF5 with one data set [configuration, time] for each tag, or text
 * with one line {@code TAG v0 v1 …} for each configuration.
 *
 * <p>Correlation matrices are written as {@code gvar.dataset.Dataset} reads them, with tags {@code
 * NAME.SINK.SOURCE.re} and {@code …im}, and a data set [configuration] for {@code
 * NAME.vev.OPERATOR.re}. gvar does not read the attributes of the root, from which this class
 * rebuilds the matrix.
 *
 * <p>Of other files, tags {@code NAME.ab} with one-letter sources a and sinks b are a matrix where
 * every pair is there, as in corrfitter's examples. Any other tag is a correlator of its own.
 * Configurations and separations count from 0.
 */
final class GvarFormat {
  private static final List<String> PARTS = List.of("re", "im");

  /** A longer list would be a data set, which gvar would take for a tag. */
  private static final int MOST_NUMBERED = 5000;

  /** Characters of a line of text. */
  private static final int LONGEST_LINE = 1 << 20;

  private static final Pattern PAIR = Pattern.compile("(.+)\\.([^.])([^.])");

  private final Path path;
  private final Map<String, double[][]> tags = new LinkedHashMap<>();

  private GvarFormat(Path path) {
    this.path = path;
  }

  /** Writes HDF5: a tag for the real and one for the imaginary part of every element. */
  static void write(Path path, Exporter.Export export) {
    CorrelatorData first = export.correlators().get(0);
    try (Hdf5File file = Hdf5File.create(path)) {
      Hdf5Attributes root = file.attributes("/");
      export.description().forEach((key, value) -> Table.put(root, key, value));
      describe(root, first.ensemble(), first.numbers());
      if (export.currents() == null) {
        first.temporalExtent().ifPresent(extent -> root.put("temporal_extent", extent));
      }
      for (CorrelatorData data : export.correlators()) {
        for (int part = 0; part < PARTS.size(); part++) {
          write(file, data, part, export.currents() != null);
        }
      }
    }
  }

  /** Writes measurements on bins: a tag for each name, with points in place of slashes. */
  static void write(
      Path path, String ensemble, List<Integer> numbers, Map<String, double[]> measured) {
    try (Hdf5File file = Hdf5File.create(path)) {
      describe(file.attributes("/"), ensemble, numbers);
      measured.forEach(
          (name, values) ->
              Table.write(file, name.replace('/', '.'), ElementType.REAL, values, values.length));
    }
  }

  private static void describe(Hdf5Attributes root, String ensemble, List<Integer> numbers) {
    root.put("ensemble", ensemble);
    if (numbers.size() <= MOST_NUMBERED) {
      Table.put(root, "configurations", numbers);
    }
  }

  private static void write(Hdf5File file, CorrelatorData data, int part, boolean named) {
    int n = data.size();
    int configurations = data.configurations().size();
    int separations = data.separations().size();
    double[] values = new double[configurations * separations];
    double[] onePoint = new double[configurations];
    for (int element = 0; element < n * n; element++) {
      int i = element / n;
      int j = element % n;
      String sink = data.operators().get(i);
      String tag =
          named
              ? (data.name() + "." + PARTS.get(part)).replace('/', '_')
              : tag(data.name(), sink, data.operators().get(j), part);
      Arrays.setAll(values, k -> data.average(k / separations, part, k % separations, i, j));
      Table.write(file, tag, ElementType.REAL, values, configurations, separations);
      if (j == n - 1 && data.hasOnePointFunctions()) {
        Arrays.setAll(onePoint, c -> data.onePointAverage(c, part, i));
        tag = tag(data.name(), "vev", sink, part);
        Table.write(file, tag, ElementType.REAL, onePoint, configurations);
      }
    }
  }

  /** A slash would begin a group. */
  private static String tag(String name, String sink, String source, int part) {
    return String.join(".", name, sink, source, PARTS.get(part)).replace('/', '_');
  }

  /**
   * Reads HDF5.
   *
   * @throws InputException when the file has no data set of that shape
   */
  static List<CorrelatorData> readHdf5(Path path) {
    GvarFormat reader = new GvarFormat(path);
    try (Hdf5File file = Hdf5File.open(path)) {
      reader.collect(file, "/", "");
      for (String child : file.children("/")) {
        if (file.kind(child) == ObjectKind.GROUP) {
          reader.collect(file, child, child + "/");
        }
      }
      Hdf5Attributes root = file.attributes("/");
      if (root.has("operators") && root.has("name")) {
        return List.of(reader.own(root));
      }
    } catch (Hdf5Exception e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
    return reader.matrices("a data set [configuration, time] of real numbers");
  }

  private void collect(Hdf5File file, String group, String prefix) {
    for (String child : file.children(group)) {
      if (file.kind(prefix + child) != ObjectKind.DATASET) {
        continue;
      }
      try (Hdf5Dataset dataset = file.dataset(prefix + child)) {
        long[] extents = dataset.extents();
        if (dataset.type() == ElementType.REAL && (extents.length == 1 || extents.length == 2)) {
          double[] all = dataset.readAll();
          int times = extents.length == 1 ? 1 : (int) extents[1];
          double[][] rows = new double[(int) extents[0]][];
          Arrays.setAll(rows, c -> Arrays.copyOfRange(all, c * times, (c + 1) * times));
          tags.put(prefix + child, rows);
        }
      }
    }
  }

  /**
   * Reads text.
   *
   * @throws InputException when a line is not a tag and numbers
   */
  static List<CorrelatorData> readText(Path path) {
    GvarFormat reader = new GvarFormat(path);
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    try (BufferedReader in = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      int number = 0;
      for (String line = reader.line(in, 1); line != null; line = reader.line(in, number + 1)) {
        number++;
        String[] words = line.replaceFirst("#.*", "").strip().split("\\s+");
        if (!words[0].isEmpty()) {
          lines.computeIfAbsent(words[0], tag -> new ArrayList<>()).add(reader.row(words, number));
        }
      }
    } catch (IOException e) {
      throw new InputException(
          "%s: cannot be read as a result, as JSON of pyerrors or as text of gvar: %s"
              .formatted(path, e.getMessage()),
          e);
    }
    lines.forEach((tag, rows) -> reader.tags.put(tag, rows.toArray(new double[0][])));
    return reader.matrices("a line 'TAG NUMBER NUMBER …'");
  }

  /** The next line; null at the end. */
  private @Nullable String line(BufferedReader in, int number) throws IOException {
    StringBuilder line = new StringBuilder();
    int next = in.read();
    if (next < 0) {
      return null;
    }
    for (; next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
      if (line.length() > LONGEST_LINE) {
        throw new InputException(
            "%s: line %d has more than %d characters, which is no text of gvar (a tag and numbers on each line)"
                .formatted(path, number, LONGEST_LINE));
      }
    }
    return line.toString();
  }

  private double[] row(String[] words, int line) {
    double[] row = new double[words.length - 1];
    for (int k = 0; k < row.length; k++) {
      try {
        row[k] = Double.parseDouble(words[k + 1]);
      } catch (NumberFormatException e) {
        throw new InputException(
            path
                + ": is not an HDF5 file, and as text of gvar (a tag and numbers on each line) line "
                + line
                + " is wrong: '"
                + Printable.of(words[k + 1])
                + "' is not a number",
            e);
      }
    }
    return row;
  }

  /** What {@link #write} wrote. */
  private CorrelatorData own(Hdf5Attributes root) {
    String name = root.string("name");
    List<String> operators = root.strings("operators");
    int times = root.ints("separations").length;
    double[][] first = tags.get(tag(name, operators.get(0), operators.get(0), 0));
    List<Integer> configurations =
        root.has("configurations")
            ? list(root.ints("configurations"))
            : IntStream.range(0, first == null ? 0 : first.length).boxed().toList();
    double[][][] onePoint = new double[2 * operators.size()][][];
    boolean known = tags.containsKey(tag(name, "vev", operators.get(0), 0));
    for (int k = 0; k < onePoint.length && known; k++) {
      double[][] found = tags.get(tag(name, "vev", operators.get(k / 2), k % 2));
      if (found == null || found.length != configurations.size()) {
        throw new InputException(path + ": one-point functions are incomplete; export it again");
      }
      onePoint[k] = found;
    }
    return CorrelatorData.ofAverages(
        name,
        root.string("ensemble"),
        operators,
        root.has("conjugation") ? list(root.ints("conjugation")) : List.of(),
        list(root.ints("separations")),
        root.has("temporal_extent")
            ? OptionalInt.of((int) root.integer("temporal_extent"))
            : OptionalInt.empty(),
        configurations,
        checked(operators, configurations.size(), times, 2, (i, j, part) -> tag(name, i, j, part)),
        known ? (c, part, t, i, j) -> onePoint[2 * i + part][c][0] : null);
  }

  private static List<Integer> list(int[] values) {
    return IntStream.of(values).boxed().toList();
  }

  /** The tag of a pair of operators. */
  private interface Tags {
    String of(String sink, String source, int part);
  }

  private List<CorrelatorData> matrices(String expected) {
    tags.values().removeIf(rows -> rows.length == 0 || rows[0].length == 0);
    if (tags.isEmpty()) {
      throw new InputException(
          path + ": is no result and holds no correlator; expected " + expected);
    }
    List<CorrelatorData> all = new ArrayList<>();
    TreeSet<String> done = new TreeSet<>();
    for (String tag : tags.keySet()) {
      Matcher pair = PAIR.matcher(tag);
      String name = pair.matches() ? pair.group(1) : "";
      List<String> letters = pair.matches() ? letters(name) : List.of();
      if (letters.size() <= 1) {
        all.add(matrix(tag, List.of(tag), (i, j, part) -> tag));
      } else if (done.add(name)) {
        all.add(matrix(name, letters, (i, j, part) -> name + "." + i + j));
      }
    }
    return all;
  }

  /** The letters of a complete matrix of tags; empty when a pair is missing or shapes differ. */
  private List<String> letters(String name) {
    TreeSet<String> letters = new TreeSet<>();
    for (String tag : tags.keySet()) {
      Matcher pair = PAIR.matcher(tag);
      if (pair.matches() && pair.group(1).equals(name)) {
        letters.add(pair.group(2));
        letters.add(pair.group(3));
      }
    }
    double[][] first = null;
    for (String i : letters) {
      for (String j : letters) {
        double[][] rows = tags.get(name + "." + i + j);
        if (rows == null
            || (first != null
                && (rows.length != first.length || rows[0].length != first[0].length))) {
          return List.of();
        }
        first = rows;
      }
    }
    return List.copyOf(letters);
  }

  private CorrelatorData matrix(String name, List<String> operators, Tags real) {
    double[][] first =
        Objects.requireNonNull(tags.get(real.of(operators.get(0), operators.get(0), 0)));
    return CorrelatorData.ofAverages(
        name,
        "unknown",
        operators,
        Collections.nCopies(operators.size(), 1),
        IntStream.range(0, first[0].length).boxed().toList(),
        OptionalInt.empty(),
        IntStream.range(0, first.length).boxed().toList(),
        checked(operators, first.length, first[0].length, 1, real),
        null);
  }

  /** The numbers of tags, of which there are as many everywhere, of real parts or of both. */
  private CorrelatorData.Averages checked(
      List<String> operators, int configurations, int times, int parts, Tags numbers) {
    int n = operators.size();
    double[][][] all = new double[n * n * parts][][];
    for (int k = 0; k < all.length; k++) {
      String sink = operators.get(k / parts / n);
      String source = operators.get(k / parts % n);
      double[][] found = tags.get(numbers.of(sink, source, k % parts));
      if (found == null
          || found.length != configurations
          || Arrays.stream(found).anyMatch(row -> row.length != times)) {
        throw InputException.of(
            "%s: '%s' and '%s' lack numbers; expected as many on each of %s configurations",
            path, sink, source, configurations);
      }
      all[k] = found;
    }
    return (c, part, t, i, j) -> part < parts ? all[(i * n + j) * parts + part][c][t] : 0;
  }
}
