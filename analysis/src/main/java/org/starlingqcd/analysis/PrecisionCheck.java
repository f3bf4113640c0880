package org.starlingqcd.analysis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.TemporaryFolder;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunListener;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.hadron.data.DistillationFiles;

/**
 * What single precision changes in correlators, beside their statistical errors: one unit of a
 * definition in both precisions, element by element.
 *
 * @param header of the result in double precision
 * @param configuration number of the configuration
 * @param source source time
 * @param configurations number of configurations that statistical errors come from; 0 without them
 * @param errors by sink, source and separation: {@code relative} is {@code |C_ij(single) -
 *     C_ij(double)| / √|C_ii C_jj|}, {@code statistical} the same difference over the statistical
 *     error of the mean; NaN where the denominator is zero or not known
 */
public record PrecisionCheck(
    ResultHeader header, int configuration, int source, int configurations, Table errors) {
  /**
   * Computes the first configuration and source of a run in both precisions. Results go to a
   * temporary folder; those in the run's own folder are only read, for their statistical errors.
   *
   * @return one for each definition
   * @throws InputException when something the user gave is wrong
   */
  public static List<PrecisionCheck> of(RunSettings settings, RunListener listener) {
    int configuration =
        DistillationFiles.discover(settings.data()).stream()
            .mapToInt(found -> Math.toIntExact(found.number()))
            .filter(settings.configurations::contains)
            .min()
            .orElseThrow(
                () ->
                    new InputException(
                        "--configurations " + settings.configurations + ": the data have none"));
    List<NumberSelection.Range> sources = settings.sources.ranges();
    int source = sources.isEmpty() ? 0 : sources.get(0).first();
    try (TemporaryFolder folder = TemporaryFolder.of("starling-precision-")) {
      for (Precision precision : Precision.values()) {
        Path out = folder.path().resolve(precision.label());
        RunSettings one = settings.unit(configuration, source, out, precision);
        new CorrelatorRun(one, listener).execute();
      }
      return compared(folder.path(), settings.out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<PrecisionCheck> compared(Path folder, Path results) throws IOException {
    List<PrecisionCheck> checks = new ArrayList<>();
    List<Path> files;
    try (Stream<Path> found = Files.walk(folder.resolve(Precision.DOUBLE.label()))) {
      files = found.filter(file -> file.toString().endsWith(".h5")).sorted().toList();
    }
    for (Path file : files) {
      Path other = folder.resolve(Precision.SINGLE.label()).resolve(file.getFileName());
      try (ResultReader exact = ResultReader.open(file);
          ResultReader rounded = ResultReader.open(other)) {
        String ensemble = exact.header().ensemble();
        checks.add(of(exact, rounded, statistics(results.resolve(file.getFileName()), ensemble)));
      }
    }
    return checks;
  }

  /** Compares two results that have one unit, the same. */
  private static PrecisionCheck of(
      ResultReader exact, ResultReader rounded, @Nullable CorrelatorData statistics) {
    ResultHeader header = exact.header();
    int configuration = exact.finished().firstKey();
    int source = exact.finished().values().iterator().next().first();
    double[] expected = correlator(exact, configuration, source);
    double[] actual = correlator(rounded, configuration, source);
    int n = header.operators().size();
    Table errors = new Table("elements", "", "sink source separation", "relative statistical");
    for (int at = 0; at < expected.length / 2; at++) {
      int d = at / (n * n);
      int i = at / n % n;
      int j = at % n;
      double difference =
          Math.hypot(actual[2 * at] - expected[2 * at], actual[2 * at + 1] - expected[2 * at + 1]);
      double size =
          Math.sqrt(
              modulus(expected, (d * n + i) * n + i) * modulus(expected, (d * n + j) * n + j));
      String sink = header.operators().get(i);
      String from = header.operators().get(j);
      int separation = header.separations().get(d);
      double error = statistics == null ? Double.NaN : error(statistics, sink, from, separation);
      errors.row(
          List.of(sink, from, separation), ratio(difference, size), ratio(difference, error));
    }
    int configurations = statistics == null ? 0 : statistics.configurations().size();
    return new PrecisionCheck(header, configuration, source, configurations, errors);
  }

  private static double ratio(double difference, double size) {
    return size > 0 ? difference / size : Double.NaN;
  }

  private static double modulus(double[] numbers, int at) {
    return Math.hypot(numbers[2 * at], numbers[2 * at + 1]);
  }

  private static double[] correlator(ResultReader reader, int configuration, int source) {
    double[] found = reader.read(configuration).correlators().get(source);
    if (found == null) {
      throw new IllegalStateException("no source " + source + " in " + reader.path());
    }
    return found;
  }

  /**
   * The error of the mean of a matrix element over the configurations of a result, each averaged
   * over its sources: {@code √(Σ |C - mean|² / (n (n - 1)))}, of real and imaginary parts together;
   * NaN where the result does not have it. Correlations between configurations are not looked at.
   */
  private static double error(CorrelatorData data, String sink, String source, int separation) {
    int i = data.operators().indexOf(sink);
    int j = data.operators().indexOf(source);
    int d = data.separations().indexOf(separation);
    if (i < 0 || j < 0 || d < 0) {
      return Double.NaN;
    }
    int index = 2 * ((d * data.size() + i) * data.size() + j);
    double squares =
        StatUtils.variance(data.averages(index)) + StatUtils.variance(data.averages(index + 1));
    return Math.sqrt(squares / data.configurations().size());
  }

  /**
   * The result that errors come from; null when there is no such file, it is of another ensemble,
   * or it has fewer than two configurations.
   */
  private static @Nullable CorrelatorData statistics(Path file, String ensemble) {
    if (!Files.exists(file)) {
      return null;
    }
    try (ResultReader reader = ResultReader.open(file)) {
      if (reader.finished().size() < 2 || !reader.header().ensemble().equals(ensemble)) {
        return null;
      }
    }
    return CorrelatorLoader.load(List.of(file), Selection.ALL).get(0);
  }

  /** The largest of some rows; NaN where none is known. */
  private static double largest(List<Table.Row> rows, int column) {
    return rows.stream()
        .mapToDouble(row -> (Double) row.cells().get(column))
        .filter(error -> !Double.isNaN(error))
        .max()
        .orElse(Double.NaN);
  }

  /** The object of JSON; numbers that are not known are null. */
  public Map<String, @Nullable Object> describe() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("definition", header.name());
    map.put("configuration", configuration);
    map.put("source", source);
    map.put("configurations_of_statistical_errors", configurations);
    map.put("largest_relative", Table.number(largest(errors.rows(), 0)));
    map.put("largest_statistical", Table.number(largest(errors.rows(), 1)));
    map.put("elements", errors.json());
    return map;
  }

  /** A table with a row for every element, whose errors are the largest of all separations. */
  public String text() {
    boolean known = configurations > 0;
    String title =
        "%s, configuration %s, source %s: error of single precision relative to sqrt(C_ii C_jj)%s"
            .formatted(
                header.name(),
                configuration,
                source,
                known
                    ? " and to the statistical error of " + configurations + " configurations"
                    : "");
    String columns = known ? "error at_dt of_statistical" : "error at_dt";
    Table worst = new Table("", title, "sink source", columns);
    errors.rows().stream()
        .collect(
            Collectors.groupingBy(
                row -> row.place().subList(0, 2), LinkedHashMap::new, Collectors.toList()))
        .forEach(
            (place, rows) -> {
              Double error = largest(rows, 0);
              Table.Row at =
                  rows.stream()
                      .filter(row -> row.cells().get(0).equals(error))
                      .findFirst()
                      .orElse(rows.get(0));
              Object[] cells = {error, at.place().get(2), largest(rows, 1)};
              worst.row(place, Arrays.copyOf(cells, known ? 3 : 2));
            });
    return Table.text(List.of(worst));
  }
}
