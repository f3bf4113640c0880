package org.starlingqcd.graph.baryon;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Interner;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.BaryonPart.BaryonElementalRef;
import org.starlingqcd.graph.plan.BaryonPart.SpinTerm;
import org.starlingqcd.graph.plan.BilinearTerm;
import org.starlingqcd.graph.plan.ContractionPlan;

/**
 * Turns baryon graphs into blocks of two lines, spin sums, products and traces ({@link
 * BaryonPart}), shared between all graphs.
 */
public final class BaryonLowering {
  /*
   * Where two baryons are joined by two lines, those two are attached to the sink or to the source and closed with the other. In a graph
   * of one baryon on each side there are three lines, hence three choices of the two. That costs N⁴, everything after it N³; PairSelection
   * decides.
   *
   * In a connected graph of several baryons each sink must have a source with which it shares two lines; the remaining lines then join
   * the blocks to a ring. Two baryons are always of this kind. CutRings treats those with a current on one of the two lines.
   */

  /** The value of a graph as a sign times a trace; without a trace the value is zero. */
  public record Value(int trace, int sign) {}

  private final DiagramSet set;
  private final CutRings rings;
  private final PlanTarget target;
  private final PairTable table;
  private final int[] tableElement;
  private final Interner<BaryonElementalRef> baryons = new Interner<>();
  private final Map<List<Object>, Integer> spinElement = new HashMap<>();
  private final Map<List<Integer>, Integer> wordElement = new HashMap<>();
  private final Map<List<Integer>, Integer> productElement = new HashMap<>();
  private final Map<List<Integer>, Integer> traceIndex = new HashMap<>();
  private final Map<Integer, Value> values = new HashMap<>();
  // Graphs of one shape have one choice, which is looked up by value once.
  private final IdentityHashMap<PairChoice, Integer> readings = new IdentityHashMap<>();
  private final IdentityHashMap<PairChoice, PairTable.Place> places = new IdentityHashMap<>();
  private final Interner<Reading> readingNumbers = new Interner<>();

  /** Receives the nodes, products and traces of a plan under construction. */
  public interface PlanTarget {
    int node(NodeRef node);

    int newIntermediate();

    /** The number of a new intermediate that is made in some way; the way is told the number. */
    int make(IntFunction<ContractionPlan.Made> how);

    void product(int destination, BilinearTerm term);

    int trace(int left, int innerGamma, int right);
  }

  /** Lowers the graphs of a set by the choices made for them. */
  public BaryonLowering(DiagramSet set, CutRings rings, PairTable table, PlanTarget target) {
    this.set = set;
    this.rings = rings;
    this.target = target;
    this.table = table;
    tableElement = new int[table.blocks().size()];
    Arrays.fill(tableElement, ContractionPlan.NONE);
  }

  /** The value of a baryon graph. The first call adds its blocks, sums and products to the plan. */
  public Value value(int place) {
    return values.computeIfAbsent(place, this::lower);
  }

  /** N⁴ work of a baryon graph that shares nothing. */
  public double productsAlone(int place) {
    return table.productsAlone(place);
  }

  /** The elementals of all graphs lowered so far. */
  public List<BaryonElementalRef> elementals() {
    return baryons.all();
  }

  private Value lower(int place) {
    BaryonGraph graph = rings.graph(place);
    List<PairChoice> chosen = table.chosen(place);
    int n = chosen.size();
    int sign = rings.sign(place);
    int current = -1;
    for (int k = 0; k < n; k++) {
      sign *= chosen.get(k).sign();
      current = currentOf(chosen.get(k).openWord()) < 0 ? current : k;
    }
    if (n == 1) {
      return new Value(close(chosen.get(0).openWord(), spinSum(chosen.get(0), graph)), sign);
    }
    if (current >= 0) {
      // The same ring, cut open at the line with the current.
      int rest = spinSum(chosen.get((current + 1) % n), graph);
      for (int k = 1; k < n; k++) {
        rest = product(rest, word(chosen.get((current + k) % n).openWord()));
        rest = product(rest, spinSum(chosen.get((current + k + 1) % n), graph));
      }
      return new Value(close(chosen.get(current).openWord(), rest), sign);
    }
    // Tr[L_1 G̃_2 L_2 G̃_3 … L_n G̃_1]: the word leaving block k ends at the source of block k + 1.
    int left = ContractionPlan.NONE;
    for (int k = 0; k < n - 1; k++) {
      int link = product(word(chosen.get(k).openWord()), spinSum(chosen.get((k + 1) % n), graph));
      left = left == ContractionPlan.NONE ? link : product(left, link);
    }
    int last = product(word(chosen.get(n - 1).openWord()), spinSum(chosen.get(0), graph));
    return new Value(trace(left, 0, last), sign);
  }

  /** The place of the letter of a current in a word, or -1. */
  private int currentOf(List<Integer> word) {
    for (int k = 0; k < word.size(); k++) {
      if (set.nodeAt(word.get(k) / 16).isCurrent()) {
        return k;
      }
    }
    return -1;
  }

  /** The trace of a word and an element. A current in the word stands alone in the trace. */
  private int close(List<Integer> word, int element) {
    int at = currentOf(word);
    if (at < 0) {
      return trace(word(word), 0, element);
    }
    List<Integer> after = word.subList(at + 1, word.size());
    int rest = after.isEmpty() ? element : product(word(after), element);
    if (at > 0) {
      rest = product(rest, word(word.subList(0, at)));
    }
    int gamma = after.isEmpty() ? 0 : after.get(0) % 16;
    return trace(target.node(set.nodeAt(word.get(at) / 16)), gamma, rest);
  }

  private int pairBlocks(int number) {
    if (tableElement[number] == ContractionPlan.NONE) {
      PairTable.Blocks blocks = table.blocks().get(number);
      int first = word(blocks.first());
      List<BaryonPart.Branch> branches = new ArrayList<>();
      for (PairTable.Branch branch : blocks.branches()) {
        branches.add(
            new BaryonPart.Branch(
                word(branch.second()),
                branch.spins(),
                branch.others().stream().map(baryons::of).toList(),
                branch.others().stream().allMatch(BaryonElementalRef::isAntisymmetric)));
      }
      tableElement[number] =
          target.make(
              made ->
                  new BaryonPart.PlannedPairs(
                      made, baryons.of(blocks.attached()), first, branches));
    }
    return tableElement[number];
  }

  /** The spin sum of one graph alone. */
  private int spinSum(PairChoice choice, BaryonGraph graph) {
    return spinSum(choice, List.of(choice.spin(graph)));
  }

  /** A trace and its factor in a sum. */
  public record Weighted(int trace, Complex factor) {}

  /** The part of a block that a spin sum reads, and the line that closes the trace. */
  private record Reading(
      boolean atSink,
      BaryonElementalRef sink,
      List<Integer> first,
      List<Integer> second,
      BaryonElementalRef source,
      List<Integer> open) {}

  /**
   * The value of a sum of graphs with one baryon on either side. Graphs that leave the same line
   * open are added up in one spin sum.
   *
   * @param graphs places and coefficients
   */
  public List<Weighted> sum(Map<Integer, Complex> graphs) {
    Map<Integer, List<SpinTerm>> terms = new LinkedHashMap<>();
    Map<Integer, PairChoice> choices = new HashMap<>();
    graphs.forEach(
        (place, coefficient) -> {
          PairChoice c = table.chosen(place).get(0);
          int reading = readings.computeIfAbsent(c, this::reading);
          choices.putIfAbsent(reading, c);
          terms
              .computeIfAbsent(reading, key -> new ArrayList<>())
              .add(
                  c.spin(rings.graph(place))
                      .withCoefficient(coefficient.times(rings.sign(place) * c.sign())));
        });
    List<Weighted> result = new ArrayList<>();
    terms.forEach(
        (reading, list) -> {
          Complex scale = list.get(0).coefficient();
          Complex inverse = GraphSums.inverse(scale);
          List<SpinTerm> scaled =
              list.stream()
                  .map(term -> term.withCoefficient(term.coefficient().times(inverse)))
                  .toList();
          PairChoice choice = Objects.requireNonNull(choices.get(reading));
          int node = spinSum(choice, scaled);
          result.add(new Weighted(close(choice.openWord(), node), scale));
        });
    return result;
  }

  private int reading(PairChoice c) {
    return readingNumbers.of(
        new Reading(c.atSink(), c.sink(), c.first(), c.second(), c.source(), c.openWord()));
  }

  /** The spin sum of a choice; its sign stays with the graph so that graphs share sums. */
  private int spinSum(PairChoice choice, List<SpinTerm> terms) {
    PairTable.Place place = places.computeIfAbsent(choice, table::place);
    int block = pairBlocks(place.blocks());
    List<Object> key = List.of(block, place.firstComponent(), terms);
    return spinElement.computeIfAbsent(
        key,
        k ->
            target.make(
                made ->
                    new BaryonPart.SpinSum(
                        made, block, place.firstComponent(), choice.isSymmetric(), terms)));
  }

  /**
   * The element of a word: a node for one letter, else the product of the word without its last
   * letter and the last letter.
   */
  int word(List<Integer> word) {
    Integer known = wordElement.get(word);
    if (known == null) {
      int last = word.get(word.size() - 1);
      if (last < 0) {
        known = rest(rings.combination(~last));
      } else if (word.size() == 1) {
        known = target.node(set.nodeAt(last / 16));
      } else {
        int left = word(word.subList(0, word.size() - 1));
        int node = target.node(set.nodeAt(last / 16));
        known = target.newIntermediate();
        target.product(known, new BilinearTerm(Complex.ONE, 0, left, last % 16, node));
      }
      wordElement.put(List.copyOf(word), known);
    }
    return known;
  }

  /** A sum of rests {@code L G̃ L'} with coefficients. */
  private int rest(Map<Integer, Complex> rests) {
    int sum = target.newIntermediate();
    rests.forEach(
        (number, coefficient) -> {
          PairChoice choice = table.choiceOfRest(number);
          List<Integer> words = choice.openWord();
          int join = words.indexOf(CutRings.JOIN);
          int left =
              product(word(words.subList(0, join)), spinSum(choice, rings.rests().get(number)));
          int right = word(words.subList(join + 1, words.size()));
          target.product(
              sum, new BilinearTerm(coefficient.times(choice.sign()), 0, left, 0, right));
        });
    return sum;
  }

  /** The product of two elements. */
  int product(int left, int right) {
    return productElement.computeIfAbsent(
        Arrays.asList(left, right),
        key -> {
          int element = target.newIntermediate();
          target.product(element, new BilinearTerm(Complex.ONE, 0, left, 0, right));
          return element;
        });
  }

  /** The trace of a product of two elements. */
  int trace(int left, int innerGamma, int right) {
    return traceIndex.computeIfAbsent(
        Arrays.asList(left, innerGamma, right), key -> target.trace(left, innerGamma, right));
  }
}
