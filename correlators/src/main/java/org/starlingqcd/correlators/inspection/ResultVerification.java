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
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.result.CurrentAxes;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Insertion;

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

  @SuppressWarnings("AnnotateFormatMethod")
  private void fault(String form, Object... values) {
    faults.add(String.format(Locale.US, form, values));
  }

  private void verifyDefinition() {
    ResultHeader header = reader.header();
    try {
      AnyDefinition definition =
          DefinitionLoader.parseAny(reader.path() + " (definition)", header.definition());
      List<String> operators = definition.operatorNames();
      if (!definition.name().equals(header.name()) || !operators.equals(header.operators())) {
        fault(
            "the definition is of '%s' with the operators %s, the file of '%s' with %s",
            definition.name(), operators, header.name(), header.operators());
      }
      CurrentAxes currents = header.currents();
      if ((definition instanceof CurrentDefinition) != (currents != null)) {
        faults.add("the definition and the file are not both of three-point functions");
      } else if (definition instanceof CurrentDefinition three && currents != null) {
        List<String> insertions = three.insertions().stream().map(Insertion::name).toList();
        if (!insertions.equals(currents.insertions())
            || !three.source().operatorNames().equals(currents.sources())) {
          faults.add("the definition has other insertions or source operators than the file");
        }
      } else if (definition instanceof Definition twoPoint
          && twoPoint.header().onePoint()
          && !header.onePoint()) {
        faults.add("the definition has one-point functions, but the file has none");
      }
    } catch (InputException e) {
      faults.add("the definition cannot be read: " + e.getMessage());
    }
  }

  private void verify(ResultReader.Configuration configuration) {
    ResultHeader header = reader.header();
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
        fault(
            "%s%d of %d numbers are not finite, the first at %s",
            where, wrong, values.length, header.place(first));
      } else if (Arrays.stream(values).allMatch(x -> x == 0)) {
        faults.add(where + "all numbers are zero: they were never written");
      }
    }
    verifyOnePoint(configuration);
  }

  private void verifyOnePoint(ResultReader.Configuration configuration) {
    if (!reader.header().onePoint() || reader.header().currents() != null) {
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
