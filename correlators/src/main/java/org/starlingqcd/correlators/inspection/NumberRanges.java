package org.starlingqcd.correlators.inspection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** Numbers as people write them: {@code 0, 3, 10-20}. */
final class NumberRanges {
  /** Runs of at least this many neighbours become a range. */
  private static final int SHORTEST_RANGE = 3;

  private NumberRanges() {}

  /** The text of numbers, ascending; {@code none} where there are none. */
  static String text(Collection<Integer> numbers) {
    List<String> parts = new ArrayList<>();
    List<Integer> run = new ArrayList<>();
    for (int number : new TreeSet<>(numbers)) {
      if (!run.isEmpty() && run.get(run.size() - 1) + 1 != number) {
        finish(run, parts);
      }
      run.add(number);
    }
    finish(run, parts);
    return parts.isEmpty() ? "none" : String.join(", ", parts);
  }

  private static void finish(List<Integer> run, List<String> parts) {
    if (run.size() >= SHORTEST_RANGE) {
      parts.add(run.get(0) + "-" + run.get(run.size() - 1));
    } else {
      run.forEach(number -> parts.add(number.toString()));
    }
    run.clear();
  }
}
