package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;

/**
 * Decides for all baryon graphs together which lines are contracted in pairs, and how.
 *
 * <p>Deterministic. Work and memory are linear in graphs times their at most 15 choices of at most
 * 64 spin sums each.
 */
final class PairSelection {
  /*
   * What a choice costs depends on what others have chosen: the first line attached to an elemental is shared by everything with that
   * elemental and line, both lines by all elementals at the other end, and a closed block by all graphs that need it. Each graph first
   * takes what would be cheapest if all that could share did. Then, again and again, each graph is taken out and put back where it costs
   * least as things stand, until nothing moves: first as if what is attached were shared by all that could, so that no graph shies away
   * from being the first of many, then at the full cost.
   *
   * Costs are complex products N² × N · N × N. Closing with an antisymmetric elemental needs half of one: the sum over k < l.
   */

  private static final int PASSES = 8;

  private static final double HALF = 0.5;

  private static final double LEAST_GAIN = 1e-9;

  /** A choice with its places in the tables of what is shared. */
  private static final class Option {
    private final PairChoice choice;
    private final int firstAttached;
    private final int bothAttached;
    private final int closed;
    private final int[] spins;

    Option(PairChoice choice, int firstAttached, int bothAttached, int closed, int[] spins) {
      this.choice = choice;
      this.firstAttached = firstAttached;
      this.bothAttached = bothAttached;
      this.closed = closed;
      this.spins = spins;
    }

    boolean isBlock() {
      return choice.scheme() == BaryonScheme.DIQUARK_BLOCKS;
    }
  }

  /** A pair of baryons of some graph, for which one of several options is taken. */
  private static final class Demand {
    private final List<Option> options;
    private Option taken;

    Demand(List<Option> options) {
      this.options = options;
      taken = options.get(0);
    }
  }

  private final BaryonScheme scheme;
  private final Map<BaryonGraph, List<Demand>> demands = new LinkedHashMap<>();
  private final Map<Object, Integer> numbers = new HashMap<>();
  private final Map<PairSpin, Integer> spinNumber = new HashMap<>();
  private final List<PairSpin> spinList = new ArrayList<>();
  private final Map<List<Object>, int[]> spinsOf = new HashMap<>();
  private final Map<Long, Integer> uses = new HashMap<>();
  private final Map<Integer, Set<Integer>> sharers = new HashMap<>();

  /** Decides for the graphs of a set that are used. */
  PairSelection(DiagramSet set, boolean[] used, BaryonScheme scheme) {
    this.scheme = scheme;
    for (int g = 0; g < used.length; g++) {
      if (used[g]) {
        BaryonGraph graph = withoutComponents(set.baryonGraphAt(g));
        demands.computeIfAbsent(graph, this::demandsOf);
      }
    }
    for (List<Demand> list : demands.values()) {
      for (Demand demand : list) {
        demand.taken = least(demand, this::sharedCost);
      }
    }
    for (List<Demand> list : demands.values()) {
      for (Demand demand : list) {
        count(demand.taken, 1);
      }
    }
    settle(true);
    settle(false);
  }

  private void settle(boolean attachedShared) {
    boolean moved = true;
    for (int pass = 0; pass < PASSES && moved; pass++) {
      moved = false;
      for (List<Demand> list : demands.values()) {
        for (Demand demand : list) {
          moved |= improve(demand, attachedShared);
        }
      }
    }
  }

  /** What was chosen for each pair of baryons of a graph, in ring order. */
  List<PairChoice> chosen(BaryonGraph graph) {
    List<Demand> list = demands.get(withoutComponents(graph));
    if (list == null) {
      throw new AssertionError("baryon graph was not announced as used: " + graph);
    }
    return list.stream().map(demand -> demand.taken.choice).toList();
  }

  /** Everything chosen, with the sums over spin components needed; none for a diquark block. */
  void forEach(BiConsumer<PairChoice, List<PairSpin>> action) {
    for (List<Demand> list : demands.values()) {
      for (Demand demand : list) {
        action.accept(
            demand.taken.choice,
            Arrays.stream(demand.taken.spins).mapToObj(spinList::get).toList());
      }
    }
  }

  /**
   * N⁴ work of a graph on its own in the scheme that is cheapest for it, with no component of w but
   * its own.
   */
  static double productsAlone(BaryonGraph graph) {
    double sum = 0;
    for (List<PairChoice> pair : PairChoice.of(graph, BaryonScheme.AUTOMATIC)) {
      double least = Double.POSITIVE_INFINITY;
      for (PairChoice choice : pair) {
        if (choice.scheme() != BaryonScheme.DIQUARK_BLOCKS) {
          List<PairSpin> spins = choice.spins(graph, true);
          long firsts =
              spins.stream()
                  .flatMap(spin -> spin.entries().stream())
                  .mapToInt(PairSpin.Entry::first)
                  .distinct()
                  .count();
          double products = firsts + closing(choice) * spins.size();
          for (PairSpin spin : spins) {
            products += spin.products();
          }
          least = Math.min(least, products);
        }
      }
      sum += least;
    }
    return sum;
  }

  private static double closing(PairChoice choice) {
    return PairChoice.isAntisymmetric(choice.other()) ? HALF : 1;
  }

  /** Graphs that differ only by components of w have everything in common but spin sums. */
  static BaryonGraph withoutComponents(BaryonGraph graph) {
    return new BaryonGraph(
        graph.sinks().stream().map(PairSelection::withoutComponent).toList(),
        graph.sources().stream().map(PairSelection::withoutComponent).toList(),
        graph.paths());
  }

  private static BaryonVertex withoutComponent(BaryonVertex v) {
    return new BaryonVertex(v.displacement(), v.momentum(), v.diquarkMask(), v.parity(), 1);
  }

  private List<Demand> demandsOf(BaryonGraph graph) {
    List<Demand> result = new ArrayList<>();
    for (List<PairChoice> choices : PairChoice.of(graph, scheme)) {
      List<Option> options = new ArrayList<>();
      for (PairChoice choice : choices) {
        boolean block = choice.scheme() == BaryonScheme.DIQUARK_BLOCKS;
        int first = block ? -1 : number(choice.attached(), choice.first());
        int both = number(block, choice.attached(), choice.first(), choice.second());
        int closed = number(block, both, choice.other());
        int[] spins = block ? new int[0] : spinNumbers(choice, graph);
        Option option = new Option(choice, first, both, closed, spins);
        options.add(option);
        if (block) {
          sharers.computeIfAbsent(closed, key -> new HashSet<>()).add(demands.size());
        } else {
          sharers.computeIfAbsent(first, key -> new HashSet<>()).add(closed);
          sharers.computeIfAbsent(both, key -> new HashSet<>()).add(closed);
        }
      }
      result.add(new Demand(options));
    }
    return result;
  }

  private int number(Object... key) {
    return numbers.computeIfAbsent(List.of(key), k -> numbers.size());
  }

  private int[] spinNumbers(PairChoice choice, BaryonGraph graph) {
    BaryonPart.SpinTerm term = choice.spin(graph);
    List<Object> key =
        List.of(
            term.sink().diquarkMask(),
            term.sink().parity(),
            choice.sinkLegs(),
            term.source().diquarkMask(),
            term.source().parity(),
            choice.sourceLegs(),
            choice.isSymmetric());
    return spinsOf.computeIfAbsent(
        key,
        k ->
            choice.spins(graph, false).stream()
                .mapToInt(
                    spin ->
                        spinNumber.computeIfAbsent(
                            spin,
                            s -> {
                              spinList.add(s);
                              return spinList.size() - 1;
                            }))
                .toArray());
  }

  private boolean improve(Demand demand, boolean attachedShared) {
    count(demand.taken, -1);
    double now = cost(demand.taken, attachedShared);
    Option best = least(demand, option -> cost(option, attachedShared));
    boolean moves = best != demand.taken && cost(best, attachedShared) < now - LEAST_GAIN;
    if (moves) {
      demand.taken = best;
    }
    count(demand.taken, 1);
    return moves;
  }

  private static Option least(Demand demand, ToDoubleFunction<Option> costOf) {
    Option best = demand.options.get(0);
    double least = Double.POSITIVE_INFINITY;
    for (Option option : demand.options) {
      double cost = costOf.applyAsDouble(option);
      if (cost < least - LEAST_GAIN) {
        least = cost;
        best = option;
      }
    }
    return best;
  }

  /** The cost if everything that can be shared is. */
  private double sharedCost(Option option) {
    if (option.isBlock()) {
      return blockCost(option.choice) / sharers(option.closed);
    }
    double cost = 16.0 / sharers(option.firstAttached);
    for (int spin : option.spins) {
      cost +=
          closing(option.choice)
              + (double) spinList.get(spin).products() / sharers(option.bothAttached);
    }
    return cost;
  }

  private int sharers(int number) {
    Set<Integer> set = sharers.get(number);
    return set == null ? 1 : Math.max(1, set.size());
  }

  private static double blockCost(PairChoice choice) {
    return choice.isSymmetric() ? BaryonPart.SYMMETRIC_DIQUARK : BaryonPart.DIQUARK;
  }

  /**
   * The cost as things stand.
   *
   * @param attachedShared whether of what is attached only the share is counted
   */
  private double cost(Option option, boolean attachedShared) {
    if (option.isBlock()) {
      return isUsed(option.closed, 0) ? 0 : blockCost(option.choice);
    }
    double cost = 0;
    int firsts = 0;
    for (int spin : option.spins) {
      cost += isUsed(option.closed, spin) ? 0 : closing(option.choice);
      if (!isUsed(option.bothAttached, spin)) {
        cost +=
            (double) spinList.get(spin).products()
                / (attachedShared ? sharers(option.bothAttached) : 1);
        for (PairSpin.Entry entry : spinList.get(spin).entries()) {
          firsts |= isUsed(option.firstAttached, entry.first()) ? 0 : 1 << entry.first();
        }
      }
    }
    return cost
        + (double) Integer.bitCount(firsts) / (attachedShared ? sharers(option.firstAttached) : 1);
  }

  private void count(Option option, int change) {
    if (option.isBlock()) {
      change(option.closed, 0, change);
      return;
    }
    for (int spin : option.spins) {
      change(option.closed, spin, change);
      change(option.bothAttached, spin, change);
      for (PairSpin.Entry entry : spinList.get(spin).entries()) {
        change(option.firstAttached, entry.first(), change);
      }
    }
  }

  private void change(int number, int part, int change) {
    uses.merge((long) number << 32 | part, change, Integer::sum);
  }

  private boolean isUsed(int number, int part) {
    return uses.getOrDefault((long) number << 32 | part, 0) > 0;
  }
}
