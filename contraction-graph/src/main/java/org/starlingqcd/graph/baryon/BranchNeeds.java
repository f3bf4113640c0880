package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.starlingqcd.graph.plan.BaryonPart.BaryonElementalRef;
import org.starlingqcd.graph.plan.PairSum;

/**
 * What is asked of two lines attached to one elemental, for each elemental at the other end.
 *
 * <p>Every sum over spins of a branch is closed with every elemental of the branch. Elementals that
 * ask for the same sums, or for sums that are cheaper to make together, form one branch; those that
 * ask for others, as a Delta beside a nucleon or one component beside the other, form their own.
 */
final class BranchNeeds {
  /** What graphs ask of one elemental at the other end. */
  private static final class Asked {
    private final Set<PairSum> spins = new LinkedHashSet<>();
    private final Set<AskedSums.Block> closed = new LinkedHashSet<>();
  }

  /**
   * Elementals at the other end and the sums that are closed with all of them.
   *
   * @param asked sums that graphs ask for one by one
   * @param closed the blocks
   */
  record Group(
      List<BaryonElementalRef> others,
      List<PairSum> spins,
      Set<PairSum> asked,
      Set<AskedSums.Block> closed) {
    /** Products of attaching the second line and of closing. */
    private double work() {
      return BranchNeeds.work(spins, others);
    }
  }

  private final Map<BaryonElementalRef, Asked> needs = new LinkedHashMap<>();

  /** Adds what an option that is taken asks for. */
  void add(SharedCosts.Option option) {
    Asked asked = needs.computeIfAbsent(option.choice.other(), key -> new Asked());
    asked.spins.addAll(option.sums());
    asked.closed.add(option.closed);
  }

  /**
   * The groups. Joins equal needs first, then each group with the one before it that saves most;
   * work is quadratic in the number of different needs.
   */
  List<Group> groups(PairSelection selection) {
    Map<List<Object>, Group> equal = new LinkedHashMap<>();
    needs.forEach(
        (other, asked) ->
            equal.merge(
                List.of(selection.basis(asked.closed), asked.spins),
                new Group(List.of(other), List.of(), asked.spins, asked.closed),
                (a, b) ->
                    new Group(
                        union(a.others(), b.others()),
                        List.of(),
                        a.asked(),
                        union(a.closed(), b.closed()))));
    List<Group> groups = new ArrayList<>();
    for (Group same : equal.values()) {
      Group next = group(same.others(), same.asked(), same.closed(), selection);
      int best = -1;
      Group joined = next;
      double most = 0;
      for (int k = 0; k < groups.size(); k++) {
        Group before = groups.get(k);
        Group both =
            group(
                union(before.others(), next.others()),
                union(before.asked(), next.asked()),
                union(before.closed(), next.closed()),
                selection);
        double saved = before.work() + next.work() - both.work();
        if (saved > most || (saved == 0 && best < 0)) {
          best = k;
          most = saved;
          joined = both;
        }
      }
      if (best < 0) {
        groups.add(next);
      } else {
        groups.set(best, joined);
      }
    }
    return groups;
  }

  private static <T> List<T> union(List<T> a, List<T> b) {
    List<T> both = new ArrayList<>(a);
    both.addAll(b);
    return both;
  }

  private static <T> Set<T> union(Set<T> a, Set<T> b) {
    Set<T> both = new LinkedHashSet<>(a);
    both.addAll(b);
    return both;
  }

  /**
   * A group. Its sums are those of the single graphs, or independent sums that span them where
   * these cost less work. Sums that share no pair of components, directly or through other sums,
   * are treated separately.
   */
  private static Group group(
      List<BaryonElementalRef> others,
      Set<PairSum> asked,
      Set<AskedSums.Block> closed,
      PairSelection selection) {
    List<PairSum> together = selection.basis(closed);
    int[] parent = new int[NumberedSums.LINE_SPINS * NumberedSums.LINE_SPINS];
    Arrays.setAll(parent, pair -> pair);
    asked.forEach(sum -> join(sum, parent));
    together.forEach(sum -> join(sum, parent));
    Map<Integer, List<PairSum>> each = connected(asked, parent);
    Map<Integer, List<PairSum>> sums = connected(together, parent);
    List<PairSum> spins = new ArrayList<>();
    each.forEach(
        (key, list) -> {
          List<PairSum> added = sums.getOrDefault(key, List.of());
          spins.addAll(work(added, others) < work(list, others) ? added : list);
        });
    return new Group(others, spins, asked, closed);
  }

  private static Map<Integer, List<PairSum>> connected(Collection<PairSum> sums, int[] parent) {
    return sums.stream()
        .collect(
            Collectors.groupingBy(
                sum -> root(pair(sum.entries().get(0)), parent),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  private static int pair(PairSum.Entry entry) {
    return NumberedSums.LINE_SPINS * entry.first() + entry.second();
  }

  private static void join(PairSum sum, int[] parent) {
    int first = root(pair(sum.entries().get(0)), parent);
    sum.entries().forEach(entry -> parent[root(pair(entry), parent)] = first);
  }

  private static int root(int pair, int[] parent) {
    int root = pair;
    while (parent[root] != root) {
      root = parent[root];
    }
    return root;
  }

  private static double work(Collection<PairSum> sums, List<BaryonElementalRef> others) {
    double closing = others.stream().mapToDouble(SharedCosts::closingCost).sum();
    return sums.stream().mapToInt(PairSum::products).sum() + closing * sums.size();
  }
}
