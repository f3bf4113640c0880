package org.starlingqcd.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Medians of quantities that are measured in several rounds. */
final class Medians {
  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  /** Adds the value of a round. */
  void add(String quantity, double value) {
    values.computeIfAbsent(quantity, name -> new ArrayList<>()).add(value);
  }

  /** Quantities in the order in which they came. */
  Set<String> quantities() {
    return values.keySet();
  }

  /** The median over all rounds. */
  double of(String quantity) {
    double[] sorted =
        values.getOrDefault(quantity, List.of()).stream().mapToDouble(value -> value).toArray();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
