package org.starlingqcd.analysis.exchange;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;
import org.starlingqcd.hadron.text.Printable;

/**
 * Reads data of gvar and corrfitter: HDF5 with one data set [configuration, time] for each tag, or
 * text with one line {@code TAG v0 v1 …} for each configuration.
 *
 * <p>Tags {@code NAME.ab} with one-letter sources a and sinks b are a matrix where every pair is
 * there, as in corrfitter's examples. Any other tag is a correlator of its own. Configurations and
 * separations count from 0. Files of {@link GvarWriter} become the matrix that was written.
 */
final class GvarReader {
  private static final Pattern PAIR = Pattern.compile("(.+)\\.([^.])([^.])");

  private final Path path;
  private final Map<String, double[][]> tags = new LinkedHashMap<>();

  private GvarReader(Path path) {
    this.path = path;
  }

  /**
   * Reads HDF5.
   *
   * @throws InputException when the file has no data set of that shape
   */
  static List<Series> readHdf5(Path path) {
    GvarReader reader = new GvarReader(path);
    try (Hdf5File file = Hdf5File.open(path)) {
      reader.collect(file, "");
      for (String child : file.children("/")) {
        if (file.kind(child) == ObjectKind.GROUP) {
          reader.collect(file, child + "/");
        }
      }
      Hdf5Attributes root = file.attributes("/");
      if (root.has(GvarWriter.OPERATORS) && root.has(GvarWriter.NAME)) {
        return List.of(reader.own(root));
      }
    } catch (Hdf5Exception e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    }
    return reader.series("a data set [configuration, time] of real numbers");
  }

  private void collect(Hdf5File file, String group) {
    for (String child :
        file.children(group.isEmpty() ? "/" : group.substring(0, group.length() - 1))) {
      String object = group + child;
      if (file.kind(object) != ObjectKind.DATASET) {
        continue;
      }
      try (Hdf5Dataset dataset = file.dataset(object)) {
        long[] extents = dataset.extents();
        if (dataset.type() == ElementType.REAL && (extents.length == 1 || extents.length == 2)) {
          double[] all = dataset.readAll();
          int times = extents.length == 1 ? 1 : (int) extents[1];
          double[][] rows = new double[(int) extents[0]][];
          for (int c = 0; c < rows.length; c++) {
            rows[c] = Arrays.copyOfRange(all, c * times, (c + 1) * times);
          }
          tags.put(object, rows);
        }
      }
    }
  }

  /**
   * Reads text.
   *
   * @throws InputException when a line is not a tag and numbers
   */
  static List<Series> readText(Path path) {
    GvarReader reader = new GvarReader(path);
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    try (BufferedReader in = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      int number = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        int comment = line.indexOf('#');
        String[] words = (comment < 0 ? line : line.substring(0, comment)).strip().split("\\s+");
        if (words[0].isEmpty()) {
          continue;
        }
        lines.computeIfAbsent(words[0], tag -> new ArrayList<>()).add(reader.row(words, number));
      }
    } catch (IOException e) {
      throw new InputException(
          path
              + ": cannot be read as a result, as JSON of pyerrors or as text of gvar: "
              + e.getMessage(),
          e);
    }
    lines.forEach((tag, rows) -> reader.tags.put(tag, rows.toArray(new double[0][])));
    return reader.series("a line 'TAG NUMBER NUMBER …'");
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

  private Series own(Hdf5Attributes root) {
    String name = root.string(GvarWriter.NAME);
    List<String> operators = root.strings(GvarWriter.OPERATORS);
    List<Integer> separations = list(root.ints(GvarWriter.SEPARATIONS));
    double[][] first = tags.get(GvarWriter.tag(name, operators.get(0), operators.get(0), 0));
    List<Integer> configurations =
        root.has(GvarWriter.CONFIGURATIONS)
            ? list(root.ints(GvarWriter.CONFIGURATIONS))
            : IntStream.range(0, first == null ? 0 : first.length).boxed().toList();
    Map<Integer, double[]> values =
        matrix(
            operators,
            separations.size(),
            configurations,
            (i, j) -> tags.get(GvarWriter.tag(name, i, j, 0)),
            (i, j) -> tags.get(GvarWriter.tag(name, i, j, 1)));
    Map<Integer, double[]> onePoint = new LinkedHashMap<>();
    if (tags.containsKey(GvarWriter.tag(name, "vev", operators.get(0), 0))) {
      for (int c = 0; c < configurations.size(); c++) {
        double[] row = new double[2 * operators.size()];
        for (int k = 0; k < row.length; k++) {
          double[][] found = tags.get(GvarWriter.tag(name, "vev", operators.get(k / 2), k % 2));
          if (found == null || found.length != configurations.size()) {
            throw new InputException(
                path + ": one-point functions are incomplete; export it again");
          }
          row[k] = found[c][0];
        }
        onePoint.put(configurations.get(c), row);
      }
    }
    return new Series(
        name,
        root.string(GvarWriter.ENSEMBLE),
        operators,
        Series.signs(
            root.has(GvarWriter.CONJUGATION) ? list(root.ints(GvarWriter.CONJUGATION)) : List.of(),
            operators.size()),
        separations,
        root.has(GvarWriter.EXTENT)
            ? OptionalInt.of((int) root.integer(GvarWriter.EXTENT))
            : OptionalInt.empty(),
        values,
        onePoint);
  }

  private static List<Integer> list(int[] values) {
    return IntStream.of(values).boxed().toList();
  }

  private List<Series> series(String expected) {
    tags.values().removeIf(rows -> rows.length == 0 || rows[0].length == 0);
    if (tags.isEmpty()) {
      throw new InputException(
          path + ": is no result and holds no correlator; expected " + expected);
    }
    List<Series> series = new ArrayList<>();
    TreeSet<String> done = new TreeSet<>();
    for (String tag : tags.keySet()) {
      Matcher pair = PAIR.matcher(tag);
      String name = pair.matches() ? pair.group(1) : "";
      List<String> letters = pair.matches() ? letters(name) : List.of();
      if (letters.size() > 1) {
        if (done.add(name)) {
          series.add(series(name, letters, (i, j) -> tags.get(name + "." + i + j)));
        }
      } else {
        series.add(series(tag, List.of(tag), (i, j) -> tags.get(tag)));
      }
    }
    return series;
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

  private Series series(
      String name, List<String> operators, BiFunction<String, String, double @Nullable [][]> rows) {
    double[][] first = rows.apply(operators.get(0), operators.get(0));
    int times = first == null ? 0 : first[0].length;
    return new Series(
        name,
        "unknown",
        operators,
        Series.realSigns(operators.size()),
        IntStream.range(0, times).boxed().toList(),
        OptionalInt.empty(),
        matrix(
            operators,
            times,
            IntStream.range(0, first == null ? 0 : first.length).boxed().toList(),
            rows,
            null),
        Map.of());
  }

  /** Interleaved complex [separation][i][j] of every configuration. */
  private Map<Integer, double[]> matrix(
      List<String> operators,
      int separations,
      List<Integer> configurations,
      BiFunction<String, String, double @Nullable [][]> real,
      @Nullable BiFunction<String, String, double @Nullable [][]> imaginary) {
    int n = operators.size();
    Map<Integer, double[]> values = new LinkedHashMap<>();
    configurations.forEach(number -> values.put(number, new double[2 * separations * n * n]));
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int part = 0; part < 2; part++) {
          BiFunction<String, String, double @Nullable [][]> rows = part == 0 ? real : imaginary;
          if (rows == null) {
            continue;
          }
          double[][] found = rows.apply(operators.get(i), operators.get(j));
          if (found == null || found.length != configurations.size()) {
            throw incomplete(operators.get(i), operators.get(j), configurations.size());
          }
          for (int c = 0; c < found.length; c++) {
            if (found[c].length != separations) {
              throw incomplete(operators.get(i), operators.get(j), configurations.size());
            }
            double[] target = values.getOrDefault(configurations.get(c), new double[0]);
            for (int t = 0; t < separations; t++) {
              target[2 * ((t * n + i) * n + j) + part] = found[c][t];
            }
          }
        }
      }
    }
    return values;
  }

  private InputException incomplete(String sink, String source, int configurations) {
    return new InputException(
        path
            + ": '"
            + sink
            + "' and '"
            + source
            + "' lack numbers; expected as many on each of "
            + configurations
            + " configurations");
  }
}
