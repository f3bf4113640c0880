package org.starlingqcd.hadron.convention;

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

/**
 * A test: it collects values of some quantities configuration by configuration, and has a table of
 * what they mean.
 *
 * @param test name of the test
 * @param expected what is expected of the values, in words
 * @param needs the data without which there are no values
 * @param quantities names of the quantities, in the order to show them
 * @param adding adds the values of one configuration
 * @param shown the values to show, by name; empty where nothing was measured
 * @param table what values may mean; the first row that applies is the outcome
 */
record Measurement(
    String test,
    String expected,
    String needs,
    List<String> quantities,
    BiConsumer<Measurement, Blocks> adding,
    Function<Values, Map<String, Double>> shown,
    List<Row> table,
    TreeMap<String, Values> byLabel) {
  /** A test that shows all its values. */
  static Measurement of(
      String test,
      String expected,
      String needs,
      List<String> quantities,
      BiConsumer<Measurement, Blocks> adding,
      Row... table) {
    return new Measurement(
        test, expected, needs, quantities, adding, Values::means, List.of(table), new TreeMap<>());
  }

  /** Adds the values of one label or set in one configuration. */
  interface Adding {
    void add(Blocks blocks, String label, Values values);
  }

  /** A test of each label or set by itself. */
  static Measurement each(
      String test,
      String expected,
      String needs,
      List<String> quantities,
      Function<Blocks, Set<String>> labels,
      Adding adding,
      Row... table) {
    return of(
        test,
        expected,
        needs,
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
    return new Measurement(test, expected, needs, quantities, adding, other, table, byLabel);
  }

  /** The same test for elementals, which is listed even if there are no values. */
  Measurement ofElementals() {
    of("");
    return this;
  }

  /** A row of the table. */
  record Row(
      Predicate<Values> applies, Verdict verdict, Function<? super Values, String> meaning) {}

  static Row passed(Predicate<Values> applies) {
    return new Row(applies, Verdict.PASSED, v -> "");
  }

  static Row failed(Predicate<Values> applies, String meaning) {
    return failed(applies, v -> meaning);
  }

  static Row failed(Predicate<Values> applies, Function<? super Values, String> meaning) {
    return new Row(applies, Verdict.FAILED, meaning);
  }

  static Row undecided(Predicate<Values> applies, String meaning) {
    return new Row(applies, Verdict.UNDECIDED, v -> meaning);
  }

  static Row otherwiseFailed(String meaning) {
    return failed(values -> true, meaning);
  }

  /** The values of a label; "" where the test is of elementals. */
  Values of(String label) {
    return byLabel.computeIfAbsent(label, key -> new Values(quantities, needs));
  }

  /** What the values so far say. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    byLabel.forEach(
        (label, values) -> {
          Map<String, Double> measured = shown.apply(values);
          Row outcome =
              measured.isEmpty()
                  ? new Row(v -> true, Verdict.NOT_MEASURED, v -> "needs " + v.needs)
                  : table.stream().filter(r -> r.applies().test(values)).findFirst().orElseThrow();
          findings.add(
              new Finding(
                  test,
                  label,
                  measured,
                  expected,
                  outcome.verdict(),
                  outcome.meaning().apply(values)));
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
