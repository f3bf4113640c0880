package org.starlingqcd.correlators.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.DefinitionLoader;

/**
 * Which definitions are planned together.
 *
 * <p>How definitions are planned together decides the order of sums, and so the last bits. Each
 * result names the definitions that its first run planned together, and whatever is computed for it
 * later is planned with them again, so that it has the bits of an undisturbed run. Where the run of
 * today lacks some of them, they are planned and computed with the others, and their numbers are
 * not kept.
 *
 * <p>Results of earlier versions do not name them. Units that only some of these lack are computed
 * with all of them as long as they are few: a process that was killed leaves at most one. Many are
 * definitions added to earlier results, which are planned alone.
 */
final class DefinitionGroups {
  /** Most units in parts that are taken for the traces of killed processes. */
  private static final int FEW = 8;

  private final List<Integer> members;
  private final List<Integer> all;
  private final Set<List<Integer>> alone = new HashSet<>();

  private DefinitionGroups(List<Integer> members, List<Integer> all) {
    this.members = List.copyOf(members);
    this.all = List.copyOf(all);
  }

  /**
   * A group of results that do not name what they are planned with.
   *
   * @param missing for each unit the numbers of the definitions that lack it
   */
  static DefinitionGroups unnamed(List<Integer> members, Collection<List<Integer>> missing) {
    DefinitionGroups group = new DefinitionGroups(members, members);
    Map<List<Integer>, Integer> counts = new HashMap<>();
    missing.forEach(lacking -> counts.merge(List.copyOf(lacking), 1, Integer::sum));
    counts.forEach(
        (lacking, count) -> {
          if (count > FEW) {
            group.alone.add(lacking);
          }
        });
    return group;
  }

  /** A group of results that name the same definitions. */
  static DefinitionGroups named(List<Integer> members, List<Integer> all) {
    return new DefinitionGroups(members, all);
  }

  /**
   * What a new result is planned with: what another result of the run names together with it, or
   * else all definitions of the run of which nothing is named.
   *
   * @param named for each, what its result names; empty for a new result
   */
  static List<List<String>> plannedWith(List<String> texts, List<List<String>> named) {
    List<List<String>> result = new ArrayList<>(named);
    List<String> others = new ArrayList<>();
    for (int k = 0; k < texts.size(); k++) {
      String text = texts.get(k);
      if (named.get(k).isEmpty()) {
        List<String> found =
            named.stream().filter(set -> indexOf(set, text) >= 0).findFirst().orElse(List.of());
        result.set(k, found);
        if (found.isEmpty()) {
          others.add(text);
        }
      }
    }
    result.replaceAll(set -> set.isEmpty() ? others : set);
    return result;
  }

  /**
   * The definitions of a run by what they are planned with.
   *
   * @return texts to the numbers of the definitions, in their order
   */
  static Map<List<String>, List<Integer>> byPlan(List<List<String>> plannedWith) {
    return IntStream.range(0, plannedWith.size())
        .boxed()
        .collect(Collectors.groupingBy(plannedWith::get, LinkedHashMap::new, Collectors.toList()));
  }

  /** The numbers of definitions in a list, which those that it lacks are added to. */
  static List<Integer> numbers(List<String> texts, List<AnyDefinition> definitions) {
    List<Integer> numbers = new ArrayList<>();
    for (String text : texts) {
      int number = indexOf(definitions.stream().map(AnyDefinition::text).toList(), text);
      if (number < 0) {
        number = definitions.size();
        definitions.add(
            DefinitionLoader.parseAny("a definition that a result was planned with", text));
      }
      numbers.add(number);
    }
    return numbers;
  }

  private static int indexOf(List<String> texts, String text) {
    for (int k = 0; k < texts.size(); k++) {
      if (DefinitionLoader.isSame(texts.get(k), text)) {
        return k;
      }
    }
    return -1;
  }

  /** Whether definitions are planned with them that this run does not have. */
  boolean hasOthers() {
    return !members.containsAll(all);
  }

  /** The group without what this run does not have. */
  DefinitionGroups withoutOthers() {
    return named(members, members);
  }

  /** Numbers of the definitions whose results these are. */
  List<Integer> members() {
    return members;
  }

  /** The definitions to plan together where some are missing. */
  List<Integer> plannedFor(List<Integer> missing) {
    return alone.contains(missing) ? missing : all;
  }
}
