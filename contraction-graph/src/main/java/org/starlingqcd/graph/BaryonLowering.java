package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.starlingqcd.graph.BaryonPart.BaryonElementalRef;
import org.starlingqcd.graph.BaryonPart.Legs;
import org.starlingqcd.graph.BaryonPart.SpinStructure;
import org.starlingqcd.graph.BaryonPart.SpinTerm;

/**
 * Turns baryon graphs into diquark blocks, spin sums, products and traces ({@link BaryonPart}),
 * shared between all graphs.
 */
final class BaryonLowering {
  /*
   * Where two baryons are joined by two lines, those two make a diquark block. In a graph of one baryon on each side there are three
   * lines, hence three choices of the two. A block costs N⁴, everything after it N³, so as few distinct blocks as possible are wanted: a
   * set cover, solved greedily. The block that serves most graphs for its price is taken, again and again; a block whose two lines are the
   * same element is symmetric and costs 136/256 of another. Ties go to the block met first.
   *
   * In a connected graph of several baryons each sink must have a source with which it shares two lines; the remaining lines then join
   * the blocks to a ring. Two baryons are always of this kind.
   */

  /** Spin components of a block, and of a symmetric one. */
  private static final double FULL_COST = 256;

  private static final double SYMMETRIC_COST = 136;

  /** A block before it has an element number: everything but spin. */
  private record Block(
      BaryonElementalRef sink,
      List<Integer> first,
      List<Integer> second,
      BaryonElementalRef source) {
    double cost() {
      return isSymmetric() ? SYMMETRIC_COST : FULL_COST;
    }

    boolean isSymmetric() {
      return first.equals(second)
          && sink.displacement().equals(ElementalRef.NO_DISPLACEMENT)
          && source.displacement().equals(ElementalRef.NO_DISPLACEMENT);
    }
  }

  /**
   * One way of taking two of the paths between a sink and a source as a block: the block, its spin
   * term, and the sign.
   */
  private record Choice(Block block, SpinTerm spin, List<Integer> openWord) {}

  /** A trace and the sign with which it gives the value of a graph. */
  record Value(int trace, int sign) {}

  private static final Comparator<QuarkPath> BY_WORD =
      Comparator.<QuarkPath, String>comparing(p -> p.word().toString())
          .thenComparingInt(QuarkPath::sinkLeg);

  private final DiagramSet set;
  private final PlanTarget target;
  private final List<BaryonElementalRef> baryons = new ArrayList<>();
  private final Map<BaryonElementalRef, Integer> baryonIndex = new HashMap<>();
  private final List<BaryonPart.Diquark> diquarks = new ArrayList<>();
  private final List<BaryonPart.SpinSum> spinSums = new ArrayList<>();
  private final Map<Block, Integer> blockElement = new HashMap<>();
  private final Map<List<Object>, Integer> spinElement = new HashMap<>();
  private final Map<List<Integer>, Integer> wordElement = new HashMap<>();
  private final Map<List<Integer>, Integer> productElement = new HashMap<>();
  private final Map<List<Integer>, Integer> traceIndex = new HashMap<>();
  private final Map<Integer, Value> values = new HashMap<>();
  private final Map<Integer, Choice> chosen = new HashMap<>();

  /** Where nodes, products and traces of a plan under construction are added. */
  interface PlanTarget {
    int node(NodeRef node);

    int newIntermediate();

    void product(int destination, int left, int innerGamma, int right);

    int trace(int left, int right);
  }

  /** Lowers those graphs of a set for which {@code used} is true. */
  BaryonLowering(DiagramSet set, boolean[] used, PlanTarget target) {
    this.set = set;
    this.target = target;
    choose(used);
  }

  /**
   * The value of a baryon graph; its blocks, sums and products join the plan when first asked for.
   */
  Value value(int place) {
    return values.computeIfAbsent(place, this::lower);
  }

  /** What was lowered so far, with element numbers translated. */
  BaryonPart part(IntUnaryOperator number, long diquarksUnshared) {
    List<BaryonPart.Diquark> blocks = new ArrayList<>();
    for (BaryonPart.Diquark d : diquarks) {
      blocks.add(
          new BaryonPart.Diquark(
              number.applyAsInt(d.destination()),
              d.sink(),
              number.applyAsInt(d.first()),
              number.applyAsInt(d.second()),
              d.source()));
    }
    List<BaryonPart.SpinSum> sums = new ArrayList<>();
    for (BaryonPart.SpinSum s : spinSums) {
      sums.add(
          new BaryonPart.SpinSum(
              number.applyAsInt(s.destination()), number.applyAsInt(s.diquark()), s.terms()));
    }
    return new BaryonPart(baryons, blocks, sums, diquarksUnshared);
  }

  private void choose(boolean[] used) {
    Map<Block, List<Integer>> graphsOf = new LinkedHashMap<>();
    Map<Block, Integer> uncovered = new HashMap<>();
    for (int g = 0; g < used.length; g++) {
      BaryonGraph graph = set.baryonGraphAt(g);
      if (!used[g] || graph.sinks().size() != 1) {
        continue;
      }
      for (Choice choice : choices(graph)) {
        List<Integer> graphs = graphsOf.computeIfAbsent(choice.block(), key -> new ArrayList<>());
        if (graphs.isEmpty() || graphs.get(graphs.size() - 1) != g) {
          graphs.add(g);
          uncovered.merge(choice.block(), 1, Integer::sum);
        }
      }
    }
    // Blocks that rings need are made in any case.
    for (int g = 0; g < used.length; g++) {
      if (used[g] && set.baryonGraphAt(g).sinks().size() > 1) {
        for (Choice choice : ring(set.baryonGraphAt(g))) {
          cover(choice.block(), graphsOf, uncovered);
        }
      }
    }
    while (true) {
      Block best = null;
      double profit = 0;
      for (Block block : graphsOf.keySet()) {
        double p = uncovered.getOrDefault(block, 0) / block.cost();
        if (p > profit) {
          profit = p;
          best = block;
        }
      }
      if (best == null) {
        return;
      }
      cover(best, graphsOf, uncovered);
    }
  }

  private void cover(
      Block block, Map<Block, List<Integer>> graphsOf, Map<Block, Integer> uncovered) {
    for (int g : graphsOf.getOrDefault(block, List.of())) {
      if (chosen.containsKey(g)) {
        continue;
      }
      List<Choice> choices = choices(set.baryonGraphAt(g));
      choices.stream()
          .map(Choice::block)
          .distinct()
          .forEach(other -> uncovered.merge(other, -1, Integer::sum));
      chosen.put(
          g, choices.stream().filter(c -> c.block().equals(block)).findFirst().orElseThrow());
    }
  }

  /** The three choices of a graph of one baryon. */
  private List<Choice> choices(BaryonGraph graph) {
    List<Choice> result = new ArrayList<>();
    for (int open = 0; open < BaryonVertex.LEGS; open++) {
      List<QuarkPath> pair = new ArrayList<>(graph.paths());
      QuarkPath third = pair.remove(open);
      result.add(choice(graph, pair, third.sinkLeg(), third.sourceLeg(), third.word()));
    }
    return result;
  }

  /**
   * The blocks of a graph of several baryons, each with the word that follows its sink's open leg,
   * in ring order.
   */
  private static List<Choice> ring(BaryonGraph graph) {
    int n = graph.sinks().size();
    int[][] lines = new int[n][n];
    for (QuarkPath p : graph.paths()) {
      lines[p.sink()][p.source()]++;
    }
    List<Choice> result = new ArrayList<>();
    int sink = 0;
    do {
      int source = 0;
      while (source < n && lines[sink][source] != 2) {
        source++;
      }
      if (source == n) {
        throw new IllegalArgumentException(
            "a connected graph of "
                + n
                + " baryons in which one shares a single line with each of three others"
                + " cannot be evaluated: products of at most two baryons are supported");
      }
      List<QuarkPath> pair = new ArrayList<>();
      QuarkPath leaving = null;
      QuarkPath arriving = null;
      for (QuarkPath p : graph.paths()) {
        if (p.sink() == sink && p.source() == source) {
          pair.add(p);
        } else if (p.sink() == sink) {
          leaving = p;
        } else if (p.source() == source) {
          arriving = p;
        }
      }
      if (leaving == null || arriving == null) {
        throw new AssertionError("not a ring: " + graph);
      }
      result.add(choice(graph, pair, leaving.sinkLeg(), arriving.sourceLeg(), leaving.word()));
      int next = leaving.source();
      sink = 0;
      while (lines[sink][next] != 2) {
        sink++;
      }
    } while (sink != 0);
    return result;
  }

  private static Choice choice(
      BaryonGraph graph,
      List<QuarkPath> pair,
      int sinkOpen,
      int sourceOpen,
      List<Integer> openWord) {
    List<QuarkPath> ordered = pair.stream().sorted(BY_WORD).toList();
    QuarkPath first = ordered.get(0);
    QuarkPath second = ordered.get(1);
    BaryonVertex sink = graph.sinks().get(first.sink());
    BaryonVertex source = graph.sources().get(first.source());
    Legs sinkLegs = new Legs(sinkOpen, first.sinkLeg(), second.sinkLeg());
    Legs sourceLegs = new Legs(sourceOpen, first.sourceLeg(), second.sourceLeg());
    int sign =
        (sink.isAntisymmetric() ? sinkLegs.sign() : 1)
            * (source.isAntisymmetric() ? sourceLegs.sign() : 1);
    return new Choice(
        new Block(
            elemental(sink, TimeSlot.SINK, sinkLegs),
            first.word(),
            second.word(),
            elemental(source, TimeSlot.SOURCE, sourceLegs)),
        new SpinTerm(
            SpinStructure.of(sink),
            sinkLegs,
            SpinStructure.of(source),
            sourceLegs,
            new Complex(sign, 0)),
        openWord);
  }

  private static BaryonElementalRef elemental(BaryonVertex vertex, TimeSlot time, Legs legs) {
    return new BaryonElementalRef(
        vertex.displacement(),
        vertex.momentum(),
        time,
        time == TimeSlot.SOURCE,
        vertex.isAntisymmetric() ? Legs.NATURAL : legs);
  }

  private Value lower(int place) {
    BaryonGraph graph = set.baryonGraphAt(place);
    if (graph.sinks().size() == 1) {
      Choice choice = chosen.get(place);
      if (choice == null) {
        throw new AssertionError("baryon graph " + place + " was not announced as used");
      }
      return new Value(trace(word(choice.openWord()), spinSum(choice)), sign(choice));
    }
    // Tr[L_1 G̃_2 L_2 G̃_3 … L_n G̃_1]: the word leaving block k ends at the source of block k + 1.
    List<Choice> ring = ring(graph);
    int n = ring.size();
    int sign = 1;
    int left = ContractionPlan.NONE;
    for (int k = 0; k < n - 1; k++) {
      int link = product(word(ring.get(k).openWord()), spinSum(ring.get((k + 1) % n)));
      left = left == ContractionPlan.NONE ? link : product(left, link);
    }
    int last = product(word(ring.get(n - 1).openWord()), spinSum(ring.get(0)));
    for (Choice choice : ring) {
      sign *= sign(choice);
    }
    return new Value(trace(left, last), sign);
  }

  private static int sign(Choice choice) {
    return choice.spin().coefficient().re() < 0 ? -1 : 1;
  }

  private int block(Block block) {
    Integer known = blockElement.get(block);
    if (known == null) {
      int first = word(block.first());
      int second = word(block.second());
      known = target.newIntermediate();
      diquarks.add(
          new BaryonPart.Diquark(
              known, baryon(block.sink()), first, second, baryon(block.source())));
      blockElement.put(block, known);
    }
    return known;
  }

  /** The spin sum with coefficient one; the sign stays with the graph so that graphs share sums. */
  private int spinSum(Choice choice) {
    int block = block(choice.block());
    SpinTerm s = choice.spin();
    SpinTerm plain = new SpinTerm(s.sink(), s.sinkLegs(), s.source(), s.sourceLegs(), Complex.ONE);
    return spinElement.computeIfAbsent(
        List.of(block, plain),
        key -> {
          int element = target.newIntermediate();
          spinSums.add(new BaryonPart.SpinSum(element, block, List.of(plain)));
          return element;
        });
  }

  private int baryon(BaryonElementalRef ref) {
    return baryonIndex.computeIfAbsent(
        ref,
        key -> {
          baryons.add(key);
          return baryons.size() - 1;
        });
  }

  /** The element of a word: a node, or the product of the word without its last letter and that. */
  private int word(List<Integer> word) {
    Integer known = wordElement.get(word);
    if (known == null) {
      int last = word.get(word.size() - 1);
      int node = target.node(set.nodeAt(last / 16));
      if (word.size() == 1) {
        known = node;
      } else {
        int left = word(word.subList(0, word.size() - 1));
        known = target.newIntermediate();
        target.product(known, left, last % 16, node);
      }
      wordElement.put(List.copyOf(word), known);
    }
    return known;
  }

  private int product(int left, int right) {
    return productElement.computeIfAbsent(
        Arrays.asList(left, right),
        key -> {
          int element = target.newIntermediate();
          target.product(element, left, 0, right);
          return element;
        });
  }

  private int trace(int left, int right) {
    return traceIndex.computeIfAbsent(Arrays.asList(left, right), key -> target.trace(left, right));
  }
}
