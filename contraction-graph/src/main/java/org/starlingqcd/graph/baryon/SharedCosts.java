package org.starlingqcd.graph.baryon;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.LongIntTable;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.PairSum;

/**
 * The cost of each choice, given all other choices that are taken. Costs are complex products
 * {@code N² × N · N × N}; closing with an antisymmetric elemental needs half of one: the sum over k
 * < l.
 *
 * <p>All options are made first, then {@link #begin} is called, then options are taken and given
 * up.
 */
final class SharedCosts {
  private static final double HALF = 0.5;

  /** A graph as part of a sum. */
  record Use(BaryonGraph graph, GraphSums.Part part) {}

  /** A choice with its places in the counts of shared work. */
  static final class Option {
    final PairChoice choice;
    final NumberedSums spins;
    private final double closing;
    private final int firstAttached;
    private final int bothAttached;
    final int closed;
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

  private final Map<List<Object>, Integer> numbers = new HashMap<>();
  private final NumberedSums.Table spinTable;
  private final AskedSums asked;
  private final LongIntTable placeOf = new LongIntTable();
  private final Map<Long, int[]> placesOf = new HashMap<>();
  private final Map<Integer, Set<Integer>> sharers = new HashMap<>();
  private int[] sharing = {};
  private int[] firstUses = {};
  private int[] uses = {};
  private int places;

  /** Costs of no options yet. */
  SharedCosts(boolean mixedComponents) {
    spinTable = new NumberedSums.Table(mixedComponents);
    asked = new AskedSums(mixedComponents);
  }

  /**
   * Creates an option of a demand.
   *
   * @param graph any of the graphs that make the demand
   * @param components which components of w these have
   * @param wanted these graphs as parts of sums
   * @param pair number of the pair of baryons within the graph
   * @param demand number of the demand
   */
  Option option(
      PairChoice choice,
      BaryonGraph graph,
      int components,
      List<Use> wanted,
      int pair,
      int demand) {
    int first = number(choice.attached(), choice.first());
    int both = number(choice.attached(), choice.first(), choice.second());
    int closed = number(both, choice.other());
    NumberedSums spins = spinTable.of(choice, graph, components);
    sharers.computeIfAbsent(closed, key -> new HashSet<>()).add(demand);
    sharers.computeIfAbsent(first, key -> new HashSet<>()).add(closed);
    sharers.computeIfAbsent(both, key -> new HashSet<>()).add(closed);
    int[] claims = claims(choice, closed, wanted, pair);
    return new Option(choice, spins, first, both, closed, placesOf(both, spins), claims);
  }

  private int[] claims(PairChoice choice, int closed, List<Use> wanted, int pair) {
    int open = number(closed, choice.openWord(), pair);
    return wanted.stream()
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

  /** Begins with no option taken. */
  void begin() {
    sharing = new int[numbers.size()];
    Arrays.fill(sharing, 1);
    sharers.forEach((number, others) -> sharing[number] = others.size());
    sharers.clear();
    firstUses = new int[NumberedSums.LINE_SPINS * numbers.size()];
    uses = new int[places];
  }

  /** The sums over spin components that an option's graphs ask for one by one. */
  List<PairSum> sums(Option option) {
    return spinTable.sums(option.spins);
  }

  /** Independent sums for all that is asked of some blocks. */
  List<PairSum> basis(Set<Integer> blocks) {
    return asked.basis(blocks);
  }

  /** Products of closing one sum with an elemental. */
  static double closingCost(BaryonPart.BaryonElementalRef other) {
    return other.isAntisymmetric() ? HALF : 1;
  }

  /** The cost if everything that can be shared is shared. */
  double sharedCost(Option option) {
    double cost = (double) NumberedSums.LINE_SPINS / sharing[option.firstAttached];
    for (int spin : option.spins.sums()) {
      cost += option.closing + (double) spinTable.products(spin) / sharing[option.bothAttached];
    }
    return cost;
  }

  /**
   * The cost given the options taken at present.
   *
   * @param attachedShared whether attached lines count as shared by all that could use them
   */
  double cost(Option option, boolean attachedShared) {
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

  /** Takes an option, {@code change = 1}, or gives it up, -1. */
  void count(Option option, int change) {
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
