package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
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

  private static final int[] NOTHING = {};

  /** Bits for the legs of a baryon. */
  private static final int LEGS_BITS = 4;

  /** Bits for a spin structure: 16 diquarks, two parities, four components, two bases. */
  private static final int STRUCTURE_BITS = 8;

  /** A graph as part of a sum. */
  record Use(SpinsOfGraph spins, GraphSums.Part part) {}

  /**
   * The spin structures of a graph's baryons, by numbers that {@link #structure} gives.
   *
   * @param sinks by sink
   * @param sources by source
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record SpinsOfGraph(BaryonGraph graph, int[] sinks, int[] sources) {}

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

  private final Numbers<BaryonPart.BaryonElementalRef> elementals = new Numbers<>();
  private final Numbers<List<Integer>> words = new Numbers<>();
  private final Numbers<BaryonPart.SpinStructure> structures = new Numbers<>();
  private final Numbers<BaryonVertex> vertices = new Numbers<>();
  // By identity: graphs share their vertices.
  private final Map<BaryonVertex, Integer> structureNumbers = new IdentityHashMap<>();
  private final LongIntTable elementalNumbers = new LongIntTable();
  private final LongIntTable firsts = new LongIntTable();
  private final LongIntTable larger = new LongIntTable();
  private final LongIntTable terms = new LongIntTable();
  private final NumberedSums.Table spinTable;
  private final AskedSums asked;
  // By number of something attached or closed: its sums, each followed by its place.
  private int[] @Nullable [] sumPlaces = {};
  // By sum its place while places are given; -1 otherwise.
  private int[] placeOfSum = {};
  private final LongIntTable placesOf = new LongIntTable();
  private final List<int[]> placeLists = new ArrayList<>();
  // How many could share each: blocks a line or a pair of lines, demands a block.
  private int[] sharing = new int[64];
  private int[] lastDemand = new int[64];
  private int[] firstUses = {};
  private int[] uses = {};
  private int places;
  private int numbers;

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
    int sink = elemental(choice.sink(), graph.sinks().get(choice.sinkPlace()), choice.sinkLegs());
    int source =
        elemental(choice.source(), graph.sources().get(choice.sourcePlace()), choice.sourceLegs());
    int first = number(firsts, choice.atSink() ? sink : source, words.ofShared(choice.first()));
    int both = number(larger, first, words.ofShared(choice.second()));
    int before = numbers;
    int closed = number(larger, both, choice.atSink() ? source : sink);
    if (closed == before) {
      sharing[first]++;
      sharing[both]++;
    }
    if (lastDemand[closed] != demand + 1) {
      lastDemand[closed] = demand + 1;
      sharing[closed]++;
    }
    NumberedSums spins = spinTable.of(choice, graph, components);
    int[] claims = claims(choice, closed, wanted, pair);
    return new Option(choice, spins, first, both, closed, placesOf(both, spins), claims);
  }

  /** The number of an elemental, which its vertex, its end and its legs decide. */
  private int elemental(
      BaryonPart.BaryonElementalRef ref, BaryonVertex vertex, BaryonPart.Legs legs) {
    long key = (long) vertices.ofShared(vertex) << 1 | (ref.conjugate() ? 1 : 0);
    key = key << LEGS_BITS | legs.number();
    int known = elementalNumbers.get(key);
    if (known < 0) {
      known = elementals.of(ref);
      elementalNumbers.put(key, known);
    }
    return known;
  }

  /** The number of the spin structure of a vertex. */
  int structure(BaryonVertex vertex) {
    Integer known = structureNumbers.get(vertex);
    if (known == null) {
      known = structures.of(BaryonPart.SpinStructure.of(vertex));
      structureNumbers.put(vertex, known);
    }
    return known;
  }

  private int[] claims(PairChoice choice, int closed, List<Use> wanted, int pair) {
    int open = number(larger, number(larger, closed, words.ofShared(choice.openWord())), pair);
    int[] claims = new int[wanted.size()];
    boolean symmetric = choice.isSymmetric();
    for (int k = 0; k < claims.length; k++) {
      Use use = wanted.get(k);
      claims[k] =
          asked.claim(
              closed,
              open,
              use.part().sum(),
              term(choice, use.spins(), symmetric),
              use.part().coefficient(),
              choice.sign());
    }
    return claims;
  }

  private int term(PairChoice choice, SpinsOfGraph spins, boolean symmetric) {
    long key = spins.sinks()[choice.sinkPlace()];
    key = key << STRUCTURE_BITS | spins.sources()[choice.sourcePlace()];
    key = key << LEGS_BITS | choice.sinkLegs().number();
    key = key << LEGS_BITS | choice.sourceLegs().number();
    key = key << 1 | (symmetric ? 1 : 0);
    int term = terms.get(key);
    if (term < 0) {
      term = asked.term(choice.spin(spins.graph()), symmetric);
      terms.put(key, term);
    }
    return term;
  }

  /** The number of something that consists of something with a number and another part. */
  private int number(LongIntTable table, int number, int part) {
    long key = (long) number << Integer.SIZE | part;
    int known = table.get(key);
    if (known < 0) {
      known = numbers++;
      table.put(key, known);
      if (known == sharing.length) {
        sharing = Arrays.copyOf(sharing, 2 * known);
        lastDemand = Arrays.copyOf(lastDemand, 2 * known);
      }
    }
    return known;
  }

  /** Places in {@link #uses} of the spin sums of something attached or closed. */
  private int[] placesOf(int number, NumberedSums spins) {
    long key = (long) number << Integer.SIZE | spins.number();
    int known = placesOf.get(key);
    if (known < 0) {
      known = placeLists.size();
      placeLists.add(newPlaces(number, spins.sums()));
      placesOf.put(key, known);
    }
    return placeLists.get(known);
  }

  private int[] newPlaces(int number, int[] sums) {
    if (number >= sumPlaces.length) {
      sumPlaces = Arrays.copyOf(sumPlaces, 2 * number + 2);
    }
    int[] given = sumPlaces[number] == null ? NOTHING : sumPlaces[number];
    for (int k = 0; k < given.length; k += 2) {
      placeOfSum[given[k]] = given[k + 1];
    }
    int[] all = Arrays.copyOf(given, given.length + 2 * sums.length);
    int length = given.length;
    int[] result = new int[sums.length];
    for (int k = 0; k < result.length; k++) {
      int sum = sums[k];
      if (sum >= placeOfSum.length) {
        int before = placeOfSum.length;
        placeOfSum = Arrays.copyOf(placeOfSum, 2 * sum + 2);
        Arrays.fill(placeOfSum, before, placeOfSum.length, -1);
      }
      if (placeOfSum[sum] < 0) {
        placeOfSum[sum] = places++;
        all[length++] = sum;
        all[length++] = placeOfSum[sum];
      }
      result[k] = placeOfSum[sum];
    }
    for (int k = 0; k < length; k += 2) {
      placeOfSum[all[k]] = -1;
    }
    sumPlaces[number] = Arrays.copyOf(all, length);
    return result;
  }

  /** Begins with no option taken. */
  void begin() {
    firstUses = new int[NumberedSums.LINE_SPINS * numbers];
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
