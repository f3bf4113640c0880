package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

  /**
   * Elemental and word of the first line. A block with rests of rings has nothing that these are
   * made of.
   */
  private record Root(BaryonElementalRef attached, List<Integer> first, boolean hasRests) {}

  /** A second line and the elementals at the other end. */
  record Branch(List<Integer> second, List<PairSum> spins, List<BaryonElementalRef> others) {}

  /** Pair blocks to make. */
  record Blocks(BaryonElementalRef attached, List<Integer> first, List<Branch> branches) {}

  /** Where the block for a choice is. */
  record Place(int blocks, int firstComponent) {}

  private final List<Blocks> blocks = new ArrayList<>();
  private final Map<List<Object>, Place> places = new HashMap<>();
  private final Map<List<PairSum>, List<PairSum>> lists = new HashMap<>();
  private final PairSelection.@Nullable Decision[] decisions;
  private final List<PairChoice> choicesOfRests;

  /** Collects what a selection has decided; of the selection itself it keeps nothing. */
  public PairTable(PairSelection selection) {
    decisions = selection.decisions();
    choicesOfRests = selection.choicesOfRests();
    Map<Root, Map<List<Integer>, BranchNeeds>> roots = new LinkedHashMap<>();
    for (SharedCosts.Option option : selection.taken()) {
      PairChoice choice = option.choice;
      roots
          .computeIfAbsent(
              new Root(choice.attached(), choice.first(), choice.hasRest()),
              key -> new LinkedHashMap<>())
          .computeIfAbsent(choice.second(), key -> new BranchNeeds())
          .add(option);
    }
    roots.forEach((root, branches) -> cut(root, branches, selection));
  }

  /** The choice for each pair of baryons of a graph, in ring order. */
  List<PairChoice> chosen(int place) {
    return decision(place).chosen();
  }

  /** The choice for the rest of a ring. */
  PairChoice choiceOfRest(int number) {
    return choicesOfRests.get(number);
  }

  /** N⁴ work of a graph on its own. */
  double productsAlone(int place) {
    return decision(place).productsAlone();
  }

  private PairSelection.Decision decision(int place) {
    PairSelection.Decision decision = decisions[place];
    if (decision == null) {
      throw new AssertionError("baryon graph was not announced as used: " + place);
    }
    return decision;
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

  private void cut(Root root, Map<List<Integer>, BranchNeeds> branches, PairSelection selection) {
    List<Branch> collected = new ArrayList<>();
    int components = 0;
    for (Map.Entry<List<Integer>, BranchNeeds> entry : branches.entrySet()) {
      for (BranchNeeds.Group group : entry.getValue().groups(selection)) {
        List<PairSum> spins = lists.computeIfAbsent(spins(group), list -> list);
        List<BaryonElementalRef> left = group.others();
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
    }
    if (!collected.isEmpty()) {
      blocks.add(new Blocks(root.attached(), root.first(), List.copyOf(collected)));
    }
  }

  /** If the spin structures make everything vanish, this is a block that no sum reads. */
  private static List<PairSum> spins(BranchNeeds.Group group) {
    return group.spins().isEmpty() ? List.of(PairSum.FIRST) : List.copyOf(group.spins());
  }

  /** Most elementals at the other end within one element. */
  private static int most(List<PairSum> spins) {
    return Math.max(1, MOST_COMPONENTS / spins.size());
  }
}
