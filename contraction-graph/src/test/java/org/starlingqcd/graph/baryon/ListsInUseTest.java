package org.starlingqcd.graph.baryon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.QuarkPath;

/** Costs beside a set of lists of spin sums against those found sum by sum. */
class ListsInUseTest {
  private static final int[] DIQUARKS = {15, 5};

  @Test
  void additions_areThoseOfTheSumsThatNoListHas() {
    NumberedSums.Table table = new NumberedSums.Table(false);
    List<NumberedSums> lists = lists(table);
    assertTrue(lists.size() > 8, "different lists: " + lists.size());
    ListsInUse sets = new ListsInUse(table);
    SplittableRandom random = new SplittableRandom(5);
    Set<NumberedSums> present = new HashSet<>();
    int set = ListsInUse.NONE;
    for (int step = 0; step < 300; step++) {
      NumberedSums changed = lists.get(random.nextInt(lists.size()));
      if (present.add(changed)) {
        set = sets.with(set, changed);
      } else {
        present.remove(changed);
        set = sets.without(set, changed);
      }
      Set<Integer> sums = new HashSet<>();
      present.forEach(list -> addAll(sums, list));
      assertEquals(firsts(table, sums), sets.firsts(set));
      for (NumberedSums list : lists) {
        Set<Integer> added = new HashSet<>();
        addAll(added, list);
        added.removeAll(sums);
        assertEquals(
            added.stream().mapToInt(table::products).sum(),
            sets.addedProducts(sets.addition(set, list)));
        assertEquals(firsts(table, added), sets.addedFirsts(sets.addition(set, list)));
      }
    }
    for (NumberedSums list : present) {
      set = sets.without(set, list);
    }
    assertEquals(ListsInUse.NONE, set);
  }

  private static void addAll(Set<Integer> sums, NumberedSums list) {
    for (int sum : list.sums()) {
      sums.add(sum);
    }
  }

  private static int firsts(NumberedSums.Table table, Set<Integer> sums) {
    return sums.stream().mapToInt(table::firsts).reduce(0, (a, b) -> a | b);
  }

  /** The lists that graphs of one baryon on each side ask for. */
  private static List<NumberedSums> lists(NumberedSums.Table table) {
    Map<Integer, NumberedSums> found = new LinkedHashMap<>();
    for (int sink : DIQUARKS) {
      for (int source : DIQUARKS) {
        List<QuarkPath> paths = new ArrayList<>();
        for (int leg = 0; leg < BaryonVertex.LEGS; leg++) {
          paths.add(new QuarkPath(0, leg, 0, (leg + 1) % BaryonVertex.LEGS, List.of(16 * leg)));
        }
        BaryonGraph graph = new BaryonGraph(List.of(vertex(sink)), List.of(vertex(source)), paths);
        for (PairChoice choice : PairChoice.of(graph, path -> false).get(0)) {
          for (int components : new int[] {1, 8, 15}) {
            NumberedSums list = table.of(choice, graph, components);
            found.put(list.number(), list);
          }
        }
      }
    }
    return List.copyOf(found.values());
  }

  private static BaryonVertex vertex(int diquark) {
    return new BaryonVertex("none", Momentum.ZERO, diquark, 1, 1, false);
  }
}
