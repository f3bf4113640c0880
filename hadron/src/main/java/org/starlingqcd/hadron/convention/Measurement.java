package org.starlingqcd.hadron.convention;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A test: it collects values of some quantities configuration by configuration, and has a table of
 * what they mean.
 */
abstract class Measurement {
  private final String test;
  private final String expected;
  private final String needs;
  private final List<String> quantities;
  private final TreeMap<String, Values> byLabel = new TreeMap<>();

  /**
   * @param test name of the test
   * @param expected what is expected of the values, in words
   * @param needs the data without which there are no values
   * @param quantities names of the quantities, in the order to show them
   */
  Measurement(String test, String expected, String needs, List<String> quantities) {
    this.test = test;
    this.expected = expected;
    this.needs = needs;
    this.quantities = List.copyOf(quantities);
  }

  /** Adds the values of one configuration. */
  abstract void add(Blocks blocks);

  /** What values may mean, for values that are there; the first row that applies is the outcome. */
  abstract List<Row> table(Values values);

  /** A row of the table. */
  record Row(boolean applies, Verdict verdict, String meaning) {}

  static Row passed(boolean applies) {
    return new Row(applies, Verdict.PASSED, "");
  }

  static Row failed(boolean applies, String meaning) {
    return new Row(applies, Verdict.FAILED, meaning);
  }

  static Row undecided(boolean applies, String meaning) {
    return new Row(applies, Verdict.UNDECIDED, meaning);
  }

  /** The values of a label; "" where the test is of elementals. */
  final Values of(String label) {
    return byLabel.computeIfAbsent(label, key -> new Values(quantities));
  }

  /** The values to show, by name; empty where nothing was measured. */
  Map<String, Double> measured(Values values) {
    return values.means();
  }

  /** What a label lacks that has no values. */
  String needs(String label) {
    return needs;
  }

  /** What the values so far say. */
  final List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    byLabel.forEach(
        (label, values) -> {
          Map<String, Double> measured = measured(values);
          Row outcome =
              measured.isEmpty()
                  ? new Row(true, Verdict.NOT_MEASURED, "needs " + needs(label))
                  : table(values).stream().filter(Row::applies).findFirst().orElseThrow();
          findings.add(
              new Finding(test, label, measured, expected, outcome.verdict(), outcome.meaning()));
        });
    return findings;
  }

  /** The values of each quantity for one label. */
  static final class Values {
    private final Map<String, Sample> samples = new LinkedHashMap<>();

    private Values(List<String> quantities) {
      quantities.forEach(name -> samples.put(name, new Sample()));
    }

    Sample get(String quantity) {
      return Objects.requireNonNull(samples.get(quantity), quantity);
    }

    /** The means of the quantities that have values. */
    Map<String, Double> means() {
      Map<String, Double> means = new LinkedHashMap<>();
      samples.forEach(
          (name, sample) -> {
            if (!sample.isEmpty()) {
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
        agreeing += !sample.isEmpty() && sample.sign() * signs[k] > 0 ? 1 : 0;
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
