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
import java.util.stream.Stream;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.TemporaryFolder;
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
 * @param exact the result in double precision, of one configuration and source
 * @param configurations number of configurations that statistical errors come from; 0 without them
 * @param errors by sink, source and separation: {@code relative} is {@code |C_ij(single) -
 *     C_ij(double)| / √|C_ii C_jj|}, {@code statistical} the same difference over the statistical
 *     error of the mean; NaN where the denominator is zero or not known
 */
public record PrecisionCheck(CorrelatorData exact, int configurations, Table errors) {
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
      CorrelatorData exact = load(file);
      CorrelatorData rounded =
          load(folder.resolve(Precision.SINGLE.label()).resolve(file.getFileName()));
      checks.add(of(exact, rounded, statistics(results.resolve(file.getFileName()), exact)));
    }
    return checks;
  }

  private static CorrelatorData load(Path file) {
    return CorrelatorData.load(List.of(file), SelectionSettings.ALL).get(0);
  }

  /** Compares two results that have one unit, the same. */
  private static PrecisionCheck of(
      CorrelatorData exact, CorrelatorData rounded, @Nullable CorrelatorData statistics) {
    double[] expected = exact.configurations().get(0).sum();
    double[] actual = rounded.configurations().get(0).sum();
    int n = exact.size();
    Table errors =
        new Table(
            "elements", "", 2, "sink source separation", "relative statistical", new ArrayList<>());
    for (int at = 0; at < expected.length / 2; at++) {
      int first = at - at % (n * n);
      int i = at / n % n;
      int j = at % n;
      double difference =
          Math.hypot(actual[2 * at] - expected[2 * at], actual[2 * at + 1] - expected[2 * at + 1]);
      double size =
          Math.sqrt(
              modulus(expected, first + i * (n + 1)) * modulus(expected, first + j * (n + 1)));
      String sink = exact.operators().get(i);
      String source = exact.operators().get(j);
      int separation = exact.separations().get(at / (n * n));
      double error = statistics == null ? Double.NaN : error(statistics, sink, source, separation);
      errors.row(
          List.of(sink, source, separation), ratio(difference, size), ratio(difference, error));
    }
    int configurations = statistics == null ? 0 : statistics.configurations().size();
    return new PrecisionCheck(exact, configurations, errors);
  }

  private static double ratio(double difference, double size) {
    return size > 0 ? difference / size : Double.NaN;
  }

  private static double modulus(double[] numbers, int at) {
    return Math.hypot(numbers[2 * at], numbers[2 * at + 1]);
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
  private static @Nullable CorrelatorData statistics(Path file, CorrelatorData of) {
    if (!Files.exists(file)) {
      return null;
    }
    try (ResultReader reader = ResultReader.open(file)) {
      if (reader.finished().size() < 2 || !reader.header().ensemble().equals(of.ensemble())) {
        return null;
      }
    }
    return load(file);
  }

  /** The largest of some rows; NaN where none is known. */
  private static double largest(List<Table.Row> rows, int column) {
    return rows.stream()
        .mapToDouble(row -> (Double) row.cells().get(column))
        .filter(error -> !Double.isNaN(error))
        .max()
        .orElse(Double.NaN);
  }

  private int source() {
    return exact.configurations().get(0).sourceTimes().get(0);
  }

  /** The object of JSON; numbers that are not known are null. */
  public Map<String, @Nullable Object> describe() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("definition", exact.name());
    map.put("configuration", exact.numbers().get(0));
    map.put("source", source());
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
                exact.name(),
                exact.numbers().get(0),
                source(),
                known
                    ? " and to the statistical error of " + configurations + " configurations"
                    : "");
    String columns = known ? "error at_dt of_statistical" : "error at_dt";
    Table worst = new Table("", title, "sink source", columns);
    errors
        .parts()
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
