package org.starlingqcd.correlators.inspection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.convention.ConventionCheck;
import org.starlingqcd.hadron.convention.Finding;
import org.starlingqcd.hadron.convention.Finding.Verdict;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;

/**
 * Tests of the data of one ensemble, or of a result.
 *
 * @param ensemble name of the ensemble
 * @param subject what is tested, in words
 * @param configurations numbers of the configurations that were read
 * @param findings the outcome of every test
 */
public record DataCheck(
    String ensemble, String subject, List<Integer> configurations, List<Finding> findings) {
  private static final int COLUMN = 32;

  /** Copies the lists. */
  public DataCheck {
    configurations = List.copyOf(configurations);
    findings = List.copyOf(findings);
  }

  /**
   * Tests the configurations of one ensemble together.
   *
   * @throws org.starlingqcd.hadron.data.DistillationException when data cannot be read
   */
  public static DataCheck of(List<DistillationFiles.Configuration> configurations) {
    ConventionCheck check = new ConventionCheck();
    List<Integer> numbers = new ArrayList<>();
    for (DistillationFiles.Configuration configuration : configurations) {
      numbers.add(Math.toIntExact(configuration.number()));
      try (DistillationData data = configuration.open()) {
        check.add(data);
      }
    }
    return new DataCheck(
        configurations.get(0).header().ensemble(),
        "conventions of the data",
        numbers,
        check.findings());
  }

  /** The number of tests that failed. */
  public int failed() {
    return (int) findings.stream().filter(f -> f.verdict() == Verdict.FAILED).count();
  }

  /** As JSON: {@code ensemble}, {@code configurations}, {@code tests}, {@code failed}. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("ensemble", ensemble);
    map.put("configurations", configurations);
    List<Map<String, @Nullable Object>> tests = new ArrayList<>();
    for (Finding finding : findings) {
      Map<String, @Nullable Object> entry = new LinkedHashMap<>();
      entry.put("test", finding.test());
      entry.put("label", finding.label().isEmpty() ? null : finding.label());
      entry.put("measured", finding.measured());
      entry.put("expected", finding.expected());
      entry.put("verdict", finding.verdict().key());
      entry.put("meaning", finding.meaning());
      tests.add(entry);
    }
    map.put("tests", tests);
    map.put("failed", failed());
    return map;
  }

  /** The findings for a reader. */
  public String text() {
    Listing text = new Listing(COLUMN);
    text.heading(ensemble + ": " + subject);
    text.line("  configurations", NumberSelection.text(configurations));
    for (Finding finding : findings) {
      String values = values(finding.measured());
      text.line(
          "  " + (finding.test() + " " + finding.label()).strip(),
          finding.verdict().text()
              + (values.isEmpty() ? "" : ": " + values)
              + (finding.expected().isEmpty() ? "" : " (expected: " + finding.expected() + ")"));
      if (!finding.meaning().isEmpty()) {
        text.line("", finding.meaning());
      }
    }
    return text.toString();
  }

  private static String values(Map<String, Double> measured) {
    List<String> values = new ArrayList<>();
    measured.forEach(
        (name, value) ->
            values.add(
                name
                    + " = "
                    + (value == Math.rint(value) && Math.abs(value) < 1e6
                        ? Long.toString(Math.round(value))
                        : String.format(Locale.US, "%.3g", value))));
    return String.join(", ", values);
  }
}
