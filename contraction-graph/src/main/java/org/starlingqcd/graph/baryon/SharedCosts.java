package org.starlingqcd.graph.baryon;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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
    private final int firstPlace;
    private final int bothPlace;
    private final int[] claims;

    Option(
        PairChoice choice,
        NumberedSums spins,
        int firstAttached,
        int bothAttached,
        int closed,
        int firstPlace,
        int bothPlace,
        int[] claims) {
      this.choice = choice;
      this.spins = spins;
      this.firstAttached = firstAttached;
      this.bothAttached = bothAttached;
      this.closed = closed;
      this.firstPlace = firstPlace;
      this.bothPlace = bothPlace;
      this.claims = claims;
      closing = closingCost(choice.other());
    }
  }

  private final Numbers<BaryonPart.BaryonElementalRef> elementals = new Numbers<>();
  private final Numbers<List<Integer>> words = new Numbers<>();
  private final Numbers<BaryonPart.SpinStructure> structures = new Numbers<>();
  private final Numbers<BaryonVertex> vertices = new Numbers<>();
  // By identity: graphs share their vertices.
  private final IdentityHashMap<BaryonVertex, Integer> structureNumbers = new IdentityHashMap<>();
  private final LongIntTable elementalNumbers = new LongIntTable();
  private final LongIntTable firsts = new LongIntTable();
  private final LongIntTable larger = new LongIntTable();
  private final LongIntTable terms = new LongIntTable();
  private final NumberedSums.Table spinTable;
  private final AskedSums asked;
  private final LongIntTable placeNumbers = new LongIntTable();
  private final ListsInUse lists;
  // How many could share each: blocks a line or a pair of lines, demands a block.
  private int[] sharing = new int[64];
  private int[] lastDemand = new int[64];
  // How many options use each list of spin sums at something attached, and by number of something
  // attached the set of lists in use.
  private int[] uses = {};
  private int[] inUse = {};
  private int places;
  private int numbers;

  /** Costs of no options yet. */
  SharedCosts(boolean mixedComponents) {
    spinTable = new NumberedSums.Table(mixedComponents);
    lists = new ListsInUse(spinTable);
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
    return new Option(
        choice, spins, first, both, closed, place(first, spins), place(both, spins), claims);
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

  /** The place in {@link #uses} of a list of spin sums at something attached. */
  private int place(int number, NumberedSums spins) {
    long key = (long) number << Integer.SIZE | spins.number();
    int known = placeNumbers.get(key);
    if (known < 0) {
      known = places++;
      placeNumbers.put(key, known);
    }
    return known;
  }

  /** Begins with no option taken. */
  void begin() {
    uses = new int[places];
    inUse = new int[numbers];
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
    int attached = inUse[option.bothAttached];
    int addition = lists.addition(attached, option.spins);
    int products = lists.addedProducts(addition);
    int newFirsts =
        Integer.bitCount(lists.addedFirsts(addition) & ~lists.firsts(inUse[option.firstAttached]));
    return cost
        + (double) products / (attachedShared ? sharing[option.bothAttached] : 1)
        + (double) newFirsts / (attachedShared ? sharing[option.firstAttached] : 1);
  }

  /** Takes an option, {@code change = 1}, or gives it up, -1. */
  void count(Option option, int change) {
    asked.change(option.claims, change > 0);
    count(option.firstAttached, option.firstPlace, option.spins, change);
    count(option.bothAttached, option.bothPlace, option.spins, change);
  }

  private void count(int attached, int place, NumberedSums spins, int change) {
    uses[place] += change;
    if (change > 0 && uses[place] == 1) {
      inUse[attached] = lists.with(inUse[attached], spins);
    } else if (change < 0 && uses[place] == 0) {
      inUse[attached] = lists.without(inUse[attached], spins);
    }
  }
}
