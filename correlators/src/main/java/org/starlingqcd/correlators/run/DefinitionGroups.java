package org.starlingqcd.correlators.run;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which definitions are planned together for a unit that only some of them lack.
 *
 * <p>How definitions are planned together decides the order of sums, and so the last bits. A
 * process that was killed leaves at most one unit that some definitions have and others lack; such
 * few units are computed as a whole, with all definitions, so that the result is that of an
 * undisturbed run bit for bit. Many such units are definitions added to earlier results, which are
 * planned alone.
 */
final class DefinitionGroups {
  /** Most units in parts that are taken for the traces of killed processes. */
  private static final int FEW = 8;

  private final List<Integer> all;
  private final Set<List<Integer>> alone = new HashSet<>();

  /**
   * Looks at what is missing when the run begins.
   *
   * @param definitions number of definitions
   * @param missing for each unit the numbers of the definitions that lack it
   */
  DefinitionGroups(int definitions, Collection<List<Integer>> missing) {
    all = IntStream.range(0, definitions).boxed().toList();
    Map<List<Integer>, Integer> counts = new HashMap<>();
    missing.forEach(group -> counts.merge(List.copyOf(group), 1, Integer::sum));
    counts.forEach(
        (group, count) -> {
          if (count > FEW) {
            alone.add(group);
          }
        });
  }

  /** The definitions to plan together where some are missing. */
  List<Integer> plannedFor(List<Integer> missing) {
    return alone.contains(missing) ? missing : all;
  }
}
