package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Interner;
import org.starlingqcd.graph.LongIntTable;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.PairSum;

/**
 * The cost of each choice, given all other choices that are taken. Costs are complex products
 * {@code N² × N · N × N}; closing with an antisymmetric elemental needs half of one: the sum over k
 * < l.
 *
 * <p>All options are made first, then options are taken and given up.
 */
final class SharedCosts {
  private static final double HALF = 0.5;

  /** Bits for the legs of a baryon. */
  private static final int LEGS_BITS = 4;

  /** Bits for a spin structure: 16 diquarks, two parities, four components, two bases. */
  private static final int STRUCTURE_BITS = 8;

  /** More than the pairs of baryons of a graph. */
  private static final int MOST_PAIRS = 16;

  /** A line, or two, attached to an elemental. */
  private static final class Attached {
    // How many blocks could share it.
    private int sharing;
    // How many of the options taken use a component of the first line, or of both lines a sum.
    private int[] uses = {};

    // How often a part came into use or went out of it.
    private int changes;

    /** An option may use some parts. */
    void mayUse(int[] parts) {
      for (int part : parts) {
        if (part >= uses.length) {
          uses = Arrays.copyOf(uses, part + NumberedSums.LINE_SPINS);
        }
      }
    }

    void count(int[] parts, int change) {
      for (int part : parts) {
        int before = uses[part];
        uses[part] = before + change;
        changes += before == 0 || before + change == 0 ? 1 : 0;
      }
    }
  }

  /** A choice with what it shares with others. */
  static final class Option {
    final PairChoice choice;
    final AskedSums.Block closed;
    private final NumberedSums spins;
    private final double closing;
    private final Attached first;
    private final Attached both;
    private final AskedSums.Claims claims;
    // The products and, as bits, the components of the first line that it adds to both lines, as
    // they were after so many changes of these.
    private int seen = -1;
    private int addedProducts;
    private int addedFirsts;

    private Option(
        PairChoice choice,
        NumberedSums spins,
        Attached first,
        Attached both,
        AskedSums.Block closed,
        AskedSums.Claims claims) {
      this.choice = choice;
      this.spins = spins;
      this.first = first;
      this.both = both;
      this.closed = closed;
      this.claims = claims;
      first.mayUse(spins.allFirsts);
      both.mayUse(spins.numbers);
      closing = closingCost(choice.other());
    }

    private void add() {
      seen = both.changes;
      addedProducts = 0;
      addedFirsts = 0;
      for (int k = 0; k < spins.numbers.length; k++) {
        if (both.uses[spins.numbers[k]] == 0) {
          addedProducts += spins.products[k];
          addedFirsts |= spins.firsts[k];
        }
      }
    }

    /** The sums over spin components that its graphs ask for one by one. */
    List<PairSum> sums() {
      return spins.sums;
    }
  }

  private final Interner<BaryonPart.BaryonElementalRef> elementals = new Interner<>();
  private final Interner<List<Integer>> words = new Interner<>();
  private final Interner<BaryonPart.SpinStructure> structures = new Interner<>();
  // By identity: graphs share their vertices.
  private final IdentityHashMap<BaryonVertex, Integer> structureOf = new IdentityHashMap<>();
  private final LongIntTable firstNumbers = new LongIntTable();
  private final List<Attached> firsts = new ArrayList<>();
  private final LongIntTable pairNumbers = new LongIntTable();
  private final List<Attached> pairs = new ArrayList<>();
  private final LongIntTable blockNumbers = new LongIntTable();
  private final List<AskedSums.Block> blocks = new ArrayList<>();
  private final LongIntTable opens = new LongIntTable();
  private final LongIntTable terms = new LongIntTable();
  private final NumberedSums.Table spinTable;
  private final AskedSums asked;

  /** Costs of no options yet. */
  SharedCosts(boolean mixedComponents) {
    spinTable = new NumberedSums.Table(mixedComponents);
    asked = new AskedSums(mixedComponents);
  }

  /**
   * Creates an option.
   *
   * @param graphs those that have the choice; one that is part of several sums comes for each
   * @param components which components of w these have
   * @param parts the graphs within sums
   * @param pair number of the pair of baryons within the graph
   */
  @SuppressWarnings("ReferenceEquality") // saves look-ups; equal graphs have equal terms anyway
  Option option(
      PairChoice choice,
      List<BaryonGraph> graphs,
      int components,
      List<GraphSums.Part> parts,
      int pair) {
    int first =
        firstNumbers.intern(key(elementals.of(choice.attached()), words.ofShared(choice.first())));
    if (first == firsts.size()) {
      firsts.add(new Attached());
    }
    int both = pairNumbers.intern(key(first, words.ofShared(choice.second())));
    if (both == pairs.size()) {
      pairs.add(new Attached());
    }
    int closed = blockNumbers.intern(key(both, elementals.of(choice.other())));
    if (closed == blocks.size()) {
      blocks.add(new AskedSums.Block());
      firsts.get(first).sharing++;
      pairs.get(both).sharing++;
    }
    int open = MOST_PAIRS * opens.intern(key(closed, words.ofShared(choice.openWord()))) + pair;
    boolean symmetric = choice.isSymmetric();
    int[] termOf = new int[graphs.size()];
    for (int k = 0; k < termOf.length; k++) {
      boolean known = k > 0 && graphs.get(k) == graphs.get(k - 1);
      termOf[k] = known ? termOf[k - 1] : term(choice, graphs.get(k), symmetric);
    }
    NumberedSums spins = spinTable.of(choice, graphs.get(0), components);
    AskedSums.Block block = blocks.get(closed);
    return new Option(
        choice,
        spins,
        firsts.get(first),
        pairs.get(both),
        block,
        asked.claims(block, open, termOf, parts, choice.sign()));
  }

  private static long key(int one, int other) {
    return (long) one << Integer.SIZE | other;
  }

  private int structure(BaryonVertex vertex) {
    Integer known = structureOf.get(vertex);
    if (known == null) {
      known = structures.of(BaryonPart.SpinStructure.of(vertex));
      structureOf.put(vertex, known);
    }
    return known;
  }

  /** The number of the term of a graph. */
  private int term(PairChoice choice, BaryonGraph graph, boolean symmetric) {
    long key = structure(graph.sinks().get(choice.sinkPlace()));
    key = key << STRUCTURE_BITS | structure(graph.sources().get(choice.sourcePlace()));
    key = key << LEGS_BITS | choice.sinkLegs().number();
    key = key << LEGS_BITS | choice.sourceLegs().number();
    key = key << 1 | (symmetric ? 1 : 0);
    int known = terms.get(key);
    if (known < 0) {
      known = asked.term(choice.spin(graph), symmetric);
      terms.put(key, known);
    }
    return known;
  }

  /** Independent sums for all that is asked of some blocks. */
  List<PairSum> basis(Set<AskedSums.Block> some) {
    return asked.basis(some);
  }

  /** Products of closing one sum with an elemental. */
  static double closingCost(BaryonPart.BaryonElementalRef other) {
    return other.isAntisymmetric() ? HALF : 1;
  }

  /** The cost if everything that can be shared is shared. */
  static double sharedCost(Option option) {
    double cost = (double) NumberedSums.LINE_SPINS / option.first.sharing;
    for (int products : option.spins.products) {
      cost += option.closing + (double) products / option.both.sharing;
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
    if (option.seen != option.both.changes) {
      option.add();
    }
    int newFirsts = 0;
    for (int left = option.addedFirsts; left != 0; left &= left - 1) {
      newFirsts += option.first.uses[Integer.numberOfTrailingZeros(left)] == 0 ? 1 : 0;
    }
    return cost
        + (double) option.addedProducts / (attachedShared ? option.both.sharing : 1)
        + (double) newFirsts / (attachedShared ? option.first.sharing : 1);
  }

  /** Takes an option, {@code change = 1}, or gives it up, -1. */
  void count(Option option, int change) {
    asked.change(option.claims, change > 0);
    option.first.count(option.spins.allFirsts, change);
    option.both.count(option.spins.numbers, change);
  }
}
