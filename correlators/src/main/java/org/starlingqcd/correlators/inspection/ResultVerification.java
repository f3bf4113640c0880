package org.starlingqcd.correlators.inspection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.definition.OperatorDefinition;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.NumberSelection;

/** Looks for faults in a result file: in shapes, numbers, times and the definition. */
final class ResultVerification {
  private final ResultReader reader;
  private final List<String> faults = new ArrayList<>();

  ResultVerification(ResultReader reader) {
    this.reader = reader;
  }

  /** Reads everything, one configuration at a time. */
  List<String> faults() {
    verifyDefinition();
    for (int number : reader.finished().keySet()) {
      try {
        verify(reader.read(number));
      } catch (InputException e) {
        faults.add(String.valueOf(e.getMessage()));
      }
    }
    return faults;
  }

  private void verifyDefinition() {
    ResultHeader header = reader.header();
    try {
      Definition definition =
          DefinitionLoader.parse(reader.path() + " (definition)", header.definition());
      List<String> operators =
          definition.operators().stream().map(OperatorDefinition::name).toList();
      if (!definition.name().equals(header.name()) || !operators.equals(header.operators())) {
        faults.add(
            String.format(
                Locale.ROOT,
                "the definition is of '%s' with the operators %s, the file of '%s' with %s",
                definition.name(),
                operators,
                header.name(),
                header.operators()));
      }
      if (definition.header().onePoint() && !header.onePoint()) {
        faults.add("the definition has one-point functions, but the file has none");
      }
    } catch (InputException e) {
      faults.add("the definition cannot be read: " + e.getMessage());
    }
  }

  private void verify(ResultReader.Configuration configuration) {
    ResultHeader header = reader.header();
    int n = header.operators().size();
    for (Map.Entry<Integer, double[]> entry : configuration.correlators().entrySet()) {
      double[] values = entry.getValue();
      String where =
          "configuration " + configuration.number() + ", source " + entry.getKey() + ": ";
      long wrong = Arrays.stream(values).filter(x -> !Double.isFinite(x)).count();
      if (wrong > 0) {
        int first = 0;
        while (Double.isFinite(values[first])) {
          first++;
        }
        faults.add(
            String.format(
                Locale.ROOT,
                "%s%d of %d numbers are not finite, the first at separation %d, sink '%s', source '%s'",
                where,
                wrong,
                values.length,
                header.separations().get(first / 2 / (n * n)),
                header.operators().get(first / 2 / n % n),
                header.operators().get(first / 2 % n)));
      } else if (Arrays.stream(values).allMatch(x -> x == 0)) {
        faults.add(where + "all numbers are zero: they were never written");
      }
    }
    verifyOnePoint(configuration);
  }

  private void verifyOnePoint(ResultReader.Configuration configuration) {
    if (!reader.header().onePoint()) {
      return;
    }
    String where = "configuration " + configuration.number() + ": ";
    configuration
        .onePoint()
        .forEach(
            (time, row) -> {
              if (Arrays.stream(row).anyMatch(x -> !Double.isFinite(x))) {
                faults.add(where + "one-point functions at time " + time + " are not finite");
              }
            });
    OptionalInt extent = reader.header().temporalExtent();
    SortedSet<Integer> missing = new TreeSet<>(configuration.correlators().keySet());
    if (extent.isPresent()) {
      for (int source : configuration.correlators().keySet()) {
        for (int separation : reader.header().separations()) {
          missing.add((source + separation) % extent.getAsInt());
        }
      }
    }
    missing.removeAll(configuration.onePoint().keySet());
    if (!missing.isEmpty()) {
      faults.add(
          where + "one-point functions are missing at the times " + NumberSelection.text(missing));
    }
  }
}
