package org.starlingqcd.correlators.inspection;

import com.google.common.collect.Collections2;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.graph.Momentum;

/**
 * Momenta in short: shells of those that a cubic rotation or reflection carries into each other.
 */
final class MomentumShells {
  /** A shell with fewer momenta missing than this lists them. */
  private static final int MOST_LISTED = 5;

  private static final Comparator<Momentum> BY_LENGTH =
      Comparator.<Momentum>comparingLong(Momentum::squared)
          .thenComparing(Comparator.naturalOrder());

  private MomentumShells() {}

  /** Such as {@code [0, 0, 0], all 6 of [0, 0, 1], 11 of 12 of [0, 1, 1] without [1, -1, 0]}. */
  static String text(Collection<Momentum> momenta) {
    TreeMap<Momentum, SortedSet<Momentum>> shells = new TreeMap<>(BY_LENGTH);
    for (Momentum n : momenta) {
      shells.computeIfAbsent(representative(n), r -> new TreeSet<>()).add(n);
    }
    List<String> parts = new ArrayList<>();
    shells.forEach(
        (representative, found) -> {
          Set<Momentum> rest = shell(representative);
          int size = rest.size();
          rest.removeAll(found);
          parts.add(
              size == 1
                  ? representative.toString()
                  : rest.isEmpty()
                      ? "all " + size + " of " + representative
                      : found.size() < MOST_LISTED
                          ? String.join(", ", found.stream().map(Momentum::toString).toList())
                          : "%s of %s of %s%s"
                              .formatted(
                                  found.size(),
                                  size,
                                  representative,
                                  rest.size() < MOST_LISTED ? " without " + rest : ""));
        });
    return String.join(", ", parts);
  }

  /** Components without sign, ascending. */
  private static Momentum representative(Momentum n) {
    int[] sorted = {Math.abs(n.x()), Math.abs(n.y()), Math.abs(n.z())};
    Arrays.sort(sorted);
    return new Momentum(sorted[0], sorted[1], sorted[2]);
  }

  private static SortedSet<Momentum> shell(Momentum n) {
    SortedSet<Momentum> shell = new TreeSet<>();
    for (List<Integer> c : Collections2.permutations(List.of(n.x(), n.y(), n.z()))) {
      for (int signs = 0; signs < 8; signs++) {
        shell.add(
            new Momentum(
                (signs & 1) == 0 ? c.get(0) : -c.get(0),
                (signs & 2) == 0 ? c.get(1) : -c.get(1),
                (signs & 4) == 0 ? c.get(2) : -c.get(2)));
      }
    }
    return shell;
  }
}
