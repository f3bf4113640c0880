package org.starlingqcd.correlators.inspection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.result.CurrentAxes;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Insertion;
import org.starlingqcd.hadron.convention.Finding;
import org.starlingqcd.hadron.convention.Finding.Verdict;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;

/** Compares a result of three-point functions with what two-point functions alone give. */
public final class CurrentCheck {
  /** Differences are allowed up to this part of the largest element of an insertion. */
  private static final double TOLERANCE = 1e-9;

  /** The same in single precision. */
  private static final double SINGLE_TOLERANCE = 1e-3;

  /** Rounding of the numbers that a difference is taken of, in terms of the tolerance. */
  private static final double NOISE = 1e-3;

  private final ResultReader result;
  private final ResultHeader header;
  private final CurrentAxes axes;
  private final CurrentDefinition definition;
  private final double tolerance;
  private final Map<String, Outcome> outcomes = new LinkedHashMap<>();

  /** What is known of an insertion so far. */
  private static final class Outcome {
    private double worst = -1;
    private String where = "";
    private String notChecked = "";
  }

  private CurrentCheck(ResultReader result) {
    this.result = result;
    header = result.header();
    CurrentAxes currents = header.currents();
    if (currents == null
        || !(DefinitionLoader.parseAny(result.path() + " (definition)", header.definition())
            instanceof CurrentDefinition three)) {
      throw new InputException(
          result.path()
              + ": --three-point checks three-point functions, and these are two-point functions");
    }
    axes = currents;
    definition = three;
    tolerance = header.precision() == Precision.DOUBLE ? TOLERANCE : SINGLE_TOLERANCE;
  }

  /**
   * Checks the connected parts of a result.
   *
   * @param configurations the data
   * @param sources those of the result that are checked
   * @param insertions insertion separations of the result that are checked
   * @throws InputException when the result is of something else, or nothing of it can be checked
   */
  public static DataCheck of(
      ResultReader result,
      List<DistillationFiles.Configuration> configurations,
      NumberSelection sources,
      NumberSelection insertions) {
    return new CurrentCheck(result).check(configurations, sources, insertions);
  }

  private DataCheck check(
      List<DistillationFiles.Configuration> configurations,
      NumberSelection sources,
      NumberSelection insertions) {
    List<Integer> times = axes.separations().stream().filter(insertions::contains).toList();
    List<Integer> checked = new ArrayList<>();
    for (DistillationFiles.Configuration configuration : configurations) {
      int number = Math.toIntExact(configuration.number());
      List<Integer> some =
          result.finished().containsKey(number)
              ? result.read(number).correlators().keySet().stream()
                  .filter(sources::contains)
                  .toList()
              : List.of();
      if (!some.isEmpty() && !times.isEmpty()) {
        checked.add(number);
        try (DistillationData data = configuration.open();
            TwoPointRoute route = new TwoPointRoute(definition, data, header.separations())) {
          for (int source : some) {
            check(route, result.read(number), source, times, data.header().temporalExtent());
          }
        }
      }
    }
    if (checked.isEmpty()) {
      throw InputException.of(
          "%s has the configurations %s and the insertion separations %s, of which nothing is selected",
          result.path(),
          NumberSelection.text(result.finished().keySet()),
          NumberSelection.text(axes.separations()));
    }
    return new DataCheck(
        header.ensemble(), header.name() + " against two-point functions", checked, findings());
  }

  private void check(
      TwoPointRoute route,
      ResultReader.Configuration configuration,
      int source,
      List<Integer> times,
      int extent) {
    TwoPointRoute.Bound bound = route.at(source);
    double[] given = Objects.requireNonNull(configuration.correlators().get(source));
    String where = ", configuration " + configuration.number() + ", source " + source;
    int elements = 2 * header.operators().size() * axes.sources().size();
    int allTimes = elements * axes.separations().size();
    for (Insertion insertion : definition.insertions()) {
      Outcome outcome = outcomes.computeIfAbsent(insertion.name(), name -> new Outcome());
      if (insertion.terms().stream().anyMatch(term -> !term.bar().equals(term.quark()))) {
        outcome.notChecked = "it changes flavour, and two-point functions cannot";
        continue;
      }
      for (int t : times) {
        TwoPointRoute.Values values;
        try {
          values = route.of(bound, insertion, (source + t) % extent);
        } catch (DistillationException e) {
          outcome.notChecked = String.valueOf(e.getMessage());
          break;
        }
        for (int d = 0; d < header.separations().size(); d++) {
          double noise = NOISE * values.noise()[d];
          int first = header.offset("insertion/" + insertion.name() + "/connected") + d * allTimes;
          double scale = noise + largest(given, first, allTimes);
          double ofTwoPoint = noise + largest(given, d * elements, elements);
          first += axes.separations().indexOf(t) * elements;
          for (int e = 0; e < elements; e += 2) {
            int at = d * elements + e;
            compare(outcome, given, first + e, values.linear(), at, scale, where);
            compare(outcome, given, at, values.twoPoint(), at, ofTwoPoint, where);
          }
        }
      }
    }
  }

  private static double largest(double[] values, int first, int count) {
    return Arrays.stream(values, first, first + count).map(Math::abs).max().orElse(0);
  }

  private void compare(
      Outcome outcome,
      double[] given,
      int place,
      double[] expected,
      int at,
      double scale,
      String where) {
    double difference =
        Math.hypot(given[place] - expected[at], given[place + 1] - expected[at + 1]);
    double relative = scale > 0 ? difference / scale : difference;
    // Not a number is a difference, too.
    if (!(relative <= outcome.worst)) {
      outcome.worst = relative;
      outcome.where =
          String.format(
              Locale.US,
              "%s%s: (%.6g, %.6g), from two-point functions (%.6g, %.6g)",
              header.place(place),
              where,
              given[place],
              given[place + 1],
              expected[at],
              expected[at + 1]);
    }
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    outcomes.forEach(
        (name, outcome) -> {
          boolean failed = !(outcome.worst <= tolerance);
          findings.add(
              outcome.notChecked.isEmpty() || failed
                  ? new Finding(
                      "connected",
                      name,
                      Map.of("difference", outcome.worst),
                      String.format(Locale.US, "at most %.0e of the largest element", tolerance),
                      failed ? Verdict.FAILED : Verdict.PASSED,
                      failed ? outcome.where : "")
                  : notMeasured("connected", name, outcome.notChecked));
        });
    if (!axes.disconnected().isEmpty()) {
      findings.add(
          notMeasured("disconnected", "", "two-point functions have no loops of currents"));
    }
    List<Integer> others =
        IntStream.range(0, header.temporalExtent().orElse(0))
            .boxed()
            .filter(separation -> !header.separations().contains(separation))
            .toList();
    if (!others.isEmpty()) {
      findings.add(
          notMeasured(
              "separations",
              NumberSelection.text(others),
              "not in the result; by default it has those for which the data have every block"));
    }
    if (outcomes.values().stream().allMatch(outcome -> outcome.worst < 0)) {
      throw new InputException(
          header.name()
              + ": nothing can be checked: "
              + String.join(
                  "; ",
                  outcomes.entrySet().stream()
                      .map(e -> "'" + e.getKey() + "': " + e.getValue().notChecked)
                      .toList()));
    }
    return findings;
  }

  private static Finding notMeasured(String test, String label, String meaning) {
    return new Finding(test, label, Map.of(), "", Verdict.NOT_MEASURED, meaning);
  }
}
