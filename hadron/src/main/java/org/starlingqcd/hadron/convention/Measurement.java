package org.starlingqcd.hadron.convention;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.starlingqcd.hadron.convention.Finding.Verdict;
import org.starlingqcd.hadron.yaml.Fields;
import org.starlingqcd.hadron.yaml.Place;

/**
 * A test: it collects values of some quantities configuration by configuration, and has a table of
 * what they mean. Its texts stand in {@code checks.yaml}.
 *
 * @param test name of the test
 * @param quantities names of the quantities, in the order to show them
 * @param adding adds the values of one configuration
 * @param shown the values to show, by name; empty where nothing was measured
 * @param table what values may mean; the first row that applies is the outcome
 */
record Measurement(
    String test,
    List<String> quantities,
    BiConsumer<Measurement, Blocks> adding,
    Function<Values, Map<String, Double>> shown,
    List<Row> table,
    TreeMap<String, Values> byLabel) {
  private static final Fields TEXTS = texts();

  private static Fields texts() {
    try (InputStream in = Measurement.class.getResourceAsStream("checks.yaml")) {
      return Fields.parse(
          new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8),
          "the checks",
          Place.start((line, part, message, cause) -> new IllegalStateException(message, cause)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is expected of the values, what data they need, or what an outcome means, in words. */
  private String text(String key) {
    return TEXTS.fields(test, test).text(key);
  }

  /** A test that shows all its values. */
  static Measurement of(
      String test, List<String> quantities, BiConsumer<Measurement, Blocks> adding, Row... table) {
    return new Measurement(
        test, quantities, adding, Values::means, List.of(table), new TreeMap<>());
  }

  /** Adds the values of one label or set in one configuration. */
  interface Adding {
    void add(Blocks blocks, String label, Values values);
  }

  /** A test of each label or set by itself. */
  static Measurement each(
      String test,
      List<String> quantities,
      Function<Blocks, Set<String>> labels,
      Adding adding,
      Row... table) {
    return of(
        test,
        quantities,
        (measurement, blocks) -> {
          for (String label : labels.apply(blocks)) {
            adding.add(blocks, label, measurement.of(label));
          }
        },
        table);
  }

  /** The same test that shows other values. */
  Measurement showing(Function<Values, Map<String, Double>> other) {
    return new Measurement(test, quantities, adding, other, table, byLabel);
  }

  /** The same test for elementals, which is listed even if there are no values. */
  Measurement ofElementals() {
    of("");
    return this;
  }

  /**
   * A row of the table.
   *
   * @param key of its text, into which {@code detail} is put; empty for none
   */
  record Row(
      Predicate<Values> applies, Verdict verdict, String key, Function<Values, String> detail) {}

  static Row passed(Predicate<Values> applies) {
    return new Row(applies, Verdict.PASSED, "", v -> "");
  }

  static Row failed(String key, Predicate<Values> applies) {
    return failed(key, applies, v -> "");
  }

  static Row failed(String key, Predicate<Values> applies, Function<Values, String> detail) {
    return new Row(applies, Verdict.FAILED, key, detail);
  }

  static Row undecided(Predicate<Values> applies) {
    return new Row(applies, Verdict.UNDECIDED, "undecided", v -> "");
  }

  static Row otherwiseFailed() {
    return failed("failed", v -> true);
  }

  /** The values of a label; "" where the test is of elementals. */
  Values of(String label) {
    return byLabel.computeIfAbsent(label, key -> new Values(quantities, text("needs")));
  }

  /** What the values so far say. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    byLabel.forEach(
        (label, values) -> {
          Map<String, Double> measured = shown.apply(values);
          Verdict verdict = Verdict.NOT_MEASURED;
          String meaning = "needs " + values.needs;
          if (!measured.isEmpty()) {
            Row row =
                table.stream().filter(r -> r.applies().test(values)).findFirst().orElseThrow();
            verdict = row.verdict();
            meaning =
                row.key().isEmpty() ? "" : text(row.key()).formatted(row.detail().apply(values));
          }
          findings.add(new Finding(test, label, measured, text("expected"), verdict, meaning));
        });
    return findings;
  }

  /** Values of one quantity on several sources or time slices: their mean and its error. */
  static final class Sample {
    private int count;
    private double sum;
    private double squares;
    private String where = "";

    void add(double value) {
      count++;
      sum += value;
      squares += value * value;
    }

    void raise(double value) {
      raise(value, "");
    }

    /** Keeps the largest value, or NaN, instead of a mean, and where it was found. */
    void raise(double value, String place) {
      // Negated so that NaN is kept.
      if (count == 0 || (!(value <= sum) && !Double.isNaN(sum))) {
        sum = value;
        where = place;
      }
      count = 1;
    }

    /** Where the largest value was found. */
    String where() {
      return where;
    }

    int count() {
      return count;
    }

    /** The mean; NaN without values. */
    double mean() {
      return sum / count;
    }

    /**
     * +1 or -1, or 0 where the mean is less than two standard errors from zero. One value has no
     * error.
     */
    int sign() {
      double variance = count < 2 ? 0 : (squares - sum * sum / count) / (count - 1);
      double error = Math.sqrt(Math.max(0, variance) / count);
      return Math.abs(mean()) > 2 * error ? (int) Math.signum(mean()) : 0;
    }
  }

  /** The values of each quantity for one label. */
  static final class Values {
    private final Map<String, Sample> samples = new LinkedHashMap<>();
    private String needs;

    private Values(List<String> quantities, String needs) {
      this.needs = needs;
      quantities.forEach(name -> samples.put(name, new Sample()));
    }

    /** Says what this label lacks instead. */
    void needs(String what) {
      needs = what;
    }

    Sample get(String quantity) {
      return Objects.requireNonNull(samples.get(quantity), quantity);
    }

    /** The mean of a quantity. */
    double mean(String quantity) {
      return get(quantity).mean();
    }

    /** The means of the quantities that have values. */
    Map<String, Double> means() {
      Map<String, Double> means = new LinkedHashMap<>();
      samples.forEach(
          (name, sample) -> {
            if (sample.count() > 0) {
              means.put(name, sample.mean());
            }
          });
      return means;
    }

    /** How many quantities have the sign that is expected of them, quantity by quantity. */
    int agreeing(int... signs) {
      int agreeing = 0;
      int k = 0;
      for (Sample sample : samples.values()) {
        agreeing += sample.count() > 0 && sample.sign() * signs[k] > 0 ? 1 : 0;
        k++;
      }
      return agreeing;
    }

    /** Whether all quantities that have values have these signs. */
    boolean all(int... signs) {
      return agreeing(signs) == means().size();
    }
  }
}
