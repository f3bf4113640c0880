package org.starlingqcd.analysis.precision;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.TextTable;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;

/**
 * A unit of a definition in both precisions, element by element.
 *
 * @param header of the result in double precision
 * @param configuration number of the configuration
 * @param source source time
 * @param configurations number of configurations that statistical errors come from; 0 without them
 * @param errors by separation, sink and source
 */
public record PrecisionComparison(
    ResultHeader header,
    int configuration,
    int source,
    int configurations,
    List<ElementError> errors) {

  /** Copies the list. */
  public PrecisionComparison {
    errors = List.copyOf(errors);
  }

  /**
   * Compares two results that have one unit, the same.
   *
   * @param statistics errors of the mean, or null where there are no results
   */
  static PrecisionComparison of(
      ResultReader exact, ResultReader rounded, @Nullable StatisticalErrors statistics) {
    ResultHeader header = exact.header();
    int configuration = exact.finished().firstKey();
    int source = exact.finished().values().iterator().next().first();
    double[] expected = correlator(exact, configuration, source);
    double[] actual = correlator(rounded, configuration, source);
    int n = header.operators().size();
    List<ElementError> errors = new ArrayList<>();
    for (int d = 0; d < header.separations().size(); d++) {
      int block = d * n * n;
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          int at = block + i * n + j;
          double difference =
              Math.hypot(
                  actual[2 * at] - expected[2 * at], actual[2 * at + 1] - expected[2 * at + 1]);
          double size =
              Math.sqrt(
                  modulus(expected, block + i * n + i) * modulus(expected, block + j * n + j));
          String sink = header.operators().get(i);
          String from = header.operators().get(j);
          int separation = header.separations().get(d);
          double error = statistics == null ? Double.NaN : statistics.of(sink, from, separation);
          errors.add(
              new ElementError(
                  sink, from, separation, ratio(difference, size), ratio(difference, error)));
        }
      }
    }
    int configurations = statistics == null ? 0 : statistics.configurations();
    return new PrecisionComparison(header, configuration, source, configurations, errors);
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

  /** The largest error relative to √(C_ii C_jj). */
  public double largestRelative() {
    return largest(errors, ElementError::relative);
  }

  /** The largest error relative to the statistical error; NaN where none is known. */
  public double largestStatistical() {
    return largest(errors, ElementError::statistical);
  }

  private static double largest(List<ElementError> some, ToDoubleFunction<ElementError> of) {
    return some.stream()
        .mapToDouble(of)
        .filter(error -> !Double.isNaN(error))
        .max()
        .orElse(Double.NaN);
  }

  /** The object of JSON. */
  Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("definition", header.name());
    map.put("configuration", configuration);
    map.put("source", source);
    map.put("configurations_of_statistical_errors", configurations);
    if (!Double.isNaN(largestRelative())) {
      map.put("largest_relative", largestRelative());
    }
    if (!Double.isNaN(largestStatistical())) {
      map.put("largest_statistical", largestStatistical());
    }
    map.put("elements", errors.stream().map(ElementError::describe).toList());
    return map;
  }

  /** A table with a row for every element, whose errors are the largest of all separations. */
  String text() {
    boolean known = configurations > 0;
    List<String> headings = new ArrayList<>(List.of("sink", "source", "error", "at dt"));
    if (known) {
      headings.add("of statistical");
    }
    TextTable table = new TextTable(TextTable.FirstColumn.LEFT, "  ", headings);
    Map<List<String>, List<ElementError>> elements = new LinkedHashMap<>();
    for (ElementError error : errors) {
      elements
          .computeIfAbsent(List.of(error.sink(), error.source()), key -> new ArrayList<>())
          .add(error);
    }
    elements.forEach(
        (names, all) -> {
          ElementError worst =
              all.stream()
                  .max(Comparator.comparingDouble(PrecisionComparison::orZero))
                  .orElseThrow();
          List<String> row = new ArrayList<>(names);
          row.add(number(worst.relative()));
          row.add(Integer.toString(worst.separation()));
          if (known) {
            row.add(number(largest(all, ElementError::statistical)));
          }
          table.row(row);
        });
    String where =
        String.format(
            Locale.ROOT,
            "%s, configuration %d, source %d: error of single precision relative to"
                + " sqrt(C_ii C_jj)%s%n",
            header.name(),
            configuration,
            source,
            known ? " and to the statistical error of " + configurations + " configurations" : "");
    return where + table;
  }

  private static double orZero(ElementError error) {
    return Double.isNaN(error.relative()) ? 0 : error.relative();
  }

  private static String number(double error) {
    return Double.isNaN(error) ? "-" : String.format(Locale.ROOT, "%.1e", error);
  }
}
