package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.LongIntTable;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.PairSum;
import org.starlingqcd.graph.plan.ReducerOptions;

/**
 * Decides for all baryon graphs together which lines are contracted in pairs, and how.
 *
 * <p>Deterministic. Work and memory are linear in graphs times their at most 15 choices of at most
 * 64 spin sums each.
 */
public final class PairSelection {
  /*
   * What a choice costs depends on what others have chosen: the first line attached to an elemental is shared by everything with that
   * elemental and line, both lines by all elementals at the other end, and a closed block by all graphs that need it. Each graph first
   * takes what would be cheapest if all that could share did. Then, again and again, each graph is taken out and put back where it costs
   * least as things stand, until nothing moves: first as if what is attached were shared by all that could, so that no graph shies away
   * from being the first of many, then at the full cost.
   *
   * Costs are complex products N² × N · N × N. Closing with an antisymmetric elemental needs half of one: the sum over k < l.
   *
   * Graphs that differ only by components of w make one choice, for the spin sums that all of them together ask for.
   */

  private static final int PASSES = 8;

  private static final double HALF = 0.5;

  private static final double LEAST_GAIN = 1e-9;

  /** A choice with its places in the counts of what is shared. */
  private static final class Option {
    private final PairChoice choice;
    private final NumberedSums spins;
    private final double closing;
    private final int firstAttached;
    private final int bothAttached;
    private final int closed;
    private final int[] bothPlaces;
    private final int[] claims;

    Option(
        PairChoice choice,
        NumberedSums spins,
        int firstAttached,
        int bothAttached,
        int closed,
        int[] bothPlaces,
        int[] claims) {
      this.choice = choice;
      this.spins = spins;
      this.firstAttached = firstAttached;
      this.bothAttached = bothAttached;
      this.closed = closed;
      this.bothPlaces = bothPlaces;
      this.claims = claims;
      closing = closingCost(choice.other());
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

  /** A graph as part of a sum. */
  private record Use(BaryonGraph graph, GraphSums.Part part) {}

  /** A graph less its components, and which components of its pairs occur. */
  private static final class Shape {
    private final List<List<PairChoice>> choices;
    private final double productsAlone;
    private final int[] components;
    private final List<Use> uses = new ArrayList<>();
    private final List<Demand> demands = new ArrayList<>();

    Shape(List<List<PairChoice>> choices, double productsAlone) {
      this.choices = choices;
      this.productsAlone = productsAlone;
      components = new int[choices.size()];
    }
  }

  private final Map<BaryonGraph, Shape> shapes = new LinkedHashMap<>();
  private final Map<List<Object>, Integer> numbers = new HashMap<>();
  private final NumberedSums.Table spinTable;
  private final AskedSums asked;
  private final LongIntTable placeOf = new LongIntTable();
  private final Map<Long, int[]> placesOf = new HashMap<>();
  private final Map<Integer, Set<Integer>> sharers = new HashMap<>();
  private final int[] sharing;
  private final int[] firstUses;
  private final int[] uses;
  private int places;
  private int demandCount;

  /** Decides for the graphs that are parts of sums. */
  public PairSelection(DiagramSet set, GraphSums sums, ReducerOptions options) {
    spinTable = new NumberedSums.Table(options.mixedComponents());
    asked = new AskedSums(options.mixedComponents());
    NumberedSums.Table alone = new NumberedSums.Table(false);
    sums.parts()
        .forEach(
            (place, parts) -> {
              BaryonGraph graph = set.baryonGraphAt(place);
              Shape shape =
                  shapes.computeIfAbsent(withoutComponents(graph), key -> newShape(key, alone));
              for (int k = 0; k < shape.components.length; k++) {
                shape.components[k] |= NumberedSums.components(shape.choices.get(k).get(0), graph);
              }
              parts.forEach(part -> shape.uses.add(new Use(graph, part)));
            });
    shapes.forEach(this::addDemands);
    sharing = new int[numbers.size()];
    Arrays.fill(sharing, 1);
    sharers.forEach((number, others) -> sharing[number] = others.size());
    sharers.clear();
    firstUses = new int[NumberedSums.LINE_SPINS * numbers.size()];
    uses = new int[places];
    forEachDemand(demand -> demand.taken = least(demand, this::sharedCost));
    forEachDemand(demand -> count(demand.taken, 1));
    settle(true);
    for (int pass = 0; pass < PASSES && vacate(); pass++) {
      settle(true);
    }
    settle(false);
  }

  /**
   * Tries for every block to do without it: all graphs that need it move to others at once.
   *
   * @return whether any moved
   */
  private boolean vacate() {
    Map<Integer, List<Demand>> tenants = new LinkedHashMap<>();
    forEachDemand(
        demand ->
            tenants.computeIfAbsent(demand.taken.closed, key -> new ArrayList<>()).add(demand));
    boolean moved = false;
    for (Map.Entry<Integer, List<Demand>> entry : tenants.entrySet()) {
      int closed = entry.getKey();
      List<Demand> leaving =
          entry.getValue().stream().filter(demand -> demand.taken.closed == closed).toList();
      List<Option> before = leaving.stream().map(demand -> demand.taken).toList();
      if (leaving.isEmpty()
          || !leaving.stream()
              .allMatch(demand -> demand.options.stream().anyMatch(o -> o.closed != closed))) {
        continue;
      }
      leaving.forEach(demand -> count(demand.taken, -1));
      double old = take(leaving, before);
      leaving.forEach(demand -> count(demand.taken, -1));
      double now = 0;
      for (Demand demand : leaving) {
        Option best =
            least(
                demand,
                option -> option.closed == closed ? Double.POSITIVE_INFINITY : cost(option, true));
        now += cost(best, true);
        demand.taken = best;
        count(best, 1);
      }
      if (now < old - LEAST_GAIN) {
        moved = true;
      } else {
        leaving.forEach(demand -> count(demand.taken, -1));
        take(leaving, before);
      }
    }
    return moved;
  }

  /** Has demands take options one after the other; what that costs. */
  private double take(List<Demand> demands, List<Option> options) {
    double cost = 0;
    for (int k = 0; k < demands.size(); k++) {
      cost += cost(options.get(k), true);
      demands.get(k).taken = options.get(k);
      count(options.get(k), 1);
    }
    return cost;
  }

  private static Shape newShape(BaryonGraph graph, NumberedSums.Table table) {
    List<List<PairChoice>> choices = PairChoice.of(graph);
    return new Shape(choices, productsAlone(graph, choices, table));
  }

  private interface DemandAction {
    void accept(Demand demand);
  }

  private void forEachDemand(DemandAction action) {
    for (Shape shape : shapes.values()) {
      shape.demands.forEach(action::accept);
    }
  }

  private void settle(boolean attachedShared) {
    boolean moved = true;
    for (int pass = 0; pass < PASSES && moved; pass++) {
      moved = false;
      for (Shape shape : shapes.values()) {
        for (Demand demand : shape.demands) {
          moved |= improve(demand, attachedShared);
        }
      }
    }
  }

  /** What was chosen for each pair of baryons of a graph, in ring order. */
  List<PairChoice> chosen(BaryonGraph graph) {
    return shape(graph).demands.stream().map(demand -> demand.taken.choice).toList();
  }

  private Shape shape(BaryonGraph graph) {
    Shape shape = shapes.get(withoutComponents(graph));
    if (shape == null) {
      throw new AssertionError("baryon graph was not announced as used: " + graph);
    }
    return shape;
  }

  /** What was chosen for a pair of baryons. */
  interface ChoiceAction {
    /**
     * Takes a choice.
     *
     * @param spins the sums over spin components of its graphs one by one
     * @param closed number of the block
     */
    void accept(PairChoice choice, List<PairSum> spins, int closed);
  }

  /** Everything chosen. */
  void forEach(ChoiceAction action) {
    forEachDemand(
        demand ->
            action.accept(
                demand.taken.choice, spinTable.sums(demand.taken.spins), demand.taken.closed));
  }

  /** Independent sums for all that is asked of some blocks. */
  List<PairSum> basis(Set<Integer> blocks) {
    return asked.basis(blocks);
  }

  /**
   * N⁴ work of a graph on its own with the choices that are cheapest for it and no component of w
   * but its own.
   */
  double productsAlone(BaryonGraph graph) {
    return shape(graph).productsAlone;
  }

  private static double productsAlone(
      BaryonGraph graph, List<List<PairChoice>> choices, NumberedSums.Table table) {
    double sum = 0;
    for (List<PairChoice> pair : choices) {
      double least = Double.POSITIVE_INFINITY;
      for (PairChoice choice : pair) {
        int firsts = 0;
        double products = 0;
        for (int spin : table.of(choice, graph, NumberedSums.components(choice, graph)).sums()) {
          firsts |= table.firsts(spin);
          products += table.products(spin) + closingCost(choice.other());
        }
        least = Math.min(least, products + Integer.bitCount(firsts));
      }
      sum += least;
    }
    return sum;
  }

  /** Products of closing one sum with an elemental. */
  static double closingCost(BaryonPart.BaryonElementalRef other) {
    return other.isAntisymmetric() ? HALF : 1;
  }

  /** Graphs that differ only by components of w have everything in common but spin sums. */
  private static BaryonGraph withoutComponents(BaryonGraph graph) {
    return new BaryonGraph(
        graph.sinks().stream().map(PairSelection::withoutComponent).toList(),
        graph.sources().stream().map(PairSelection::withoutComponent).toList(),
        graph.paths());
  }

  private static BaryonVertex withoutComponent(BaryonVertex v) {
    return new BaryonVertex(
        v.displacement(), v.momentum(), v.diquarkMask(), v.parity(), 1, v.deGrandRossi());
  }

  private void addDemands(BaryonGraph graph, Shape shape) {
    for (int k = 0; k < shape.choices.size(); k++) {
      List<Option> options = new ArrayList<>();
      for (PairChoice choice : shape.choices.get(k)) {
        options.add(option(choice, graph, shape, k));
      }
      shape.demands.add(new Demand(options));
      demandCount++;
    }
  }

  private Option option(PairChoice choice, BaryonGraph graph, Shape shape, int k) {
    int first = number(choice.attached(), choice.first());
    int both = number(choice.attached(), choice.first(), choice.second());
    int closed = number(both, choice.other());
    NumberedSums spins = spinTable.of(choice, graph, shape.components[k]);
    sharers.computeIfAbsent(closed, key -> new HashSet<>()).add(demandCount);
    sharers.computeIfAbsent(first, key -> new HashSet<>()).add(closed);
    sharers.computeIfAbsent(both, key -> new HashSet<>()).add(closed);
    int[] claims = claims(choice, closed, shape, k);
    return new Option(choice, spins, first, both, closed, placesOf(both, spins), claims);
  }

  private int[] claims(PairChoice choice, int closed, Shape shape, int k) {
    int open = number(closed, choice.openWord(), k);
    return shape.uses.stream()
        .mapToInt(
            use ->
                asked.claim(
                    closed,
                    open,
                    use.part().sum(),
                    choice.spin(use.graph()),
                    choice.isSymmetric(),
                    use.part().coefficient().times(choice.sign())))
        .toArray();
  }

  private int number(Object... key) {
    return numbers.computeIfAbsent(List.of(key), k -> numbers.size());
  }

  /** Places in {@link #uses} of the spin sums of something attached or closed. */
  private int[] placesOf(int number, NumberedSums spins) {
    return placesOf.computeIfAbsent(
        (long) number << 32 | spins.number(),
        key -> {
          int[] result = new int[spins.sums().length];
          for (int k = 0; k < result.length; k++) {
            long sum = (long) number << 32 | spins.sums()[k];
            int place = placeOf.get(sum);
            if (place < 0) {
              place = places++;
              placeOf.put(sum, place);
            }
            result[k] = place;
          }
          return result;
        });
  }

  private boolean improve(Demand demand, boolean attachedShared) {
    count(demand.taken, -1);
    Option best = least(demand, option -> cost(option, attachedShared));
    boolean moves =
        best != demand.taken
            && cost(best, attachedShared) < cost(demand.taken, attachedShared) - LEAST_GAIN;
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
    double cost = (double) NumberedSums.LINE_SPINS / sharing[option.firstAttached];
    for (int spin : option.spins.sums()) {
      cost += option.closing + (double) spinTable.products(spin) / sharing[option.bothAttached];
    }
    return cost;
  }

  /**
   * The cost as things stand.
   *
   * @param attachedShared whether of what is attached only the share is counted
   */
  private double cost(Option option, boolean attachedShared) {
    int before = asked.dimension(option.closed);
    asked.change(option.claims, true);
    double cost = option.closing * (asked.dimension(option.closed) - before);
    asked.change(option.claims, false);
    int firsts = 0;
    int products = 0;
    int[] sums = option.spins.sums();
    for (int k = 0; k < sums.length; k++) {
      if (uses[option.bothPlaces[k]] == 0) {
        products += spinTable.products(sums[k]);
        firsts |= spinTable.firsts(sums[k]);
      }
    }
    int base = NumberedSums.LINE_SPINS * option.firstAttached;
    int newFirsts = 0;
    for (int left = firsts; left != 0; left &= left - 1) {
      newFirsts += firstUses[base + Integer.numberOfTrailingZeros(left)] > 0 ? 0 : 1;
    }
    return cost
        + (double) products / (attachedShared ? sharing[option.bothAttached] : 1)
        + (double) newFirsts / (attachedShared ? sharing[option.firstAttached] : 1);
  }

  private void count(Option option, int change) {
    int[] sums = option.spins.sums();
    int base = NumberedSums.LINE_SPINS * option.firstAttached;
    asked.change(option.claims, change > 0);
    for (int k = 0; k < sums.length; k++) {
      uses[option.bothPlaces[k]] += change;
      for (int left = spinTable.firsts(sums[k]); left != 0; left &= left - 1) {
        firstUses[base + Integer.numberOfTrailingZeros(left)] += change;
      }
    }
  }
}
