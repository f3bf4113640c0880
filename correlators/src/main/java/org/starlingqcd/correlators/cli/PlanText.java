package org.starlingqcd.correlators.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.TextTable;

/** The text of {@code starling plan}: a column for each definition, and what follows beneath. */
final class PlanText {
  private static final int COLUMN = 35;
  private static final String MEASURED = "FLOP/s (measured)";
  private static final double GIGA = 1e-9;
  private static final String TIME = "estimated_time";

  private static final double MINUTE = 60;
  private static final double HOUR = 3600;

  /** More seconds than this are printed as minutes. */
  private static final double SECONDS = 120;

  /** More minutes than this are printed as hours. */
  private static final double MINUTES = 120;

  private PlanText() {}

  /**
   * The text.
   *
   * @param reports the definitions one by one, and then all together if there are several
   */
  static String of(List<Map<String, @Nullable Object>> reports) {
    List<String> headings = new ArrayList<>(List.of(""));
    for (Map<String, @Nullable Object> report : reports) {
      headings.add(report.get("definition") instanceof String name ? name : "together");
    }
    TextTable table = new TextTable(TextTable.FirstColumn.LEFT, "", headings);
    number(table, reports, "operators", "operators");
    number(table, reports, "diagrams", "diagrams");
    number(table, reports, "distinct diagrams", "unique_diagrams");
    number(table, reports, "hadron nodes", "initial_nodes");
    number(table, reports, "matrix products", "products");
    number(table, reports, "  if nothing were shared", "products_unshared");
    number(table, reports, "traces", "traces");
    number(table, reports, "  if nothing were shared", "traces_unshared");
    number(table, reports, "intermediates", "intermediates");
    if (reports.stream().anyMatch(report -> report.containsKey("n4_products"))) {
      number(table, reports, "N^4 contractions", "n4_contractions");
      number(table, reports, "  if nothing were shared", "n4_contractions_unshared");
      number(table, reports, "N^4 products", "n4_products");
      number(table, reports, "  if nothing were shared", "n4_products_unshared");
    }
    number(table, reports, "batches", "vectors");
    row(table, reports, "operations (flop)", report -> count(value(report, "flops")));
    row(
        table,
        reports,
        "device memory at the peak",
        report -> MemorySize.text(((Number) value(report, "peak_bytes")).longValue()));
    row(
        table,
        reports,
        "data to read",
        report -> MemorySize.text(((Number) value(inputs(report), "bytes")).longValue()));
    if (reports.stream().allMatch(report -> report.get(TIME) != null)) {
      row(
          table,
          reports,
          "estimated time",
          report -> seconds(((Number) value(time(report), "seconds")).doubleValue()));
    }
    row(
        table,
        reports,
        "planning took (s)",
        report ->
            String.format(
                Locale.ROOT,
                "%.2f",
                ((Map<?, ?>) value(report, "planning_seconds"))
                    .values().stream().mapToDouble(value -> ((Number) value).doubleValue()).sum()));
    Map<String, @Nullable Object> all = reports.get(reports.size() - 1);
    StringBuilder text = new StringBuilder();
    text.append("One source and one separation, N = ").append(all.get("tensor_size"));
    if (!Precision.DOUBLE.label().equals(all.get("precision"))) {
      text.append(", ").append(all.get("precision")).append(" precision");
    }
    text.append(String.format("%n%n%s%n", table))
        .append(needs(all))
        .append(String.format("%n%s", time(all.get(TIME))));
    Listing more = new Listing(COLUMN);
    for (String key : List.of("memory", "devices", "comparison")) {
      if (all.containsKey(key)) {
        more.heading("");
        add("", key, value(all, key), more);
      }
    }
    return text.append(more).toString();
  }

  private static Object value(Map<?, ?> report, String key) {
    return Objects.requireNonNull(report.get(key), key);
  }

  private static Map<?, ?> inputs(Map<String, @Nullable Object> report) {
    return (Map<?, ?>) value(report, "inputs");
  }

  /** Such as {@code needs: perambulators light; meson elementals none up to n² = 3}. */
  private static String needs(Map<String, @Nullable Object> report) {
    Map<?, ?> inputs = inputs(report);
    List<String> parts = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    ((Iterable<?>) value(inputs, "labels")).forEach(label -> labels.add(String.valueOf(label)));
    parts.add("perambulators " + String.join(", ", labels));
    for (String kind : List.of("meson", "baryon")) {
      List<String> elementals = new ArrayList<>();
      ((Map<?, ?>) value(inputs, kind + "_elementals"))
          .forEach((name, squared) -> elementals.add(name + " up to n^2 = " + squared));
      if (!elementals.isEmpty()) {
        parts.add(kind + " elementals " + String.join(", ", elementals));
      }
    }
    return "A run needs " + String.join("; ", parts) + ".";
  }

  private static Map<?, ?> time(Map<String, @Nullable Object> report) {
    return (Map<?, ?>) value(report, TIME);
  }

  /** What the time is made of, or how to get one. */
  private static String time(@Nullable Object estimate) {
    if (!(estimate instanceof Map<?, ?> time)) {
      return String.format(
          "No time is estimated: `starling backends --calibrate` measures this machine first.%n");
    }
    ToDoubleFunction<String> number = key -> ((Number) value(time, key)).doubleValue();
    return String.format(
            Locale.ROOT,
            "Estimated time on the CPU of this machine, %d threads:%n",
            (long) number.applyAsDouble("threads"))
        + estimate(number, "contractions", "contractions", "contraction_flops_per_second", MEASURED)
        + estimate(number, "traces", "traces", "trace_flops_per_second", MEASURED)
        + estimate(number, "reading", "read", "read_bytes_per_second", "B/s (assumed)")
        + String.format(
            "  everything else %s (assumed)%n", seconds(number.applyAsDouble("overhead")));
  }

  private static String estimate(
      ToDoubleFunction<String> number, String name, String seconds, String rate, String unit) {
    return String.format(
        Locale.ROOT,
        "  %-15s %s, at %.3g G%s%n",
        name,
        seconds(number.applyAsDouble(seconds)),
        GIGA * number.applyAsDouble(rate),
        unit);
  }

  /** Two digits, in a unit for people: an estimate has no more. */
  static String seconds(double seconds) {
    if (seconds >= MINUTES * MINUTE) {
      return digits(seconds / HOUR) + " h";
    }
    if (seconds >= SECONDS) {
      return digits(seconds / MINUTE) + " min";
    }
    return seconds >= 1 ? digits(seconds) + " s" : digits(seconds * 1e3) + " ms";
  }

  private static String digits(double value) {
    return new BigDecimal(value)
        .round(new MathContext(value >= 100 ? 3 : 2))
        .stripTrailingZeros()
        .toPlainString();
  }

  private static void number(
      TextTable table, List<Map<String, @Nullable Object>> reports, String name, String key) {
    row(table, reports, name, report -> report.containsKey(key) ? count(value(report, key)) : "");
  }

  private static void row(
      TextTable table,
      List<Map<String, @Nullable Object>> reports,
      String name,
      Function<Map<String, @Nullable Object>, String> value) {
    List<String> cells = new ArrayList<>(List.of(name));
    reports.forEach(report -> cells.add(value.apply(report)));
    table.row(cells);
  }

  private static String count(Object number) {
    double value = ((Number) number).doubleValue();
    return value == Math.rint(value) && value < 1e9
        ? String.valueOf((long) value)
        : String.format(Locale.ROOT, "%.4g", value);
  }

  /** One line for each value; those of a map stand beneath its key. */
  private static void add(String indent, String key, Object value, Listing text) {
    String name = indent + key.replace('_', ' ').replaceFirst(" bytes$", "");
    if (value instanceof Map<?, ?> map) {
      text.heading(name);
      map.forEach((inner, its) -> add(indent + "  ", String.valueOf(inner), its, text));
    } else {
      text.line(name, text(key, value));
    }
  }

  private static String text(String key, Object value) {
    if (key.endsWith("_bytes") || key.startsWith("bytes_")) {
      long bytes = ((Number) value).longValue();
      return bytes == Long.MAX_VALUE ? "does not fit" : MemorySize.text(bytes);
    }
    return value instanceof Double number
        ? String.format(Locale.ROOT, "%.4g", number)
        : String.valueOf(value);
  }
}
