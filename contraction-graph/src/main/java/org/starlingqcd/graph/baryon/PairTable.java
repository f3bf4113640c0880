package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.plan.BaryonPart.BaryonElementalRef;
import org.starlingqcd.graph.plan.PairSum;

/**
 * The pair blocks that a {@link PairSelection} asks for. Everything with one elemental and one
 * first line is in one block, so that this line is attached once; a block of more than {@link
 * #MOST_COMPONENTS} components is split.
 */
public final class PairTable {
  /** 0.5 GiB at N = 128. */
  static final int MOST_COMPONENTS = 2048;

  /** Elemental and word of the first line. */
  private record Root(BaryonElementalRef attached, List<Integer> first) {}

  private static final class Needs {
    private final Set<PairSum> spins = new LinkedHashSet<>();
    private final Set<Integer> closed = new LinkedHashSet<>();
    private final Set<BaryonElementalRef> others = new LinkedHashSet<>();

    /**
     * Replaces the sums of the single graphs by independent sums that span them, where these cost
     * less work. Sums that share no pair of components, directly or through other sums, are treated
     * separately.
     */
    void addUp(List<PairSum> together) {
      int[] group = new int[NumberedSums.LINE_SPINS * NumberedSums.LINE_SPINS];
      Arrays.setAll(group, pair -> pair);
      spins.forEach(sum -> join(sum, group));
      together.forEach(sum -> join(sum, group));
      Map<Integer, List<PairSum>> each = grouped(spins, group);
      Map<Integer, List<PairSum>> sums = grouped(together, group);
      spins.clear();
      each.forEach(
          (key, list) -> {
            List<PairSum> added = sums.getOrDefault(key, List.of());
            spins.addAll(work(added) < work(list) ? added : list);
          });
    }

    private static Map<Integer, List<PairSum>> grouped(Collection<PairSum> sums, int[] group) {
      return sums.stream()
          .collect(
              Collectors.groupingBy(
                  sum -> root(pair(sum.entries().get(0)), group),
                  LinkedHashMap::new,
                  Collectors.toList()));
    }

    private static int pair(PairSum.Entry entry) {
      return NumberedSums.LINE_SPINS * entry.first() + entry.second();
    }

    private static void join(PairSum sum, int[] group) {
      int first = root(pair(sum.entries().get(0)), group);
      sum.entries().forEach(entry -> group[root(pair(entry), group)] = first);
    }

    private static int root(int pair, int[] group) {
      int root = pair;
      while (group[root] != root) {
        root = group[root];
      }
      return root;
    }

    private double work(Collection<PairSum> sums) {
      double closing = others.stream().mapToDouble(SharedCosts::closingCost).sum();
      return sums.stream().mapToInt(PairSum::products).sum() + closing * sums.size();
    }
  }

  /** A second line and the elementals at the other end. */
  record Branch(List<Integer> second, List<PairSum> spins, List<BaryonElementalRef> others) {}

  /** Pair blocks to make. */
  record Blocks(BaryonElementalRef attached, List<Integer> first, List<Branch> branches) {}

  /** Where the block for a choice is. */
  record Place(int blocks, int firstComponent) {}

  private final List<Blocks> blocks = new ArrayList<>();
  private final Map<List<Object>, Place> places = new HashMap<>();
  private final Map<List<PairSum>, List<PairSum>> lists = new HashMap<>();
  private final PairSelection selection;

  public PairTable(PairSelection selection) {
    this.selection = selection;
    Map<Root, Map<List<Integer>, Needs>> roots = new LinkedHashMap<>();
    selection.forEach(
        (choice, spins, closed) -> {
          Needs needs =
              roots
                  .computeIfAbsent(
                      new Root(choice.attached(), choice.first()), key -> new LinkedHashMap<>())
                  .computeIfAbsent(choice.second(), key -> new Needs());
          needs.spins.addAll(spins);
          needs.others.add(choice.other());
          needs.closed.add(closed);
        });
    for (Map<List<Integer>, Needs> branches : roots.values()) {
      branches.values().forEach(needs -> needs.addUp(selection.basis(needs.closed)));
    }
    roots.forEach(this::cut);
  }

  /** The choice for each pair of baryons of a graph, in ring order. */
  List<PairChoice> chosen(BaryonGraph graph) {
    return selection.chosen(graph);
  }

  /** N⁴ work of a graph on its own. */
  double productsAlone(BaryonGraph graph) {
    return selection.productsAlone(graph);
  }

  /** Blocks by number. */
  List<Blocks> blocks() {
    return blocks;
  }

  /** Where the block for a choice is. */
  Place place(PairChoice choice) {
    Place place =
        places.get(key(choice.attached(), choice.first(), choice.second(), choice.other()));
    if (place == null) {
      throw new AssertionError("not a choice that was made: " + choice);
    }
    return place;
  }

  private static List<Object> key(
      BaryonElementalRef attached,
      List<Integer> first,
      List<Integer> second,
      BaryonElementalRef other) {
    return List.of(attached, first, second, other);
  }

  private void cut(Root root, Map<List<Integer>, Needs> branches) {
    List<Branch> collected = new ArrayList<>();
    int components = 0;
    for (Map.Entry<List<Integer>, Needs> entry : branches.entrySet()) {
      // If the spin structures make everything vanish, this is a block that no sum reads.
      if (entry.getValue().spins.isEmpty()) {
        entry.getValue().spins.add(PairSum.FIRST);
      }
      List<PairSum> spins =
          lists.computeIfAbsent(List.copyOf(entry.getValue().spins), list -> list);
      List<BaryonElementalRef> left = new ArrayList<>(entry.getValue().others);
      while (!left.isEmpty()) {
        int room = (MOST_COMPONENTS - components) / spins.size();
        if (room < Math.min(left.size(), most(spins)) && !collected.isEmpty()) {
          blocks.add(new Blocks(root.attached(), root.first(), List.copyOf(collected)));
          collected.clear();
          components = 0;
          continue;
        }
        List<BaryonElementalRef> others =
            List.copyOf(left.subList(0, Math.min(left.size(), most(spins))));
        left = left.subList(others.size(), left.size());
        for (BaryonElementalRef other : others) {
          places.put(
              key(root.attached(), root.first(), entry.getKey(), other),
              new Place(blocks.size(), components));
          components += spins.size();
        }
        collected.add(new Branch(entry.getKey(), spins, others));
      }
    }
    if (!collected.isEmpty()) {
      blocks.add(new Blocks(root.attached(), root.first(), List.copyOf(collected)));
    }
  }

  /** Most elementals at the other end within one element. */
  private static int most(List<PairSum> spins) {
    return Math.max(1, MOST_COMPONENTS / spins.size());
  }
}
